/**
 * run-sync: brings a GitOpsDeploymentSyncRun from its turn to its end.
 *
 *   wakes on   sync-run.changed.v1
 *   observes   the run, its rows, what Argo CD said of its application, and the GitOpsDeployment before it starts
 *   decides    shared/domain/gitops/decide-sync.ts
 *   commits    the run's status, its rows, and knocks for the operation, the next in line, and a look at the Application
 *   if down    syncs on demand do not start and do not say how they ended; those under way go on
 */
import { ArgoApplicationChanged, SyncRunChanged } from '../../shared/contracts/knocks.ts';
import { OperationRequested } from '../../shared/contracts/requests.ts';
import { decideSync } from '../../shared/domain/gitops/decide-sync.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import { applySync } from './apply.ts';
import { observeSync } from './observe.ts';

export const runSync = defineFunction({
  name: 'run-sync',
  consumes: [SyncRunChanged],
  emits: [OperationRequested, SyncRunChanged, ArgoApplicationChanged],
  services: ({ clusters, syncs }) => ({ cluster: clusters.local, syncs }),
  observe: observeSync,
  decide: decideSync,
  apply: applySync,
  rows: (seen, { effects }, { syncs }) => effects.flatMap((effect) => syncs.write(seen, effect)),
  version: ({ run }) => run?.version,
});
