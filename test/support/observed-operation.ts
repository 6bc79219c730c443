import type { ObservedOperation } from '../../shared/domain/gitops/operation.ts';

/** An operation of a tenant about its application, with nothing around it, unless told otherwise. */
export function anOperation(but: Partial<ObservedOperation> = {}): ObservedOperation {
  return {
    namespace: 'team',
    type: 'Application',
    resourceId: 'a-1',
    operations: [{ id: 'o-1', ownerUserId: 'u-1', state: 'Waiting' }],
    elsewhere: false,
    failedBefore: false,
    apiName: 'web',
    engine: { namespace: 'argocd', transport: 'queue' },
    engineState: 'ready',
    gone: false,
    needed: false,
    dependents: [],
    pieces: [],
    leaving: [],
    ...but,
  };
}
