import { instantOf } from '../core/instant.ts';
import { type Moment, recheck, type Step, settled } from '../core/step.ts';
import { decideLeaving } from './decide-leaving.ts';
import { decideSyncOperation } from './decide-sync-operation.ts';
import { completeOperation, failOperation, holdOperation, tellOwner } from './end-operation.ts';
import { applicationName } from './names.ts';
import type { ObservedOperation, OperationEffect, Piece } from './operation.ts';

/** An outage may last; nobody gives up because of one. */
const daySeconds = 86_400;
/** As long as an Application may take to go, as shared/domain/gitops/decide-leaving.ts has it, and a little more. */
const longestLeaveSeconds = 450;

const withAgent = 'WithAgent';
/** How often the agent is asked to look again at what it was handed and has not ended. */
const agentSeconds = 20;
const newsSpreads = 'NewsSpreads';
const secretsWritten: ReadonlySet<string> = new Set([
  'create-repository-secret',
  'update-repository-secret',
  'update-cluster-secret',
]);

/**
 * Makes what stands beside an Argo CD as the rows say. An operation tells that something changed, not what: all of them
 * about one resource are done with by one look, in whatever order they came.
 */
export function decideOperation(observed: ObservedOperation, moment: Moment): Step<OperationEffect> {
  const { engine, engineState, operations } = observed;

  // OBSERVED: only the agent beside that Argo CD can do it. It is told by an object, and the row stays as it is.
  if (engine.transport === 'agent' && observed.object === undefined) return handOver(observed, moment);

  // OBSERVED: the Argo CD that the rows name is not here, or is another one by now.
  if (observed.type === 'GitOpsEngineInstance')
    return engineState === 'ready'
      ? completeOperation(observed)
      : failOperation(observed, engineProblem(observed) ?? 'The Argo CD is not there');
  if (engineState === 'other-namespace') return failOperation(observed, engineProblem(observed) ?? '');
  if (engineState !== 'ready')
    return {
      effects: [],
      conditions: [],
      knocks: [],
      next: recheck(30, {
        reason: engineState === 'other-cluster' ? 'AnotherCluster' : 'ArgoCdMissing',
        message: engineProblem(observed) ?? '',
        deadlineSeconds: daySeconds,
      }),
    };

  if (observed.problem !== undefined) return failOperation(observed, observed.problem);
  if (observed.type === 'SyncOperation') return decideSyncOperation(observed, moment);

  // OBSERVED: the row is gone, and the Application is not. The fence stays until what it fences has gone.
  const leaving = decideLeaving(observed, moment);
  if (leaving !== undefined) return leaving;

  // OBSERVED: the environment is gone, and a deployment on it is not. When that goes, Argo CD has to reach the cluster.
  if (observed.needed === 'deployed-to')
    return holdOperation(
      observed,
      recheck(60, {
        reason: 'StillDeployedTo',
        message: 'A deployment of the tenant is still on the environment that is gone',
        deadlineSeconds: daySeconds,
      }),
    );

  // OBSERVED: deployments and their environment were deleted together. Argo CD reaches the cluster until they are gone.
  if (observed.needed === 'leaving' && !isOver(moment, 'ApplicationsLeaving'))
    return holdOperation(
      observed,
      recheck(5, {
        reason: 'ApplicationsLeaving',
        message: 'Argo CD still removes what the tenant has deployed',
        deadlineSeconds: longestLeaveSeconds,
      }),
    );

  const effects = observed.pieces.flatMap(effectsFor);
  // OBSERVED: somebody deletes what should be there. It is made again when it is gone.
  if (observed.pieces.some(({ wanted, state }) => wanted && state === 'deleting'))
    return holdOperation(
      observed,
      recheck(10, {
        reason: 'DeletedByOthers',
        message: 'Somebody deletes what the rows want; it is made again when it is gone',
        deadlineSeconds: daySeconds,
      }),
      effects,
    );
  // OBSERVED: a Secret or a new commit is about to be told, and Argo CD only compares what it is told to compare. It may see
  // the word before it sees the Secret, and may overlook a word that comes while it writes itself, so it is told twice.
  const own = observed.type === 'Application' ? [observed.resourceId] : [];
  const refreshes = [...observed.dependents, ...own].map(
    (id) => ({ do: 'refresh-application', name: applicationName(id) }) as const,
  );
  const isNews =
    effects.some(({ do: what }) => secretsWritten.has(what)) ||
    observed.pieces.some(({ hasNewCommit }) => hasNewCommit === true);
  if (isNews)
    return holdOperation(
      observed,
      recheck(3, {
        reason: newsSpreads,
        message: 'Argo CD is told a second time to look again',
        deadlineSeconds: 60,
      }),
      [...effects, ...refreshes],
    );
  if (moment.waiting?.reason === newsSpreads || isAskedAgain(observed))
    return completeOperation(observed, [...effects, ...refreshes]);

  if (operations.length === 0 && effects.length === 0 && !observed.elsewhere)
    return { effects: [], conditions: [], knocks: [], next: settled };
  return completeOperation(observed, effects);
}

/** An Operation object that asks for nothing that may be done. What is refused is said in the ledger. */
export function decideStray(name: string, verdict: 'unknown' | 'misplaced' | 'ended'): Step<OperationEffect> {
  const effects: Record<typeof verdict, OperationEffect[]> = {
    unknown: [],
    misplaced: [{ do: 'refuse-operation-object', name, why: 'It is not in the namespace of its Argo CD' }],
    ended: [{ do: 'delete-operation-object', name }],
  };
  return { effects: effects[verdict], conditions: [], knocks: [], next: settled };
}

function handOver(observed: ObservedOperation, { now, waiting }: Moment): Step<OperationEffect> {
  const { operations } = observed;
  // OBSERVED: the agent is done with what it was handed. Those who wait for the end are told here: it may not know them.
  if (operations.length === 0)
    return {
      effects: [],
      conditions: [],
      knocks: waiting?.reason === withAgent ? tellOwner(observed) : [],
      next: settled,
    };
  return {
    effects: operations.map(({ id, ownerUserId }) => ({
      do: 'create-operation-object',
      operation: id,
      repair: ownerUserId === undefined,
      at: instantOf(now),
    })),
    conditions: [],
    knocks: [],
    next: recheck(agentSeconds, {
      reason: withAgent,
      message: 'The agent beside Argo CD has not done it yet',
      deadlineSeconds: daySeconds,
    }),
  };
}

/** An agent does not wait. What it has begun it is asked to look at again, after a while. */
function isAskedAgain({ engine, object, operations, gone }: ObservedOperation): boolean {
  const isAgent = engine.transport === 'agent' && object !== undefined;
  return isAgent && !gone && operations.some(({ state }) => state === 'In_Progress');
}

function isOver({ now, waiting }: Moment, reason: string): boolean {
  return waiting?.reason === reason && now >= waiting.deadline;
}

function effectsFor({ kind, name, wanted, state }: Piece): OperationEffect[] {
  if (!wanted) return state === 'same' || state === 'differs' ? [{ do: `delete-${kind}`, name }] : [];
  if (state === 'unread' || state === 'absent') return [{ do: `create-${kind}`, name }];
  return state === 'differs' ? [{ do: `update-${kind}`, name }] : [];
}

function engineProblem({ engineState, engine }: ObservedOperation): string | undefined {
  switch (engineState) {
    case 'ready':
      return undefined;
    case 'namespace-missing':
      return `Namespace ${engine.namespace}, where Argo CD should be, does not exist`;
    case 'other-namespace':
      return `Namespace ${engine.namespace} is not the one that Argo CD was registered with: it was deleted and made again`;
    case 'other-cluster':
      return 'The cluster that answers is not the one that Argo CD was registered with';
  }
}
