import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitOpsDeployments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { waitsForDeployment } from '../../../../shared/domain/gitops/deployment.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { aSpec, type DeploymentSteps, openDeploymentSteps } from './deployment-steps.ts';

/** From the first look at a GitOpsDeployment to the last row of it. */
export function describeDeployments(open: () => Promise<GitOpsWorld>): void {
  describe('a GitOpsDeployment', () => {
    let world: GitOpsWorld;
    let steps: DeploymentSteps;
    beforeAll(async () => {
      world = await open();
      steps = openDeploymentSteps(world);
    });
    afterAll(() => world.close());

    it('RD-05 create, update, delete: one application, followed and taken away with all that hangs on it', async () => {
      const { sql } = world;
      const team = await world.namespace();

      const { metadata } = await steps.create(team.name, 'shop');
      const id = metadata.uid;
      const created = await steps.application(id);
      await steps.change(team.name, 'shop', { spec: { source: { path: 'other' } } });
      const updated = await steps.application(id);
      await sql`insert into application_state (application_id, argocd_application_status) values (${id}, '\\x00')`;
      const run = randomUUID();
      await sql`insert into sync_operation (id, application_id, deployment_name, revision, desired_state) values (${run}, ${id}, 'shop', 'main', 'Running')`;
      await steps.remove(team.name, 'shop');

      expect(created).toMatchObject({ name: `gitopsdepl-${id}`, managed_environment_id: team.uid, revision: '1' });
      expect(JSON.parse(created?.spec_field ?? '')).toMatchObject({
        source: aSpec.source,
        destination: { name: 'in-cluster', namespace: team.name },
        project: `app-project-${team.uid}`,
      });
      expect(updated).toMatchObject({ id, revision: '2', spec_field: expect.stringContaining('"path":"other"') });
      expect(await steps.application(id)).toBeUndefined();
      expect(await steps.mappings(team.name, 'shop')).toEqual([]);
      expect(await sql`select from application_state where application_id = ${id}`).toHaveLength(0);
      expect(await sql`select from application_owner where application_id = ${id}`).toHaveLength(0);
      expect(await sql`select application_id from sync_operation where id = ${run}`).toEqual([
        { application_id: null },
      ]);
    });

    it('RD-09 create and delete each ask for an operation on the Argo CD of the tenant, in the step that writes the rows', async () => {
      const team = await world.namespace();
      const { metadata } = await steps.create(team.name, 'shop');
      const [created] = await steps.operations(metadata.uid);
      await steps.endOperations(team.name, 'shop', metadata.uid, 'Completed');
      await steps.remove(team.name, 'shop');
      const [, deleted, ...more] = await steps.operations(metadata.uid);

      const [user] = await world.sql`select engine_instance_id from cluster_user where id = ${team.uid}`;
      const wanted = { resource_type: 'Application', state: 'Waiting', instance_id: user?.['engine_instance_id'] };
      expect(created).toMatchObject({ ...wanted, owner_user_id: team.uid });
      expect(deleted).toMatchObject({ ...wanted, owner_user_id: team.uid });
      expect(more).toEqual([]);
    });

    it('RD-08 a second look with nothing changed writes nothing anywhere, and asks for the object and its rows alone', async () => {
      const team = await world.namespace();
      await steps.create(team.name, 'shop');
      const before = await steps.rows();
      world.connection.asked.length = 0;

      const outcomes = await steps.look(team.name, 'shop');

      expect(outcomes).toEqual([{ kind: 'stepped', next: 'settled', effects: 0 }]);
      expect(await steps.rows()).toEqual(before);
      expect(world.connection.asked).toEqual([
        {
          method: 'GET',
          path: `/apis/managed-gitops.redhat.com/v1alpha1/namespaces/${team.name}/gitopsdeployments/shop`,
        },
      ]);
    });

    it('asks for its namespace once in its life: a second deployment of a tenant is the object, the namespace and one question to the rows', async () => {
      const team = await world.namespace();
      await steps.create(team.name, 'first');
      world.connection.asked.length = 0;

      await steps.create(team.name, 'second');
      await steps.change(team.name, 'second', { spec: { type: 'manual' } });

      const reads = world.connection.asked
        .filter(({ method }) => method === 'GET')
        .map(({ path }) => path.split('/').at(-1));
      expect(reads).toEqual(['second', team.name, 'second']);
    });

    it('RD-13 RD-14 the owner is stored, kept by an update, put back where it got lost, and goes with the application', async () => {
      const { sql } = world;
      const team = await world.namespace();
      const { metadata } = await steps.create(team.name, 'shop');
      const owners = () => sql`select user_id from application_owner where application_id = ${metadata.uid}`;

      const created = await owners();
      await steps.change(team.name, 'shop', { spec: { type: 'manual' } });
      const updated = await owners();
      await sql`delete from application_owner where application_id = ${metadata.uid}`;
      await steps.look(team.name, 'shop');
      const restored = await owners();
      await steps.remove(team.name, 'shop');

      const [first, second, third] = [created, updated, restored].map((found) => found.map((row) => row['user_id']));
      expect([first, second, third]).toEqual([[team.uid], [team.uid], [team.uid]]);
      expect(await owners()).toHaveLength(0);
    });

    it('WL-03 re-created under the same name while nobody looked: nothing of the first one is left, the second has its own', async () => {
      const team = await world.namespace();
      const first = await steps.create(team.name, 'shop');
      await steps.endOperations(team.name, 'shop', first.metadata.uid, 'Completed');
      await steps.unnoticed.remove(gitOpsDeployments, { namespace: team.name, name: 'shop' });

      const second = await steps.create(team.name, 'shop', { type: 'manual' });

      expect(second.metadata.uid).not.toBe(first.metadata.uid);
      expect(await steps.application(first.metadata.uid)).toBeUndefined();
      expect((await steps.mappings(team.name, 'shop')).map(({ id }) => id)).toEqual([second.metadata.uid]);
      expect(await steps.operations(first.metadata.uid)).toMatchObject([{ state: 'Completed' }, { state: 'Waiting' }]);
      expect(await steps.operations(second.metadata.uid)).toMatchObject([{ state: 'Waiting' }]);
    });

    it('WL-05 a sync that came before its deployment is woken by it, once the deployment is stored', async () => {
      const team = await world.namespace();
      await waitFor(team.name, 'early', 'shop');
      await waitFor(team.name, 'other', 'elsewhere');
      steps.toOthers.length = 0;

      await steps.create(team.name, 'shop', { source: { ...aSpec.source, path: '' } });
      const whileWrong = wokenSyncRuns();
      await steps.change(team.name, 'shop', { spec: { source: { path: 'deploy' } } });

      expect(whileWrong).toEqual([]);
      expect(wokenSyncRuns()).toEqual(['early']);
    });

    it('a new value of reconcile-at asks once for everything to be compared, though nothing changed', async () => {
      const team = await world.namespace();
      const { metadata } = await steps.create(team.name, 'shop');
      await steps.endOperations(team.name, 'shop', metadata.uid, 'Completed');

      await steps.change(team.name, 'shop', {
        metadata: { annotations: { 'stagecoach.dev/reconcile-at': `now\u0000${'!'.repeat(500)}` } },
      });
      const asked = await steps.operations(metadata.uid);
      await steps.endOperations(team.name, 'shop', metadata.uid, 'Completed');
      const before = await steps.rows();
      await steps.look(team.name, 'shop');

      expect(asked.map(({ state, owner_user_id }) => [state, owner_user_id])).toEqual([
        ['Completed', team.uid],
        ['Waiting', null],
      ]);
      expect(await steps.rows()).toEqual(before);
    });

    it('SL-01 SL-03 two first deployments of a namespace at once: one user, one environment, one access', async () => {
      const team = await world.namespace();
      const make = (name: string) =>
        steps.unnoticed.create(gitOpsDeployments, { metadata: { namespace: team.name, name }, spec: aSpec });
      await Promise.all([make('one'), make('two')]);
      for (const name of ['one', 'two']) world.knock('gitops-deployment.changed.v1', { namespace: team.name, name });

      await Promise.all(world.queue.sent.splice(0).map((delivery) => steps.run(delivery)));
      // Whoever lost the race was put off, and its time comes.
      await steps.look(team.name, 'one');
      await steps.look(team.name, 'two');

      expect(await world.sql`select from cluster_user where user_name = ${team.uid}`).toHaveLength(1);
      expect(await world.sql`select from managed_environment where id = ${team.uid}`).toHaveLength(1);
      expect(await world.sql`select from cluster_access where user_id = ${team.uid}`).toHaveLength(1);
      expect(await steps.mappings(team.name, 'one')).toHaveLength(1);
      expect(await steps.mappings(team.name, 'two')).toHaveLength(1);
    });

    it('SL-02 a tenant without a name gets the name of its namespace', async () => {
      const team = await world.namespace();
      await world.sql`insert into cluster_user (id, user_name) values (${team.uid}, ${team.uid})`;

      await steps.create(team.name, 'shop');

      const [user] = await world.sql`select display_name, engine_instance_id from cluster_user where id = ${team.uid}`;
      expect(user).toEqual({ display_name: team.name, engine_instance_id: expect.any(String) });
    });

    async function waitFor(namespace: string, syncRun: string, deployment: string): Promise<void> {
      const subject = `${namespace}/${syncRun}`;
      await world.sql`insert into wakeup (function, subject, type, data, tenant, serial_key, reason, message, blocked_on, since, due_at, deadline)
        values ('run-sync', ${subject}, 'sync-run.changed.v1', ${world.sql.json({ namespace, name: syncRun })}, ${namespace}, ${`sync:${subject}`},
                'DeploymentMissing', 'It waits', ${waitsForDeployment(deployment)}, now(), now() + interval '1 day', now() + interval '1 day')`;
    }

    function wokenSyncRuns(): string[] {
      return steps.toOthers
        .filter(({ message }) => message.type === 'sync-run.changed.v1')
        .map(({ message }) => message.subject.name);
    }
  });
}
