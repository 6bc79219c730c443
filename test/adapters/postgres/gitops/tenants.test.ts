import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseEngine } from '../../../../shared/domain/gitops/placement.ts';
import type { RowWrite } from '../../../../shared/ports/journal.ts';
import { seeTenant } from '../../../../shared/runtime/see-tenant.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../../../support/gitops-world.ts';
import { writeRows } from '../../../support/write-rows.ts';

let world: GitOpsWorld;
beforeAll(async () => {
  world = await openGitOpsWorld();
});
afterAll(() => world.close());

async function place(namespace: { readonly name: string; readonly uid: string }): Promise<readonly RowWrite[]> {
  const tenant = await seeTenant(world.world, namespace, AbortSignal.timeout(5_000));
  const engine = chooseEngine(tenant);
  if (engine === undefined) throw new Error('there is no Argo CD');
  return world.world.tenants.place(tenant, engine);
}

async function countRows(): Promise<unknown> {
  const [row] = await world.sql`
    select (select count(*)::int from cluster_user) as users, (select count(*)::int from managed_environment) as environments,
           (select count(*)::int from gitops_engine_instance) as instances, (select count(*)::int from gitops_engine_cluster) as clusters,
           (select count(*)::int from cluster_access) as access, (select count(*)::int from kubernetes_to_db_resource_mapping) as mappings`;
  return row;
}

describe('the rows of a tenant', () => {
  it('SL-01 SL-03 are made the first time, and found the second', async () => {
    const namespace = await world.namespace();
    expect((await world.world.tenants.observe(namespace)).placed).toBeUndefined();

    await writeRows(world.sql, await place(namespace));

    const { placed } = await world.world.tenants.observe(namespace);
    expect(placed).toMatchObject({ namespace: 'argocd', local: true, transport: 'queue', tenants: 1 });
    expect(await countRows()).toEqual({ users: 1, environments: 1, instances: 1, clusters: 1, access: 1, mappings: 3 });
  });

  it('SL-03 BS-07 written twice, or by two at once, are one', async () => {
    const namespace = await world.namespace();
    const rows = await place(namespace);
    const before = await countRows();

    await Promise.all([writeRows(world.sql, rows), writeRows(world.sql, rows)]);
    await writeRows(world.sql, rows);

    expect(await countRows()).toEqual({
      ...(before as object),
      users: 2,
      environments: 2,
      access: 2,
      mappings: 4,
    });
  });

  it('SL-02 a user without a display name gets the name of the namespace', async () => {
    const namespace = await world.namespace();
    const rows = await place(namespace);
    await world.sql`insert into cluster_user (id, user_name) values (${namespace.uid}, ${namespace.uid})`;

    await writeRows(world.sql, rows);

    const [user] =
      await world.sql`select display_name, engine_instance_id from cluster_user where id = ${namespace.uid}`;
    expect(user).toMatchObject({ display_name: namespace.name, engine_instance_id: expect.any(String) });
  });

  it('a tenant that was placed stays where it is, whatever is written later', async () => {
    const namespace = await world.namespace();
    await writeRows(world.sql, await place(namespace));
    const [{ engine_cluster_id: cluster } = { engine_cluster_id: '' }] = await world.sql<
      { engine_cluster_id: string }[]
    >`select engine_cluster_id from gitops_engine_instance`;
    await world.sql`insert into gitops_engine_instance (id, namespace_name, namespace_uid, engine_cluster_id) values ('second', 'argocd-2', 'second', ${cluster})`;
    const other = (await world.world.tenants.engines()).find(({ instanceId }) => instanceId === 'second');
    if (other === undefined) throw new Error('the second Argo CD is not there');

    await writeRows(
      world.sql,
      world.world.tenants.place({ namespace: namespace.name, namespaceUid: namespace.uid }, other),
    );

    expect((await world.world.tenants.observe(namespace)).placed?.namespace).toBe('argocd');
  });
});
