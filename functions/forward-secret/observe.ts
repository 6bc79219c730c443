import { managedEnvironments, repositoryCredentials } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import { isWrittenForArgo, type SeenSecretReaders } from '../../shared/domain/gitops/decide-secret-readers.ts';
import { listAll } from '../../shared/runtime/list-all.ts';
import type { World } from '../../shared/runtime/world.ts';

export async function observeSecretReaders(
  { namespace, name }: Subject,
  { clusters, argoCdNamespaces, environmentUses }: Pick<World, 'clusters' | 'argoCdNamespaces' | 'environmentUses'>,
  signal: AbortSignal,
): Promise<SeenSecretReaders | undefined> {
  if (argoCdNamespaces.includes(namespace) && isWrittenForArgo(name)) return undefined;
  const cluster = clusters.local;
  const options = { namespace, signal };
  // One that waits for its Secret has no row yet, so only the cluster knows who names it. An Environment names none
  // itself: the way goes over its claim and target, and where it leads is in its row, with the Secret there or not.
  const [opened, environments, credentials] = await Promise.all([
    environmentUses.openedBy({ namespace, name }),
    listAll(cluster, managedEnvironments, options),
    listAll(cluster, repositoryCredentials, options),
  ]);
  return {
    namespace,
    name,
    environments: environments.map(({ metadata, spec }) => ({ name: metadata.name, secret: spec.credentialsSecret })),
    credentials: credentials.map(({ metadata, spec }) => ({ name: metadata.name, secret: spec.secret })),
    opened,
  };
}
