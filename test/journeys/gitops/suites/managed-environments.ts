import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitOpsDeployments, managedEnvironments, secrets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import type { RunningCluster } from '../../../support/running-cluster.ts';
import { describeEnvironmentAccounts } from './managed-environments-accounts.ts';
import { describeEndingEnvironments } from './managed-environments-ending.ts';
import { describeLeavingEnvironments } from './managed-environments-leaving.ts';
import { describeRefusedEnvironments } from './managed-environments-refused.ts';
import { openTargetWorld, seesNamespaces, type TargetWorld } from './managed-environments-world.ts';

/** `target` is a cluster to deploy to: the embedded one or a real one, with its controllers. */
export function describeManagedEnvironments(
  open: () => Promise<GitOpsWorld>,
  target: () => Promise<RunningCluster>,
): void {
  describe('a managed environment', () => {
    let here: TargetWorld;

    beforeAll(async () => {
      here = await openTargetWorld(await open(), await target());
    });

    afterAll(async () => {
      await here.close();
      await here.running.stop();
      await here.world.close();
    });

    it('SM-01 SM-03 SM-23 WR-01 a cluster that lets us in gets its rows, its operation and a condition', async () => {
      const namespace = await here.tenant();
      const id = await here.create(namespace);

      const { knocks } = await here.reconcile();

      expect(await here.condition(namespace)).toMatchObject({ status: 'True', reason: 'Succeeded', message: '' });
      expect(await here.rows(id)).toMatchObject({
        name: 'staging',
        host: here.running.url,
        service_account_namespace: 'kube-system',
        certificate_authority: here.running.ca,
        allow_insecure_skip_tls_verify: false,
        namespaces: '',
        cluster_resources: false,
        projects: 1,
        accesses: 1,
        mappings: 1,
        operations: 1,
      });
      expect(knocks).toContain(`apply-operation managed-environment.${id}`);
    });

    it('defect 27 the token is sealed, and neither step log nor ledger has seen it', async () => {
      const { token } = await here.user(seesNamespaces);
      const namespace = await here.tenant({ token });
      const id = await here.create(namespace);

      await here.reconcile();

      const row = await here.rows(id);
      expect(Buffer.from(row?.['service_account_bearer_token']).includes(token)).toBe(false);
      const [told] = await here.world.sql`
        select (select count(*)::int from step_log s where s::text like ${`%${token}%`}) as steps,
          (select count(*)::int from ledger l where l::text like ${`%${token}%`}) as lines`;
      expect(told).toEqual({ steps: 0, lines: 0 });
    });

    it('SM-03 a second look writes nothing and leaves the time of the condition', async () => {
      const namespace = await here.tenant();
      const id = await here.create(namespace);
      await here.reconcile();
      const before = [await here.rows(id), await here.condition(namespace)];
      here.world.connection.asked.splice(0);

      here.knock(namespace);
      const { outcomes, knocks } = await here.reconcile();

      expect(outcomes).toEqual([{ kind: 'stepped', next: 'settled', effects: 0 }]);
      expect([await here.rows(id), await here.condition(namespace)]).toEqual(before);
      expect(here.world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(knocks).toEqual([]);
    });

    it('SM-04 a condition that was removed or changed by hand comes back', async () => {
      const namespace = await here.tenant();
      await here.create(namespace);
      await here.reconcile();
      const forced = {
        type: 'ConnectionInitializationSucceeded',
        status: 'False',
        reason: 'Forced',
        message: 'by hand',
      };

      for (const conditions of [[], [{ ...forced, lastTransitionTime: '2022-06-09T21:56:19Z' }]]) {
        const key = { namespace, name: 'staging' };
        await here.world.cluster.patch(managedEnvironments, key, { status: { conditions } }, { subresource: 'status' });
        await here.reconcile();

        expect(await here.condition(namespace)).toMatchObject({ status: 'True', reason: 'Succeeded' });
      }
    });

    it('SM-01 SM-12 SM-24 changed namespaces, cluster resources and flag make new credentials, and the old ones go', async () => {
      const namespace = await here.tenant();
      const [one, other] = [await here.targetNamespace(), await here.targetNamespace()].toSorted();
      const id = await here.create(namespace);
      await here.reconcile();
      const before = await here.rows(id);

      await here.change(namespace, {
        namespaces: [other, one],
        clusterResources: true,
        allowInsecureSkipTLSVerify: true,
      });
      const { knocks } = await here.reconcile();

      const after = await here.rows(id);
      expect(after).toMatchObject({
        namespaces: `${one},${other}`,
        cluster_resources: true,
        allow_insecure_skip_tls_verify: true,
        certificate_authority: null,
        projects: 1,
        accesses: 1,
      });
      expect(after?.['id']).not.toBe(before?.['id']);
      expect(await here.world.sql`select from cluster_credentials where id = ${before?.['id']}`).toHaveLength(0);
      expect(knocks).toContain(`apply-operation managed-environment.${id}`);
    });

    it('defect 4 a token that is rotated in the Secret reaches the rows and the operation', async () => {
      const [first, second] = [await here.user(seesNamespaces), await here.user(seesNamespaces)];
      const namespace = await here.tenant({ token: first.token });
      const id = await here.create(namespace);
      await here.reconcile();
      const before = await here.rows(id);
      await here.world.sql`update operation set state = 'Completed' where resource_id = ${id}`;

      await here.putSecret(namespace, 'target', here.kubeconfig({ token: second.token }));
      const { knocks } = await here.reconcile();

      const after = await here.rows(id);
      expect(after?.['id']).not.toBe(before?.['id']);
      expect(after?.['operations']).toBe(2);
      expect(knocks).toContain(`apply-operation managed-environment.${id}`);
      const { stored } = await here.world.world.environments.observe({ namespace, name: 'staging' }, id);
      expect(stored[0]?.credentials?.token).toBe(second.token);
    });

    it('SM-09 credentials that stop working are replaced as soon as the Secret has others', async () => {
      const first = await here.user(seesNamespaces);
      const namespace = await here.tenant({ token: first.token });
      const id = await here.create(namespace);
      await here.reconcile();
      const before = await here.rows(id);
      await here.target.remove(secrets, { namespace: 'default', name: first.name });

      const second = await here.user(seesNamespaces);
      await here.putSecret(namespace, 'target', here.kubeconfig({ token: second.token }));
      await here.reconcile();

      expect((await here.rows(id))?.['id']).not.toBe(before?.['id']);
      expect(await here.world.sql`select from cluster_credentials where id = ${before?.['id']}`).toHaveLength(0);
      expect(await here.condition(namespace)).toMatchObject({ status: 'True', reason: 'Succeeded' });
    });

    it('SM-02 SM-23 rows that got lost are made again', async () => {
      const namespace = await here.tenant();
      const id = await here.create(namespace);
      await here.reconcile();
      await here.world.sql`delete from app_project_managed_environment where managed_environment_id = ${id}`;

      here.knock(namespace);
      await here.reconcile();
      expect(await here.rows(id)).toMatchObject({ projects: 1 });

      await here.world.sql`delete from app_project_managed_environment where managed_environment_id = ${id}`;
      await here.world.sql`delete from cluster_access where managed_environment_id = ${id}`;
      await here.world.sql`delete from managed_environment where id = ${id}`;
      here.knock(namespace);
      await here.reconcile();
      expect(await here.rows(id)).toMatchObject({ projects: 1, accesses: 1, mappings: 1 });
    });

    it('an empty API URL means the server of the current context', async () => {
      const namespace = await here.tenant({ server: `${here.running.url.toUpperCase().replace('HTTPS', 'https')}/` });
      const id = await here.create(namespace, { apiURL: '' });

      await here.reconcile();

      expect(await here.condition(namespace)).toMatchObject({ status: 'True' });
      expect(await here.rows(id)).toMatchObject({ host: `${here.running.url}/` });
    });

    it('WR-01 deployments that wait for an environment are woken by it, once it works', async () => {
      const namespace = await here.tenant();
      await here.world.sql`
        insert into wakeup (function, subject, type, data, tenant, serial_key, reason, message, blocked_on, since, due_at, deadline)
        select 'reconcile-gitops-deployment', ${`${namespace}/web`}, 'gitops-deployment.changed.v1', ${here.world.sql.json({ namespace, name: 'web' })},
          ${namespace}, ${`deployment:${namespace}/web`}, 'EnvironmentMissing', 'waits', 'GitOpsDeploymentManagedEnvironment staging', now(), now() + interval '1 day', now() + interval '1 day'`;

      await here.create(namespace, { credentialsSecret: 'later' });
      expect((await here.reconcile()).knocks).not.toContain('reconcile-gitops-deployment web');

      await here.putSecret(namespace, 'later', here.kubeconfig());
      expect((await here.reconcile()).knocks).toContain('reconcile-gitops-deployment web');
    });

    it.each([1, 2, 3])(
      'AL-10 WL-06 what changes of an environment is looked at by the %i deployments that use it, in their own lines, once each',
      async (many) => {
        const { world } = here;
        const namespace = await here.tenant();
        await here.create(namespace);
        await here.create(namespace, {}, 'production');
        const users = Array.from({ length: many }, (_none, number) => `user-${number}`);
        for (const name of users) await deploy(namespace, name, { environment: 'staging', namespace: 'shop' });
        await deploy(namespace, 'elsewhere', { environment: 'production', namespace: 'shop' });
        await deploy(namespace, 'at-home', {});
        await world.settle();

        await here.change(namespace, { clusterResources: true });
        const ran = await world.settle();

        const looked = ran.filter((step) => step.function === 'reconcile-gitops-deployment');
        expect(looked.map(({ subject }) => subject).toSorted()).toEqual(users.map((name) => `${namespace}/${name}`));
        expect(looked.map(({ outcome }) => outcome.kind)).toEqual(users.map(() => 'stepped'));
      },
    );

    async function deploy(namespace: string, name: string, destination: object): Promise<void> {
      await here.world.cluster.create(gitOpsDeployments, {
        metadata: { namespace, name },
        spec: { source: { repoURL: 'https://git.example/shop', path: 'deploy' }, type: 'automated', destination },
      });
    }

    describeRefusedEnvironments(() => here);
    describeEndingEnvironments(() => here);
    describeLeavingEnvironments(() => here);
    describeEnvironmentAccounts(() => here);
  });
}
