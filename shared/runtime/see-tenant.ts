import { namespaces } from '../contracts/kubernetes/kinds.ts';
import type { Engine, Tenant } from '../domain/gitops/placement.ts';
import { Refused } from '../ports/trouble.ts';
import type { World } from './world.ts';

type Needed = Pick<World, 'clusters' | 'tenants' | 'argoCdNamespaces'>;

/** The tenant of a namespace, and where it could be placed if it was not yet. */
export async function seeTenant(
  world: Needed,
  namespace: { readonly name: string; readonly uid: string },
  signal: AbortSignal,
): Promise<Tenant> {
  const tenant = await world.tenants.observe(namespace);
  if (tenant.placed !== undefined) return tenant;
  return { ...tenant, engines: await withLocalEngines(world, tenant.engines, signal) };
}

/** The Argo CDs of the own cluster register themselves the first time that somebody needs one. */
async function withLocalEngines(
  { clusters, argoCdNamespaces }: Needed,
  known: readonly Engine[],
  signal: AbortSignal,
): Promise<readonly Engine[]> {
  const missing = argoCdNamespaces.filter((name) => !known.some(({ local, namespace }) => local && namespace === name));
  if (missing.length === 0) return known;
  const [system, ...found] = await Promise.all(
    ['kube-system', ...missing].map((name) => clusters.local.read(namespaces, { namespace: '', name }, { signal })),
  );
  if (system === undefined)
    throw new Refused('NoKubeSystem', 'The cluster has no namespace kube-system, by whose UID it is known');
  const fresh = found.flatMap((namespace): Engine[] =>
    namespace === undefined || namespace.metadata.deletionTimestamp !== undefined
      ? []
      : [
          {
            instanceId: namespace.metadata.uid,
            namespace: namespace.metadata.name,
            clusterId: system.metadata.uid,
            local: true,
            transport: 'queue',
            acceptsTenants: true,
            tenants: 0,
          },
        ],
  );
  // A namespace that was deleted and made again is another Argo CD: the one of before is no longer offered.
  const gone = new Set(fresh.map(({ namespace }) => namespace));
  return [...known.filter(({ local, namespace }) => !local || !gone.has(namespace)), ...fresh];
}
