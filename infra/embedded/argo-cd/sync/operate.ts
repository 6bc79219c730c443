import { type Application, instant, isCompleted, type Operation, type OperationState } from '../application.ts';
import { compareApplication } from '../compare/compare-application.ts';
import { formatConditions, setConditions } from '../compare/conditions.ts';
import { checkSpec } from '../project/check-spec.ts';
import type { World } from '../refresh-application.ts';
import { recordHistory } from './history.ts';
import { planSync } from './plan-sync.ts';
import { kitchenTime, retryDelay, writeRetry } from './retry.ts';
import { stepSync } from './step-sync.ts';

export interface Operated {
  readonly ended: boolean;
  /** Go on after so long; whatever changes wakes it before. */
  readonly againInMs: number | undefined;
}

const waitForHealthMs = 5_000;

/** Takes the operation of an application one step further. */
export async function operate(world: World, app: Application): Promise<Operated> {
  const { applications, now } = world;
  const asked = app.operation as Operation;
  const begun = app.status?.operationState;
  let state: OperationState;
  let current: Application | undefined = app;
  if (begun === undefined || isCompleted(begun.phase)) {
    state = { operation: complete(asked), phase: 'Running', startedAt: instant(now()) };
    current = await applications.writeOperation(app, state, false);
  } else if (begun.phase === 'Running' && begun.finishedAt !== undefined) {
    const wait = untilRetry(begun, now());
    if (wait instanceof Error) return end(world, app, { ...begun, phase: 'Error', message: wait.message });
    if (wait > 0) return { ended: false, againInMs: wait };
    const { finishedAt: _then, syncResult: _result, ...again } = begun;
    const anew = begun.operation.retry?.refresh === true;
    const { revision: _revision, ...sync } = begun.operation.sync ?? {};
    state = {
      ...again,
      ...(anew && { operation: { ...begun.operation, sync } }),
      message: `Retrying operation${anew ? ' with latest revisions' : ''}. Attempt #${begun.retryCount ?? 0}`,
    };
    current = await applications.writeOperation(app, state, false);
  } else state = begun;
  if (current === undefined) return { ended: true, againInMs: undefined };

  if (state.phase === 'Terminating')
    return end(world, current, retried({ ...state, phase: 'Failed', message: 'Operation terminated' }));
  const after = await advance(world, current, state);
  if (after.phase === 'Running') {
    const fresh = await applications.read(app.metadata.name);
    if (fresh?.status?.operationState?.phase === 'Terminating') {
      const terminating = { ...after, phase: 'Terminating', message: 'operation is terminating' } as const;
      await applications.writeOperation(fresh, terminating, false);
      return { ended: false, againInMs: 0 };
    }
    await applications.writeOperation(current, after, false);
    return { ended: false, againInMs: waitForHealthMs };
  }
  const limit = after.operation.retry?.limit ?? 0;
  const count = after.retryCount ?? 0;
  if (after.phase !== 'Succeeded' && (limit < 0 || count < limit)) {
    const wait = retryDelay(after.operation.retry ?? {}, count);
    if (!(wait instanceof Error)) {
      const message = `${after.message}. Retrying attempt #${count + 1} at ${kitchenTime(now() + wait)}.`;
      const failed = {
        ...after,
        phase: 'Running',
        message,
        retryCount: count + 1,
        finishedAt: instant(now()),
      } as const;
      await applications.writeOperation(current, failed, false);
      return { ended: false, againInMs: wait };
    }
    return end(world, current, { ...after, message: `${after.message} (failed to retry: ${wait.message})` });
  }
  return end(world, current, after.phase === 'Succeeded' ? after : retried(after));
}

/** The sync itself: compare with the revision that was asked for, then apply as far as it goes now. */
async function advance(world: World, app: Application, state: OperationState): Promise<OperationState> {
  const { clusters, projectOf, now } = world;
  const { sync } = state.operation;
  const fail = (phase: 'Error' | 'Failed', message: string, rest: Partial<OperationState> = {}): OperationState => ({
    ...state,
    ...rest,
    phase,
    message,
  });
  if (sync === undefined) return fail('Error', 'Invalid operation request: no operation specified');
  const project = projectOf(app);
  if (project === undefined)
    return fail('Error', `Failed to load application project: appproject.argoproj.io "${app.spec.project}" not found`);
  const spec = checkSpec(app, project, () => clusters.find(app.spec.destination));
  const source = state.syncResult?.source ?? sync.source ?? app.spec.source;
  if (spec.conditions.length > 0 || spec.cluster === undefined || source === undefined)
    return fail('Error', formatConditions(spec.conditions));

  const cluster = clusters.open(spec.cluster);
  const revision = state.syncResult?.revision || sync.revision || '';
  const request = { app, source, revision, resolveAnew: true, renderAnew: false };
  const comparison = await compareApplication(world.compare, cluster, project, request);
  const done = state.syncResult?.resources ?? [];
  const managed = app.spec.syncPolicy?.managedNamespaceMetadata;
  const syncResult = {
    revision: comparison.sync.revision ?? '',
    source,
    ...(done.length > 0 && { resources: done }),
    ...(managed !== undefined && { managedNamespaceMetadata: managed }),
  };
  const broken = setConditions([], comparison.conditions, [], now()).filter(({ type }) => /Error$/.test(type));
  if (broken.length > 0) return fail('Error', formatConditions(broken), { syncResult });

  const shared = comparison.conditions.find(({ type }) => type === 'SharedResourceWarning');
  if (shared !== undefined && sync.syncOptions?.includes('FailOnSharedResource=true'))
    return fail('Failed', `Shared resource found: ${shared.message}`, { syncResult });

  const plan = await planSync(cluster, app, project, comparison, sync);
  const step = await stepSync(cluster, plan, comparison.hooks, sync, done);
  const { resources, phase, message } = step;
  return { ...state, phase, message, syncResult: { ...syncResult, ...(resources.length > 0 && { resources }) } };
}

async function end(world: World, app: Application, state: OperationState): Promise<Operated> {
  const ended = { ...state, finishedAt: instant(world.now()) };
  const { sync } = state.operation;
  const whole = sync?.dryRun !== true && (sync?.resources ?? []).length === 0;
  const history = state.phase === 'Succeeded' && whole ? recordHistory(app, ended, world.now()) : undefined;
  await world.applications.writeOperation(app, ended, true, history);
  return { ended: true, againInMs: undefined };
}

function retried(state: OperationState): OperationState {
  const count = state.retryCount ?? 0;
  return count > 0 ? { ...state, message: `${state.message} (retried ${count} times).` } : state;
}

function untilRetry({ finishedAt = '', retryCount = 0, operation }: OperationState, now: number): number | Error {
  const wait = retryDelay(operation.retry ?? {}, Math.max(0, retryCount - 1));
  return wait instanceof Error ? wait : Date.parse(finishedAt) + wait - now;
}

/**
 * As Argo CD writes an operation down: who began it and how it is retried stand there even where
 * nobody said, and what is false or empty does not.
 */
function complete(operation: Operation): Operation {
  const { sync, initiatedBy = {}, retry = {} } = operation;
  const said = Object.entries(sync ?? {}).filter(([, value]) => value !== false && value !== '');
  return {
    ...operation,
    ...(sync !== undefined && { sync: Object.fromEntries(said) }),
    initiatedBy,
    retry: writeRetry(retry),
  };
}
