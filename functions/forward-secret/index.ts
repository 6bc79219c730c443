/**
 * forward-secret: wakes whoever names a Secret that has changed. It never reads the Secret.
 *
 *   wakes on   secret.changed.v1
 *   observes   the managed environments and repository credentials of the Secret's namespace, and the rows of Environments
 *   decides    shared/domain/gitops/decide-secret-readers.ts
 *   commits    managed-environment.changed.v1, repo-credential.changed.v1 and environment.changed.v1
 *   if down    rotated credentials reach Argo CD late, with the next drift pass or change of who names them
 */
import {
  EnvironmentChanged,
  ManagedEnvironmentChanged,
  RepoCredentialChanged,
  SecretChanged,
} from '../../shared/contracts/knocks.ts';
import { decideSecretReaders } from '../../shared/domain/gitops/decide-secret-readers.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import { observeSecretReaders } from './observe.ts';

export const forwardSecret = defineFunction({
  name: 'forward-secret',
  consumes: [SecretChanged],
  emits: [ManagedEnvironmentChanged, RepoCredentialChanged, EnvironmentChanged],
  services: ({ clusters, argoCdNamespaces, environmentUses }) => ({ clusters, argoCdNamespaces, environmentUses }),
  observe: observeSecretReaders,
  decide: decideSecretReaders,
});
