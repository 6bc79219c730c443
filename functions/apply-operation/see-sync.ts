import type { ArgoApplication } from '../../shared/contracts/argo/application.ts';
import type { SyncSight } from '../../shared/domain/gitops/operation.ts';
import { syncIdOf } from '../../shared/domain/gitops/sync.ts';

/** What of an Argo CD Application tells whose sync it was asked for, and whose it runs. */
export function seeSync({ metadata, operation, status }: ArgoApplication): SyncSight {
  const state = status?.operationState;
  return {
    name: metadata.name,
    deleting: metadata.deletionTimestamp !== undefined,
    ...(operation !== undefined && { asked: { syncId: syncIdOf(operation['info']) } }),
    ...(state !== undefined && { state: { phase: state.phase, syncId: syncIdOf(state.operation?.['info']) } }),
  };
}
