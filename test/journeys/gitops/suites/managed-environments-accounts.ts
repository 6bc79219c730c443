import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  clusterRoleBindings,
  clusterRoles,
  secrets,
  serviceAccounts,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { accountNames } from '../../../../shared/domain/gitops/managed-environment.ts';
import { type CuttableProxy, startCuttableProxy } from '../../../support/cuttable-proxy.ts';
import { until } from '../../../support/until.ts';
import { seesNamespaces, type TargetWorld } from './managed-environments-world.ts';

export function describeEnvironmentAccounts(opened: () => TargetWorld): void {
  describe('a managed environment with a service account of its own', () => {
    let here: TargetWorld;

    beforeAll(() => {
      here = opened();
    });

    async function installed(namespace: string, spec: object = {}): Promise<string> {
      const id = await here.create(namespace, { createNewServiceAccount: true, ...spec });
      await until('the environment works', async () => {
        await here.reconcile();
        if ((await here.condition(namespace))?.status === 'True') return true;
        await here.world.wake();
        return false;
      });
      return id;
    }

    async function standing(id: string): Promise<string[]> {
      const { namespace, account, role, binding, token } = accountNames(id);
      const found = await Promise.all([
        here.target.read(serviceAccounts, { namespace, name: account }),
        here.target.read(clusterRoles, { namespace: '', name: role }),
        here.target.read(clusterRoleBindings, { namespace: '', name: binding }),
        here.target.read(secrets, { namespace, name: token }),
      ]);
      return found.flatMap((object) => (object === undefined ? [] : [object.kind]));
    }

    async function expectGone(namespace: string, id: string): Promise<void> {
      await until('the account is gone', async () => {
        await here.world.wake();
        await here.reconcile();
        const left = await here.world
          .sql`select from target_service_account where namespace = ${namespace} and unwanted_since is not null`;
        return left.length === 0 && (await standing(id)).length === 0;
      });
    }

    it('SM-01 BS-13 defect 28 one account, one role, one binding and one token Secret, and its token is what is kept', async () => {
      const namespace = await here.tenant();
      const id = await installed(namespace);

      expect(await standing(id)).toEqual(['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Secret']);
      const tokens = [];
      for await (const page of here.target.list(secrets, { namespace: 'kube-system' }))
        tokens.push(...page.filter(({ metadata }) => metadata.name.includes(id)));
      expect(tokens.map(({ metadata }) => metadata.name)).toEqual([`argocd-manager-${id}-token`]);
      const rows = await here.world.world.environments.observe({ namespace, name: 'staging' }, id);
      const token = Buffer.from(tokens[0]?.data['token'] ?? '', 'base64').toString('utf8');
      expect([rows.stored[0]?.credentials?.token, rows.accounts[0]?.token]).toEqual([token, token]);
    });

    it('SM-09 an account that was taken away by hand is made again, with a new token', async () => {
      const namespace = await here.tenant();
      const id = await installed(namespace);
      const before = await here.rows(id);
      await here.target.remove(serviceAccounts, { namespace: 'kube-system', name: `argocd-manager-${id}` });
      await until('its token Secret is gone', async () => !(await standing(id)).includes('Secret'));

      // A real API server believes a token for some ten seconds after its account is gone.
      await until(
        'new credentials',
        async () => {
          here.knock(namespace);
          await here.reconcile();
          return (await here.rows(id))?.['id'] !== before?.['id'];
        },
        28_000,
      );

      expect(await here.condition(namespace)).toMatchObject({ status: 'True', reason: 'Succeeded' });
      expect(await standing(id)).toHaveLength(4);
    });

    it('defect 28 takes it away with the account’s own token, though the Secret went first', async () => {
      const namespace = await here.tenant();
      const id = await installed(namespace);

      await here.world.cluster.remove(secrets, { namespace, name: 'target' });
      await here.drop(namespace);
      await here.reconcile();

      await expectGone(namespace, id);
      expect(await here.world.sql`select from wakeup where tenant = ${namespace}`).toHaveLength(0);
    });

    it('gets one when it asks for it later, though the user’s own token works', async () => {
      const namespace = await here.tenant();
      const id = await here.create(namespace);
      await here.reconcile();
      const before = (await here.rows(id))?.['id'];

      await here.change(namespace, { createNewServiceAccount: true });
      await until('the account is used', async () => {
        await here.reconcile();
        if ((await here.rows(id))?.['id'] !== before) return true;
        await here.world.wake();
        return false;
      });

      expect(await standing(id)).toHaveLength(4);
      expect(await here.condition(namespace)).toMatchObject({ status: 'True', reason: 'Succeeded' });
    });

    it('takes it away when the user’s own token is wanted instead', async () => {
      const namespace = await here.tenant();
      const id = await installed(namespace);
      const before = await here.rows(id);

      await here.change(namespace, { createNewServiceAccount: false });
      await here.reconcile();

      expect((await here.rows(id))?.['id']).not.toBe(before?.['id']);
      await expectGone(namespace, id);
      expect(await here.condition(namespace)).toMatchObject({ status: 'True', reason: 'Succeeded' });
    });

    it('is told that it may not install one, and is not tried all the time', async () => {
      const { token } = await here.user([
        ...seesNamespaces,
        { apiGroups: ['', 'rbac.authorization.k8s.io'], resources: ['*'], verbs: ['get'] },
      ]);
      const namespace = await here.tenant({ token });
      const id = await here.create(namespace, { createNewServiceAccount: true });

      await here.reconcile();

      expect(await here.condition(namespace)).toMatchObject({
        status: 'False',
        reason: 'UnableToInstallServiceAccount',
        message: expect.stringContaining('unable to install the service account on the cluster: '),
      });
      expect(await here.rows(id)).toBeUndefined();
      const [wait] = await here.world
        .sql`select reason, extract(epoch from due_at - now())::int as seconds from wakeup where tenant = ${namespace}`;
      expect(wait).toMatchObject({ reason: 'ServiceAccountNotInstalled' });
      expect(wait?.['seconds']).toBeGreaterThan(20);

      await here.drop(namespace);
      await here.reconcile();
      await expectGone(namespace, id);
    });

    it('keeps the row of an account while its cluster is away, and takes it away when that is back', async () => {
      const proxy = await startProxy();
      const namespace = await here.tenant({ server: proxy.url });
      const id = await installed(namespace, { apiURL: proxy.url });

      proxy.goAway();
      await here.drop(namespace);
      await here.reconcile();
      await here.world.wake();
      const { outcomes } = await here.reconcile();

      expect(outcomes.at(-1)).toMatchObject({ kind: 'stepped', next: 'recheck' });
      expect(await here.rows(id)).toBeUndefined();
      expect(await standing(id)).toHaveLength(4);
      expect(
        await here.world.sql`select from target_service_account where id = ${id} and unwanted_since is not null`,
      ).toHaveLength(1);

      proxy.comeBack();
      await expectGone(namespace, id);
    });

    it('on its way to another address of the same cluster keeps the account that it has', async () => {
      const proxy = await startProxy();
      const namespace = await here.tenant({ server: proxy.url });
      const id = await installed(namespace, { apiURL: proxy.url });
      const before = await here.target.read(clusterRoles, { namespace: '', name: accountNames(id).role });

      await here.putSecret(namespace, 'target', here.kubeconfig());
      await here.change(namespace, { apiURL: here.running.url });
      const accounts = await until('the environment has moved', async () => {
        await here.reconcile();
        await here.world.wake();
        const { sql } = here.world;
        const rows =
          await sql`select id, host, unwanted_since from target_service_account where namespace = ${namespace}`;
        return (await here.rows(id))?.['host'] === here.running.url && rows.length === 1 && rows;
      });

      expect(accounts).toEqual([{ id, host: here.running.url, unwanted_since: null }]);
      expect(await here.condition(namespace)).toMatchObject({ status: 'True', reason: 'Succeeded' });
      const after = await here.target.read(clusterRoles, { namespace: '', name: accountNames(id).role });
      expect(after?.metadata.uid).toBe(before?.metadata.uid);
    });

    async function startProxy(): Promise<CuttableProxy> {
      const proxy = await startCuttableProxy(here.running.url);
      onTestFinished(() => proxy.stop());
      return proxy;
    }
  });
}
