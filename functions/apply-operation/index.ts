/**
 * apply-operation: makes what stands beside an Argo CD as the rows say.
 *
 *   wakes on   operation.requested.v1, operation.changed.v1
 *   observes   the rows of one resource with its tenant, and what stands beside the Argo CD where that is not recorded
 *   decides    shared/domain/gitops/decide-operation.ts
 *   commits    Applications, AppProjects and Secrets of Argo CD, what was applied, and the end of the operations
 *   if down    what users change is accepted and reaches Argo CD later; what Argo CD knows already goes on
 */
import {
  GitOpsDeploymentChanged,
  ManagedEnvironmentChanged,
  OperationChanged,
  RepoCredentialChanged,
  SyncRunChanged,
} from '../../shared/contracts/knocks.ts';
import { OperationRequested } from '../../shared/contracts/requests.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import { apply } from './apply.ts';
import { decide } from './decide.ts';
import { observe } from './observe.ts';
import { rows } from './rows.ts';
import type { Services } from './sight.ts';

export const applyOperation = defineFunction({
  name: 'apply-operation',
  consumes: [OperationRequested, OperationChanged],
  emits: [
    OperationRequested,
    GitOpsDeploymentChanged,
    ManagedEnvironmentChanged,
    RepoCredentialChanged,
    SyncRunChanged,
  ],
  services: ({ clusters, operations, engineCheck }): Services => ({
    clusters,
    rows: operations,
    engines: engineCheck,
    // One for each message: the looks of one message learn from one another.
    memory: { distrust: false, refused: undefined },
  }),
  observe,
  decide,
  apply,
  rows,
  version: ({ object }) => object?.metadata.resourceVersion,
});
