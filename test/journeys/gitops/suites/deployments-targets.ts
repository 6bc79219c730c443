import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { managedEnvironments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { type DeploymentSteps, openDeploymentSteps } from './deployment-steps.ts';

const toStaging = { destination: { environment: 'staging', namespace: 'shop' } };
const onCreate =
  'Unable to reconcile the ManagedEnvironment. Verify that the ManagedEnvironment and Secret are correctly defined, and have valid credentials';
const onUpdate =
  'unable to reconcile the ManagedEnvironment resource. Ensure that the ManagedEnvironment exists, it references a Secret, and the Secret is valid';

/** Where a GitOpsDeployment goes: its own namespace, an environment, and which Argo CD takes it there. */
export function describeDeploymentsTargets(open: () => Promise<GitOpsWorld>): void {
  describe('the target of a GitOpsDeployment', () => {
    let world: GitOpsWorld;
    let steps: DeploymentSteps;
    beforeAll(async () => {
      world = await open();
      steps = openDeploymentSteps(world);
    });
    afterAll(() => world.close());

    it('RT-11 RT-13 RT-12 from the own namespace to one environment, to another, and back: row, destination and access follow', async () => {
      const team = await world.namespace();
      const staging = await steps.environment(team, 'staging');
      const production = await steps.environment(team, 'production');
      const { metadata } = await steps.create(team.name, 'shop');
      const story: unknown[] = [];

      for (const destination of [
        { environment: 'staging', namespace: 'shop' },
        { environment: 'production', namespace: 'shop' },
        { environment: null, namespace: null },
      ]) {
        await steps.endOperations(team.name, 'shop', metadata.uid, 'Completed');
        await steps.change(team.name, 'shop', { spec: { destination } });
        story.push([...(await target(metadata.uid)), (await steps.operations(metadata.uid)).at(-1)?.state]);
      }

      expect(story).toEqual([
        [staging, `managed-env-${staging}`, 'shop', 'Waiting'],
        [production, `managed-env-${production}`, 'shop', 'Waiting'],
        [team.uid, 'in-cluster', team.name, 'Waiting'],
      ]);
      const access =
        await world.sql`select managed_environment_id as id from cluster_access where user_id = ${team.uid}`;
      expect(access.map((row) => row['id']).sort()).toEqual([team.uid, staging, production].sort());
    });

    it('RT-10 an environment that is deleted later: no environment, after a while no destination, no error', async () => {
      const team = await world.namespace();
      const staging = await steps.environment(team, 'staging');
      const { metadata } = await steps.create(team.name, 'shop', toStaging);
      const before = await target(metadata.uid);

      await forget(staging);
      await steps.look(team.name, 'shop');
      const soon = await target(metadata.uid);
      await world.sql`update wakeup set deadline = clock_timestamp() where subject = ${`${team.name}/shop`}`;
      await steps.look(team.name, 'shop');
      const after = await target(metadata.uid);
      const stored = await steps.rows();
      await steps.look(team.name, 'shop');

      expect(before).toEqual([staging, `managed-env-${staging}`, 'shop']);
      expect(soon).toEqual([null, `managed-env-${staging}`, 'shop']);
      expect(after).toEqual([null, '', 'shop']);
      expect(await steps.conditions(team.name, 'shop')).toEqual([]);
      // What waits has its patience renewed by every look; nothing else is written.
      expect(await steps.rows()).toEqual({ ...stored, wakeup: expect.anything() });
    });

    it('RT-14 an environment that comes, or comes back, is taken up', async () => {
      const team = await world.namespace();
      const { metadata } = await steps.create(team.name, 'shop', toStaging);
      const said = await steps.conditions(team.name, 'shop');
      const [wait] = await world.sql`select blocked_on from wakeup where subject = ${`${team.name}/shop`}`;

      const first = await steps.environment(team, 'staging');
      await steps.look(team.name, 'shop');
      const came = await target(metadata.uid);
      await forget(first);
      await steps.look(team.name, 'shop');
      const second = await steps.environment(team, 'staging');
      await steps.look(team.name, 'shop');

      expect(said).toMatchObject([{ status: 'True', message: onCreate }]);
      expect(wait?.['blocked_on']).toBe('GitOpsDeploymentManagedEnvironment staging');
      expect(came).toEqual([first, `managed-env-${first}`, 'shop']);
      expect(await target(metadata.uid)).toEqual([second, `managed-env-${second}`, 'shop']);
      expect(await steps.conditions(team.name, 'shop')).toMatchObject([{ status: 'False' }]);
      expect(await world.sql`select from wakeup where subject = ${`${team.name}/shop`}`).toHaveLength(0);
    });

    it('switched to an environment that does not exist: it stays where it is, and the condition says why', async () => {
      const team = await world.namespace();
      const { metadata } = await steps.create(team.name, 'shop');

      await steps.change(team.name, 'shop', { spec: toStaging });

      expect(await target(metadata.uid)).toEqual([team.uid, 'in-cluster', team.name]);
      expect(await steps.conditions(team.name, 'shop')).toMatchObject([{ status: 'True', message: onUpdate }]);
    });

    it('an environment that nobody has looked at yet is waited for in silence; one that failed is told', async () => {
      const team = await world.namespace();
      const key = { namespace: team.name, name: 'staging' };
      await steps.unnoticed.create(managedEnvironments, {
        metadata: key,
        spec: { apiURL: 'https://127.0.0.1:1', credentialsSecret: 'none', allowInsecureSkipTLSVerify: false },
      });
      await steps.create(team.name, 'shop', toStaging);
      const inSilence = await steps.conditions(team.name, 'shop');
      const [wait] = await world.sql`select reason from wakeup where subject = ${`${team.name}/shop`}`;

      await steps.unnoticed.patch(
        managedEnvironments,
        key,
        { status: { conditions: [failed] } },
        { subresource: 'status' },
      );
      await steps.look(team.name, 'shop');

      expect(inSilence).toEqual([]);
      expect(wait?.['reason']).toBe('EnvironmentUnseen');
      expect(await steps.conditions(team.name, 'shop')).toMatchObject([{ status: 'True', message: onCreate }]);
      expect(await steps.mappings(team.name, 'shop')).toEqual([]);
    });

    it('an environment of a namespace of the same name that is no more is not taken for this one', async () => {
      const team = await world.namespace();
      await steps.environment({ name: team.name, uid: randomUUID() }, 'staging');

      await steps.create(team.name, 'shop', toStaging);

      expect(await steps.conditions(team.name, 'shop')).toMatchObject([{ status: 'True', message: onCreate }]);
    });

    it('an environment with a list of namespaces takes no other', async () => {
      const team = await world.namespace();
      const staging = await steps.environment(team, 'staging', 'blue,green');
      const { metadata } = await steps.create(team.name, 'shop', toStaging);
      const said = await steps.conditions(team.name, 'shop');

      await steps.change(team.name, 'shop', { spec: { destination: { namespace: 'green' } } });

      expect(said).toMatchObject([{ message: expect.stringMatching(/only has the namespaces blue, green$/) }]);
      expect(await target(metadata.uid)).toEqual([staging, `managed-env-${staging}`, 'green']);
    });

    it('a tenant of an Argo CD in another cluster can use environments, and not its own namespace', async () => {
      const team = await world.namespace();
      const far = await farEngine();
      await world.sql`insert into cluster_user (id, user_name, display_name, engine_instance_id) values (${team.uid}, ${team.uid}, ${team.name}, ${far})`;
      const staging = await steps.environment(team, 'staging');

      await steps.create(team.name, 'here');
      const { metadata } = await steps.create(team.name, 'there', toStaging);

      expect(await steps.conditions(team.name, 'here')).toMatchObject([
        { message: expect.stringMatching(/runs in another cluster/) },
      ]);
      expect(await steps.mappings(team.name, 'here')).toEqual([]);
      expect(await steps.application(metadata.uid)).toMatchObject({ engine_instance_id: far });
      const access =
        await world.sql`select gitops_engine_instance_id as id from cluster_access where managed_environment_id = ${staging}`;
      expect(access).toEqual([{ id: far }]);
    });

    it('no Argo CD takes new tenants: the condition says so, and it goes on by itself when one does', async () => {
      const first = await world.namespace();
      await steps.create(first.name, 'shop');
      await world.sql`update gitops_engine_instance set accepts_tenants = false`;
      const second = await world.namespace();
      await steps.create(second.name, 'shop');
      const said = await steps.conditions(second.name, 'shop');
      const [wait] = await world.sql`select reason from wakeup where subject = ${`${second.name}/shop`}`;

      await world.sql`update gitops_engine_instance set accepts_tenants = true`;
      await world.wake();
      await steps.settle();

      expect(said).toMatchObject([{ status: 'True', message: expect.stringMatching(/^no Argo CD/) }]);
      expect(wait?.['reason']).toBe('NoArgoCD');
      expect(await steps.mappings(second.name, 'shop')).toHaveLength(1);
      expect(await steps.conditions(second.name, 'shop')).toMatchObject([{ status: 'False' }]);
    });

    const failed = {
      type: 'ConnectionInitializationSucceeded',
      status: 'False',
      reason: 'MissingKubeConfigField',
      message: 'there is no kubeconfig',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };

    async function target(id: string): Promise<[string | null | undefined, string, string]> {
      const row = await steps.application(id);
      const { destination } = JSON.parse(row?.spec_field ?? '{}') as {
        destination: { name: string; namespace: string };
      };
      return [row?.managed_environment_id, destination.name, destination.namespace];
    }

    /** As the function of environments leaves it, when an environment was deleted. */
    async function forget(id: string): Promise<void> {
      const { sql } = world;
      await sql`update application set managed_environment_id = null, revision = revision + 1 where managed_environment_id = ${id}`;
      await sql`delete from cluster_access where managed_environment_id = ${id}`;
      await sql`delete from api_cr_to_database_mapping where db_relation_key = ${id}`;
      await sql`delete from managed_environment where id = ${id}`;
    }

    async function farEngine(): Promise<string> {
      const [credentials, cluster, instance] = [randomUUID(), randomUUID(), randomUUID()];
      const { sql } = world;
      await sql`insert into cluster_credentials (id, host) values (${credentials}, 'https://127.0.0.1:1')`;
      await sql`insert into gitops_engine_cluster (id, cluster_credentials_id) values (${cluster}, ${credentials})`;
      await sql`insert into gitops_engine_instance (id, namespace_name, namespace_uid, engine_cluster_id, accepts_tenants)
                values (${instance}, 'argocd-far', ${instance}, ${cluster}, false)`;
      return instance;
    }
  });
}
