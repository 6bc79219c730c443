/**
 * reconcile-repo-credential: keeps what opens a private repository, if it opens it, and says so.
 *
 *   wakes on   repo-credential.changed.v1
 *   observes   the credential, its Secret, the rows of its name, who is written to its repository, and what the host says
 *   decides    shared/domain/gitops/decide-repo-credential.ts
 *   commits    three conditions; the sealed row, its mapping and operation.requested.v1; overlay.requested.v1 for whoever waited
 *   if down    new and changed credentials do not reach Argo CD; what it has goes on working
 */
import { RepoCredentialChanged } from '../../shared/contracts/knocks.ts';
import { OperationRequested, OverlayRequested } from '../../shared/contracts/requests.ts';
import { decideRepoCredential } from '../../shared/domain/gitops/decide-repo-credential.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import { applyConditions, writeRows } from './apply.ts';
import { observeRepoCredential, type Seen } from './observe.ts';

export const reconcileRepoCredential = defineFunction({
  name: 'reconcile-repo-credential',
  consumes: [RepoCredentialChanged],
  emits: [OperationRequested, OverlayRequested],
  services: ({ clusters, tenants, argoCdNamespaces, credentials, repositories }) => ({
    clusters,
    tenants,
    argoCdNamespaces,
    credentials,
    repositories,
  }),
  observe: observeRepoCredential,
  decide: decideRepoCredential,
  apply: applyConditions,
  rows: writeRows,
  version: ({ version }: Seen) => version,
});
