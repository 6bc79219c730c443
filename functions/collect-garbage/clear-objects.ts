import { appProjects, argoApplications, operations } from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { projectName } from '../../shared/domain/gitops/names.ts';
import { garbageSeconds, isUseless } from '../../shared/domain/upkeep/garbage.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { isTrouble } from '../../shared/ports/trouble.ts';
import type { Machine } from '../../shared/runtime/machine.ts';

/** What an Operation says of itself where a drift pass asked for it. */
const repairs = 'periodic-cleanup';

/** Objects that no row knows and that no function would ever look at again. */
export async function clearObjects(machine: Machine): Promise<number> {
  const cleared = await Promise.all([clearOperations(machine), clearProjects(machine)]);
  return cleared.reduce((sum, some) => sum + some, 0);
}

/**
 * Operation objects whose row is gone or was done with long ago. Their rows stay as they are. In another cluster they are
 * written beside its Argo CDs and nowhere else, and a cluster that is away does not keep the others waiting.
 */
async function clearOperations(machine: Machine): Promise<number> {
  const { clusters, engineClusters } = machine.world;
  let cleared = await clearOperationsOf(clusters.local, undefined, machine);
  for (const { namespaces, access } of await engineClusters.list())
    for (const namespace of namespaces)
      try {
        cleared += await clearOperationsOf(clusters.at(access), namespace, machine);
      } catch (error) {
        if (!isTrouble(error) || ('dependency' in error && error.dependency !== 'cluster')) throw error;
        const { message } = error;
        machine.log.warn('operations were not cleared up', { fn: 'collect-garbage', namespace, error: message });
      }
  return cleared;
}

async function clearOperationsOf(
  cluster: Cluster,
  namespace: string | undefined,
  { world, clock }: Machine,
): Promise<number> {
  let cleared = 0;
  for await (const page of cluster.list(operations, { namespace })) {
    const rows = await world.garbage.operations(page.map(({ spec }) => spec.operationID));
    for (const { metadata, spec } of page) {
      const object = {
        created: Date.parse(metadata.creationTimestamp),
        repair: metadata.annotations[annotations.operationSource.key] === repairs,
        row: rows.get(spec.operationID),
      };
      if (isUseless(object, clock.now()) && (await cluster.remove(operations, metadata, { uid: metadata.uid })))
        cleared += 1;
    }
  }
  return cleared;
}

/**
 * Projects of tenants that no row knows. They stay as long as an Application names them: Argo CD cannot remove what it
 * deployed for an Application whose project is gone.
 */
async function clearProjects(machine: Machine): Promise<number> {
  const { world, clock, log } = machine;
  let cleared = 0;
  for (const { local, namespace } of await world.tenants.engines()) {
    // What stands beside an Argo CD of another cluster is told by the drift pass.
    if (!local) continue;
    try {
      const cluster = world.clusters.local;
      for await (const page of cluster.list(appProjects, { namespace })) {
        const old = page.filter(
          ({ metadata }) =>
            metadata.name === projectName(metadata.annotations[annotations.projectUser.key] ?? '') &&
            Date.parse(metadata.creationTimestamp) < clock.now() - garbageSeconds * 1_000,
        );
        const users = await world.garbage.users(old.map(({ metadata }) => ownerOf(metadata)));
        const left = old.filter(({ metadata }) => !users.has(ownerOf(metadata)));
        if (left.length === 0) continue;
        const used = new Set<string>();
        for await (const applications of cluster.list(argoApplications, { namespace }))
          for (const { spec } of applications) used.add(spec.project);
        for (const { metadata } of left.filter((project) => !used.has(project.metadata.name)))
          if (await cluster.remove(appProjects, metadata, { uid: metadata.uid })) cleared += 1;
      }
    } catch (error) {
      if (!isTrouble(error)) throw error;
      log.warn('projects were not cleared up', { fn: 'collect-garbage', namespace, error: error.message });
    }
  }
  return cleared;
}

function ownerOf({ annotations: found }: { readonly annotations: Readonly<Record<string, string>> }): string {
  return found[annotations.projectUser.key] ?? '';
}
