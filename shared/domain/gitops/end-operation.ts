import { type Knock, type Next, type Step, settled } from '../core/step.ts';
import { type OperationType, operationName, operationSubject } from './names.ts';
import type { ObservedOperation, OperationEffect } from './operation.ts';

/** Whom the end of an operation concerns. */
const told: Readonly<Record<OperationType, string | undefined>> = {
  Application: 'gitops-deployment.changed.v1',
  ManagedEnvironment: 'managed-environment.changed.v1',
  RepositoryCredentials: 'repo-credential.changed.v1',
  SyncOperation: 'sync-run.changed.v1',
  GitOpsEngineInstance: undefined,
};

/**
 * Everything is done: all operations about the resource have ended, whoever asked for them. Those who wait for the end are
 * told. A plain success of a create or an update is no news: what Argo CD makes of it is told by Argo CD.
 */
export function completeOperation(
  observed: ObservedOperation,
  effects: readonly OperationEffect[] = [],
): Step<OperationEffect> {
  const news = observed.gone || observed.failedBefore || observed.type === 'SyncOperation';
  return {
    effects: [
      ...effects,
      ...observed.operations.map(({ id }) => ({ do: 'complete-operation', operation: id }) as const),
      ...withoutObject(observed),
    ],
    conditions: [],
    knocks: [...(news && observed.operations.length > 0 ? tellOwner(observed) : []), ...others(observed)],
    next: settled,
  };
}

/** It cannot be done: said once, to whom it concerns. Nothing repeats it by itself; the next pass over everything finds it again. */
export function failOperation(
  observed: ObservedOperation,
  why: string,
  effects: readonly OperationEffect[] = [],
): Step<OperationEffect> {
  return {
    effects: [
      ...effects,
      ...observed.operations.map(({ id }) => ({ do: 'fail-operation', operation: id, why }) as const),
      ...withoutObject(observed),
    ],
    conditions: [],
    knocks: [...(observed.operations.length > 0 ? tellOwner(observed) : []), ...others(observed)],
    next: settled,
  };
}

/** It goes on later. */
export function holdOperation(
  observed: ObservedOperation,
  next: Next,
  effects: readonly OperationEffect[] = [],
): Step<OperationEffect> {
  const begun = observed.operations.filter(({ state }) => state === 'Waiting');
  return {
    effects: [...effects, ...begun.map(({ id }) => ({ do: 'begin-operation', operation: id }) as const)],
    conditions: [],
    knocks: [],
    next,
  };
}

/** Wakes whoever looks after the object of the API behind the resource. */
export function tellOwner({ type, namespace, apiName }: ObservedOperation): Knock[] {
  const message = told[type];
  return message === undefined || apiName === undefined
    ? []
    : [{ type: message, subject: { namespace, name: apiName } }];
}

/** One Argo CD at a time: the others have a look of their own. */
function others({ elsewhere, namespace, type, resourceId, object }: ObservedOperation): Knock[] {
  return elsewhere && object === undefined
    ? [{ type: 'operation.requested.v1', subject: operationSubject(namespace, type, resourceId) }]
    : [];
}

/** Where an agent is asked, each operation has an object. Nobody looks at those of the others again when all have ended. */
function withoutObject({ object, engine, operations }: ObservedOperation): OperationEffect[] {
  if (object === undefined) return [];
  const others = engine.transport === 'agent' ? operations.map(({ id }) => operationName(id)) : [];
  return [...new Set([object, ...others])].map((name) => ({ do: 'delete-operation-object', name }));
}
