import { namespaces } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Context } from './context.ts';
import { Exit, exits } from './exit.ts';

/** A namespace of the tenants' cluster that something may be made in: there, not going, and no Argo CD's. */
export async function findNamespace(context: Context, name: string): Promise<{ name: string; uid: string }> {
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name))
    throw new Exit(exits.wrongUsage, `"${name}" is no name of a namespace.`);
  const { clusters, argoCdNamespaces } = context.world();
  const found = await clusters.local.read(namespaces, { namespace: '', name });
  if (found === undefined)
    throw new Exit(
      exits.notFound,
      `There is no namespace ${name}. Make it first: kubectl create namespace ${name}. Is KUBECONFIG that of the right cluster?`,
    );
  if (found.metadata.deletionTimestamp !== undefined)
    throw new Exit(exits.failed, `The namespace ${name} is being deleted: nothing new is begun in it.`);
  if (argoCdNamespaces.includes(name))
    throw new Exit(exits.failed, `The namespace ${name} is that of an Argo CD: choose one of a tenant.`);
  return { name, uid: found.metadata.uid };
}
