import type { Secret } from '../../shared/contracts/kubernetes/core-objects.ts';
import { managedEnvironments, repositoryCredentials, secrets } from '../../shared/contracts/kubernetes/kinds.ts';
import { labels } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { environmentProblem, writtenClusterSecret } from '../../shared/domain/gitops/cluster-secret.ts';
import { clusterSecretName, repositorySecretName } from '../../shared/domain/gitops/names.ts';
import { writtenRepositorySecret } from '../../shared/domain/gitops/repository-secret.ts';
import { secretPatch } from '../../shared/domain/gitops/written-object.ts';
import { missingSecretSeconds } from '../../shared/domain/upkeep/drift.ts';
import type { ArgoRow, ClusterSecretRow, RepositorySecretRow } from '../../shared/ports/drift-rows.ts';
import { lookBesideArgo } from './look-beside-argo.ts';
import type { Came, Turn } from './turn.ts';

// Secrets are compared in memory. What they hold goes into no finding, no log line and no message.

/** The Secrets by which every Argo CD knows the tenants' clusters. */
export function lookAtClusterSecrets(turn: Turn): Promise<Came> {
  const { driftRows } = turn.machine.world;
  return lookBesideArgo<Secret, ClusterSecretRow>(
    {
      title: 'cluster Secret',
      objects: secrets,
      labelSelector: `${labels.databaseId},${labels.argoSecretType}=cluster`,
      operation: 'ManagedEnvironment',
      resources: { objects: managedEnvironments, knock: 'managed-environment.changed.v1' },
      nameOf: clusterSecretName,
      idOf: (name) => behind('managed-env-', name),
      rows: (instanceId, range) => driftRows.clusterSecrets(instanceId, range),
      isWanted: (row) => environmentProblem(row) === undefined,
      isMissed,
      isSame: (found, row, { namespace }) => secretPatch(found, writtenClusterSecret(row, namespace)) === undefined,
      ownerOf: () => undefined,
    },
    turn,
  );
}

/** The Secrets by which every Argo CD opens the tenants' repositories. */
export function lookAtRepositorySecrets(turn: Turn): Promise<Came> {
  const { driftRows } = turn.machine.world;
  return lookBesideArgo<Secret, RepositorySecretRow>(
    {
      title: 'repository Secret',
      objects: secrets,
      labelSelector: `${labels.databaseId},${labels.argoSecretType}=repository`,
      operation: 'RepositoryCredentials',
      resources: { objects: repositoryCredentials, knock: 'repo-credential.changed.v1' },
      nameOf: repositorySecretName,
      idOf: (name) => behind('repo-cred-', name),
      rows: (instanceId, range) => driftRows.repositorySecrets(instanceId, range),
      isWanted: () => true,
      isMissed,
      isSame: (found, row, { namespace }) => secretPatch(found, writtenRepositorySecret(row, namespace)) === undefined,
      // `project` is in base64 like every value of a Secret; its name holds the tenant's key.
      ownerOf: ({ data }) => behind('app-project-', atob(data['project'] ?? '')),
    },
    turn,
  );
}

function isMissed({ created }: ArgoRow, now: number): boolean {
  return now - created >= missingSecretSeconds * 1_000;
}

function behind(prefix: string, name: string): string | undefined {
  return name.startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : undefined;
}
