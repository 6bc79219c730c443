import {
  gitOpsDeployments,
  managedEnvironments,
  namespaces,
  type ObjectKind,
  repositoryCredentials,
  syncRuns,
} from '../../shared/contracts/kubernetes/kinds.ts';
import { operationSubject } from '../../shared/domain/gitops/names.ts';
import {
  deadTenants,
  driftReportSeconds,
  garbageSeconds,
  type Orphan,
  trulyOrphaned,
} from '../../shared/domain/upkeep/garbage.ts';
import type { Concerned } from '../../shared/ports/garbage-rows.ts';
import { address } from '../../shared/runtime/address.ts';
import { type Machine, routesTo } from '../../shared/runtime/machine.ts';

/** Of each kind in one round. What is more waits an hour. */
const most = 500;

const resources: Readonly<Record<Orphan['type'], ObjectKind>> = {
  Application: gitOpsDeployments,
  ManagedEnvironment: managedEnvironments,
  RepositoryCredentials: repositoryCredentials,
  SyncOperation: syncRuns,
};

/** Deletes rows that nobody points to, and tells whoever has to take something away with them. */
export async function clearRows(machine: Machine): Promise<number> {
  const { world, clock } = machine;
  const now = clock.now();
  const before = now - garbageSeconds * 1_000;

  const found = await world.garbage.orphans(before, most);
  const orphans = trulyOrphaned(found, await aliveAmong(found, machine));
  await knock(await world.garbage.dropOrphans(orphans, before), machine);

  const tenants = await clearTenants(before, machine);
  const reportsBefore = now - driftReportSeconds * 1_000;
  const unused = await world.garbage.dropUnused({ now, before, reportsBefore, most });
  return orphans.length + tenants + unused;
}

/**
 * The resources that are still there. A row without its mapping whose resource lives is no garbage: to delete it would take
 * away what a user has deployed. The list is only read where there is something to ask.
 */
async function aliveAmong(orphans: readonly Orphan[], { world }: Machine): Promise<ReadonlySet<string>> {
  const alive = new Set<string>();
  for (const type of new Set(orphans.map((orphan) => orphan.type)))
    for await (const page of world.clusters.local.list(resources[type]))
      for (const { metadata } of page as readonly { metadata: { uid: string } }[]) alive.add(metadata.uid);
  return alive;
}

/** Tenants whose namespace is gone and who have nothing left. */
async function clearTenants(before: number, machine: Machine): Promise<number> {
  const { garbage, clusters } = machine.world;
  let dead = 0;
  for (let after = ''; ; ) {
    const tenants = await garbage.emptyTenants(before, after, most);
    const uids = new Map<string, string | undefined>();
    for (const { namespace } of tenants) {
      const found = await clusters.local.read(namespaces, { namespace: '', name: namespace });
      uids.set(namespace, found?.metadata.uid);
    }
    const gone = deadTenants(tenants, uids).map(({ id }) => id);
    await knock(await garbage.dropTenants(gone), machine);
    dead += gone.length;
    after = tenants.at(-1)?.id ?? '';
    if (tenants.length < most) return dead;
  }
}

/** The operations stand in rows by now; a knock that gets lost is made again by the drift pass. */
async function knock(concerned: readonly Concerned[], machine: Machine): Promise<void> {
  const { traceparent } = machine.tracing.start('collect-garbage', undefined);
  const deliveries = concerned.flatMap(({ type, resourceId, namespace }) => {
    const wake =
      type === 'GitOpsDeployment'
        ? { type: 'gitops-deployment.changed.v1', subject: { namespace, name: resourceId } }
        : { type: 'operation.requested.v1', subject: operationSubject(namespace, type, resourceId) };
    return routesTo(machine, wake.type).map((route) => {
      const id = machine.newId();
      const message = address(route, { id, ...wake }, { cause: undefined, correlation: id, traceparent });
      return { message, from: 'collect-garbage', pending: false };
    });
  });
  if (deliveries.length > 0) await machine.queue.send(deliveries);
}
