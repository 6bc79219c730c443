import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectGarbage } from '../../../../functions/collect-garbage/index.ts';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import {
  appProjects,
  argoApplications,
  gitOpsDeployments,
  namespaces,
  secrets,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { applicationName, projectName } from '../../../../shared/domain/gitops/names.ts';
import type { Cluster } from '../../../../shared/ports/cluster.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { until } from '../../../support/until.ts';
import { foundAbout, keepKnocks, later, runPass } from './drift-pass.ts';
import { makeApplication, makeTenant, makeUnnoticed } from './drift-tenant.ts';

interface Deployed {
  readonly namespace: string;
  readonly tenantUid: string;
  readonly id: string;
}

const argoSays = {
  health: { status: 'Healthy' },
  sync: { status: 'Synced', revision: 'c0ffee' },
  operationState: {
    operation: { sync: { revision: 'c0ffee' } },
    phase: 'Succeeded',
    message: 'successfully synced',
    startedAt: '2026-03-01T10:00:00Z',
  },
};

/** Drift made by hand, so that nobody notices; one pass, and everybody who was told has repaired it. */
export function describeDriftRepairs(open: () => Promise<GitOpsWorld>): void {
  describe('after a drift pass', () => {
    let world: GitOpsWorld;
    /** The admin's hands, without anybody noticing. */
    let hands: Cluster;

    beforeAll(async () => {
      world = await open();
      hands = openCluster({ connection: world.bare });
    });
    afterAll(() => world.close());

    async function deploy(name = 'web'): Promise<Deployed> {
      const { name: namespace, uid: tenantUid } = await world.namespace('drift');
      const { metadata } = await world.cluster.create(gitOpsDeployments, {
        metadata: { name, namespace },
        spec: { source: { repoURL: 'https://git.example.test/team/app', path: 'deploy' }, type: 'automated' },
      });
      await world.settle();
      const deployed = { namespace, tenantUid, id: metadata.uid };
      expect(await application(deployed)).toBeDefined();
      return deployed;
    }

    function application({ id }: Pick<Deployed, 'id'>) {
      return hands.read(argoApplications, { namespace: argoNamespace, name: applicationName(id) });
    }

    function project({ tenantUid }: Pick<Deployed, 'tenantUid'>) {
      return hands.read(appProjects, { namespace: argoNamespace, name: projectName(tenantUid) });
    }

    /** One pass, and all that it leads to for these; what a second pass finds about them is returned. */
    async function repair(about: readonly string[], expected: readonly string[]): Promise<string[]> {
      const report = await runPass(world, { ahead: later });
      expect(foundAbout(report, ...about)).toEqual(expected.toSorted());
      keepKnocks(world, ...about);
      await world.settle();
      // Whoever waits for a while has waited long enough.
      await world.wake();
      keepKnocks(world, ...about);
      await world.settle();
      return foundAbout(await runPass(world, { ahead: later }), ...about);
    }

    /** Argo CD lets go of what it has removed. */
    async function letGo(name: string): Promise<void> {
      await hands.patch(argoApplications, { namespace: argoNamespace, name }, { metadata: { finalizers: null } });
      await until('the Application is gone', async () => {
        return (await hands.read(argoApplications, { namespace: argoNamespace, name })) === undefined;
      });
      await world.wake();
      await world.settle();
    }

    it('rows that somebody deleted are there again, and the Application stays as it is', async () => {
      const deployed = await deploy();
      const before = await application(deployed);
      for (const [table, column] of [
        ['deployment_to_application_mapping', 'application_id'],
        ['application_state', 'application_id'],
        ['application_owner', 'application_id'],
        ['application', 'id'],
      ] as const)
        await world.sql`delete from ${world.sql(table)} where ${world.sql(column)} = ${deployed.id}`;

      const left = await repair(
        [deployed.namespace, deployed.id, deployed.tenantUid],
        [
          `ResourceWithoutRows ${deployed.namespace}/web`,
          `ArgoObjectWithoutRow ${argoNamespace}/${applicationName(deployed.id)}`,
          `ArgoObjectWithoutRow ${argoNamespace}/${projectName(deployed.tenantUid)}`,
        ],
      );

      expect(left).toEqual([]);
      // Nobody was asked to take the Application away: what it has deployed would have gone with it.
      expect(
        await world.sql`select from operation where resource_id = ${deployed.id} and owner_user_id is null`,
      ).toHaveLength(0);
      expect(await world.sql`select from deployment_to_application_mapping where id = ${deployed.id}`).toHaveLength(1);
      expect((await application(deployed))?.metadata.uid).toBe(before?.metadata.uid);
      expect((await application(deployed))?.metadata.deletionTimestamp).toBeUndefined();
    });

    it('CN-03 an Application that somebody deleted is there again', async () => {
      const deployed = await deploy();
      await hands.remove(argoApplications, { namespace: argoNamespace, name: applicationName(deployed.id) });

      const left = await repair([deployed.id], [`ArgoObjectMissing ${argoNamespace}/${applicationName(deployed.id)}`]);

      expect(left).toEqual([]);
      expect(await application(deployed)).toBeDefined();
    });

    it('CN-02 CO-10 an Application that somebody changed is as its row says', async () => {
      const deployed = await deploy();
      const key = { namespace: argoNamespace, name: applicationName(deployed.id) };
      await hands.patch(argoApplications, key, { spec: { project: 'default', source: { path: 'elsewhere' } } });

      const left = await repair([deployed.id], [`ArgoObjectDiffers ${argoNamespace}/${applicationName(deployed.id)}`]);

      expect(left).toEqual([]);
      expect((await application(deployed))?.spec).toMatchObject({
        project: projectName(deployed.tenantUid),
        source: { path: 'deploy' },
      });
    });

    it.each([
      ['changed', 'ArgoObjectDiffers'],
      ['deleted', 'ArgoObjectMissing'],
    ])('defect 20: a project that somebody %s is exactly the fence of its tenant', async (how, finding) => {
      const deployed = await deploy();
      const key = { namespace: argoNamespace, name: projectName(deployed.tenantUid) };
      if (how === 'deleted') await hands.remove(appProjects, key);
      else await hands.patch(appProjects, key, { spec: { sourceRepos: ['*'] } });

      const left = await repair([deployed.tenantUid], [`${finding} ${argoNamespace}/${key.name}`]);

      expect(left).toEqual([]);
      expect((await project(deployed))?.spec).toMatchObject({
        sourceRepos: ['https://git.example.test/team/app'],
        destinations: [{ name: 'in-cluster', namespace: deployed.namespace }],
      });
    });

    it('DR-02 rows and Application of a GitOpsDeployment that went unnoticed are gone', async () => {
      const deployed = await deploy();
      await hands.remove(gitOpsDeployments, { namespace: deployed.namespace, name: 'web' });

      await repair([deployed.namespace], [`ResourceGone ${deployed.namespace}/web`]);
      await letGo(applicationName(deployed.id));

      expect(await world.sql`select from application where id = ${deployed.id}`).toHaveLength(0);
      expect(await world.sql`select from deployment_to_application_mapping where id = ${deployed.id}`).toHaveLength(0);
      expect(await project(deployed)).toBeUndefined();
      expect(
        foundAbout(await runPass(world, { ahead: later }), deployed.namespace, deployed.id, deployed.tenantUid),
      ).toEqual([]);
    });

    it('CN-04 an Application without a row is gone', async () => {
      const tenant = await makeTenant(world);
      const id = randomUUID();
      await makeApplication(world, tenant, id);

      await repair([id], [`ArgoObjectWithoutRow ${argoNamespace}/${applicationName(id)}`]);
      await letGo(applicationName(id));

      expect(await application({ id })).toBeUndefined();
    });

    it.each([
      ['taken away', { health: null, sync: null, operationState: null }],
      ['written over', { health: { status: 'Missing' } }],
    ])('AL-11 AL-12 a status that somebody has %s says what Argo CD says again', async (_how, status) => {
      const { namespace, id } = await deploy();
      const key = { namespace, name: 'web' };
      const told = async () => (await hands.read(gitOpsDeployments, key))?.status;
      await world.cluster.patch(
        argoApplications,
        { namespace: argoNamespace, name: applicationName(id) },
        { status: argoSays },
      );
      await world.settle();
      const before = await told();
      await world.cluster.patch(gitOpsDeployments, key, { status }, { subresource: 'status' });
      await world.settle();

      const left = await repair([namespace, id], [`StatusDiffers ${namespace}/web`]);

      expect(left).toEqual([]);
      expect(before).toMatchObject(argoSays);
      expect(await told()).toMatchObject(argoSays);
    });

    it('CN-09 CN-14 CN-22 cluster Secrets without a row are gone, and those that are missing or changed are as their rows say', async () => {
      const { namespace, tenantUid } = await deploy();
      const [tenant] = await world.sql`select engine_instance_id from cluster_user where id = ${tenantUid}`;
      const [wanted, stray] = [randomUUID(), randomUUID()];
      await world.sql`insert into cluster_credentials (id, host) values (${wanted}, 'https://cluster.example.test')`;
      await world.sql`insert into managed_environment (id, name, cluster_credentials_id) values (${wanted}, 'staging', ${wanted})`;
      await world.sql`insert into cluster_access (user_id, managed_environment_id, gitops_engine_instance_id)
        values (${tenantUid}, ${wanted}, ${tenant?.['engine_instance_id']})`;
      await makeUnnoticed(world, secrets, {
        metadata: {
          name: `managed-env-${stray}`,
          namespace: argoNamespace,
          labels: { databaseID: stray, 'argocd.argoproj.io/secret-type': 'cluster' },
        },
      });
      const name = `managed-env-${wanted}`;

      const soon = await runPass(world);
      // Half an hour is time enough to write it; until then nobody asks.
      expect(foundAbout(soon, wanted)).toEqual([]);
      keepKnocks(world);
      await world.sql`delete from operation where state = 'Waiting' and owner_user_id is null`;
      await repair(
        [wanted, stray, tenantUid, namespace],
        [
          `ArgoObjectMissing ${argoNamespace}/${name}`,
          `ArgoObjectWithoutRow ${argoNamespace}/managed-env-${stray}`,
          `ArgoObjectDiffers ${argoNamespace}/${projectName(tenantUid)}`,
        ],
      );
      expect(await hands.read(secrets, { namespace: argoNamespace, name: `managed-env-${stray}` })).toBeUndefined();
      const server = Buffer.from('https://elsewhere.test').toString('base64');
      await hands.patch(secrets, { namespace: argoNamespace, name }, { data: { server } });

      const left = await repair([wanted, stray], [`ArgoObjectDiffers ${argoNamespace}/${name}`]);

      expect(left).toEqual([]);
      const secret = await hands.read(secrets, { namespace: argoNamespace, name });
      expect(Buffer.from(secret?.data['server'] ?? '', 'base64').toString()).toBe(
        `https://cluster.example.test?managedEnvironment=${wanted}`,
      );
    });

    it('defect 36: when a namespace went unnoticed, nothing of its tenant is left, beside Argo CD or in rows', async () => {
      const deployed = await deploy();
      await hands.remove(namespaces, { namespace: '', name: deployed.namespace });
      await until('the namespace is gone', async () => {
        return (await hands.read(namespaces, { namespace: '', name: deployed.namespace })) === undefined;
      });
      world.queue.sent.length = 0;

      await repair(
        [deployed.namespace],
        [`NamespaceGone ${deployed.namespace}/${deployed.tenantUid}`, `ResourceGone ${deployed.namespace}/web`],
      );
      await letGo(applicationName(deployed.id));
      await world.sql`update cluster_user set created_on = now() - interval '2 hours' where id = ${deployed.tenantUid}`;
      await collectGarbage.tick(world.machine);

      expect(await world.sql`select from cluster_user where id = ${deployed.tenantUid}`).toHaveLength(0);
      expect(await world.sql`select from managed_environment where id = ${deployed.tenantUid}`).toHaveLength(0);
      expect(await project(deployed)).toBeUndefined();
      expect(foundAbout(await runPass(world, { ahead: later }), deployed.namespace, deployed.tenantUid)).toEqual([]);
    });
  });
}
