import { secrets } from '../../shared/contracts/kubernetes/kinds.ts';
import { type EnvironmentRow, writtenClusterSecret } from '../../shared/domain/gitops/cluster-secret.ts';
import { clusterSecretName } from '../../shared/domain/gitops/names.ts';
import type { Piece } from '../../shared/domain/gitops/operation.ts';
import { type CredentialsRow, writtenRepositorySecret } from '../../shared/domain/gitops/repository-secret.ts';
import {
  databaseIdLabel,
  secretPatch,
  secretTypeLabel,
  type WrittenSecret,
} from '../../shared/domain/gitops/written-object.ts';
import type { Found, Look } from './see-argo.ts';

type SecretKind = Extract<Piece['kind'], 'cluster-secret' | 'repository-secret'>;

/** The Secret of an environment. The cluster that Argo CD itself runs in needs none. */
export async function seeClusterSecret(look: Look, environment: EnvironmentRow): Promise<readonly Found[]> {
  const { appliedCredentialsId: applied, credentialsId, local, id } = environment;
  if (local) return [];
  if (!look.doubt && applied === credentialsId) return [trusted('cluster-secret', clusterSecretName(id))];
  const secret = writtenClusterSecret(environment, look.sight.engine.namespace);
  return [await seeSecret(look, 'cluster-secret', secret, applied !== undefined)];
}

export async function seeRepositorySecret(look: Look, credentials: CredentialsRow): Promise<readonly Found[]> {
  const { appliedRevision: applied, revision } = credentials;
  const secret = writtenRepositorySecret(credentials, look.sight.engine.namespace);
  if (!look.doubt && applied === revision) return [trusted('repository-secret', secret.metadata.name)];
  return [await seeSecret(look, 'repository-secret', secret, applied !== 0)];
}

/** The Secret of an environment that is gone. One of that name which is not ours is not touched. */
export async function seeLeftClusterSecret(
  { sight, cluster, signal }: Look,
  environmentId: string,
): Promise<readonly Found[]> {
  const name = clusterSecretName(environmentId);
  const stored = await cluster.read(secrets, { namespace: sight.engine.namespace, name }, { signal });
  if (stored === undefined) return [];
  const { labels, uid } = stored.metadata;
  const state = labels[databaseIdLabel] === environmentId ? 'same' : 'foreign';
  return [{ piece: { kind: 'cluster-secret', name, wanted: false, state }, writing: { uid } }];
}

/** All Secrets that claim to be of credentials that are gone. */
export async function seeLeftRepositorySecrets(
  { sight, cluster, signal }: Look,
  credentialsId: string,
): Promise<readonly Found[]> {
  const labelSelector = `${databaseIdLabel}=${credentialsId},${secretTypeLabel}=repository`;
  const found: Found[] = [];
  for await (const page of cluster.list(secrets, { namespace: sight.engine.namespace, labelSelector, signal }))
    found.push(
      ...page.map(({ metadata: { name, uid } }) => ({
        piece: { kind: 'repository-secret', name, wanted: false, state: 'same' } as const,
        writing: { uid },
      })),
    );
  return found;
}

/** One that was never written is not looked for: creating it tells whether it is there. */
async function seeSecret(
  { sight, cluster, signal, doubt }: Look,
  kind: SecretKind,
  secret: WrittenSecret,
  written: boolean,
): Promise<Found> {
  const { name } = secret.metadata;
  const as = (state: Piece['state'], patch?: object): Found => ({
    piece: { kind, name, wanted: true, state },
    writing: { secret, patch },
  });
  if (!doubt && !written) return as('unread');
  const stored = await cluster.read(secrets, { namespace: sight.engine.namespace, name }, { signal });
  if (stored === undefined) return as('absent');
  if (stored.metadata.deletionTimestamp !== undefined) return as('deleting');
  const patch = secretPatch(stored, secret);
  return as(patch === undefined ? 'same' : 'differs', patch);
}

function trusted(kind: SecretKind, name: string): Found {
  return { piece: { kind, name, wanted: true, state: 'trusted' }, writing: {} };
}
