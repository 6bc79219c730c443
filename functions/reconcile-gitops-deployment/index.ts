/**
 * reconcile-gitops-deployment: stores what a user wants deployed, and takes it away again.
 *
 *   wakes on   gitops-deployment.changed.v1
 *   observes   the GitOpsDeployment, everything stored under its name, its tenant and the environment that it names
 *   decides    shared/domain/gitops/decide-deployment.ts
 *   commits    application, owner and mapping rows with their operation, the ErrorOccurred condition, the finalizer
 *   if down    new and changed deployments do not reach Argo CD; what is deployed goes on
 */
import { ArgoApplicationChanged, GitOpsDeploymentChanged, SyncRunChanged } from '../../shared/contracts/knocks.ts';
import { OperationRequested } from '../../shared/contracts/requests.ts';
import { decideDeployment } from '../../shared/domain/gitops/decide-deployment.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import { apply, rows } from './apply.ts';
import { observe, type Seen } from './observe.ts';

export const reconcileGitopsDeployment = defineFunction({
  name: 'reconcile-gitops-deployment',
  consumes: [GitOpsDeploymentChanged],
  emits: [OperationRequested, SyncRunChanged, ArgoApplicationChanged],
  services: (world) => world,
  observe,
  decide: decideDeployment,
  apply,
  rows,
  version: (seen: Seen) => seen.version,
});
