import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  argoApplications,
  clusterRoleBindings,
  clusterRoles,
  gitOpsDeployments,
  managedEnvironments,
  secrets,
  serviceAccounts,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { secretTypes } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { GitOpsJourney } from '../../../support/gitops-journey.ts';
import { configMap, openTenant, type TenantJourney } from '../../../support/tenant-journey.ts';
import { until } from '../../../support/until.ts';

/** Point 5: a cluster of the tenant's own. Here it is the same one, reached as any other would be: by address and token. */
export function describeEnvironmentJourneys(open: () => Promise<GitOpsJourney>): void {
  describe('a GitOpsDeploymentManagedEnvironment, with an Argo CD that works', () => {
    let journey: GitOpsJourney;
    let tenant: TenantJourney;
    let target: string;
    beforeAll(async () => {
      journey = await open();
      tenant = await openTenant(journey, { 'far/map.yaml': configMap('far', 'one') });
      target = await journey.namespace();
      await clusterAdmin('deployer');
    });
    afterAll(() => journey?.stop());

    it('SM-03 RT-04 is deployed to with the token that the tenant gave, and a rotated token reaches Argo CD', async () => {
      const before = await tokenOf('deployer', 'first');
      await environment('far', before);
      await tenant.deploy('far', { path: 'far', destination: { environment: 'far', namespace: target } });
      const { status } = await tenant.untilStatus('far', 'Synced', 'Healthy');
      expect(status?.reconciledState?.destination).toEqual({ name: 'far', namespace: target });
      expect(await tenant.dataOf('far', target)).toBe('one');

      await journey.api.patch(secrets, tenant.key('far'), {
        data: kubeconfigData(await tokenOf('deployer', 'second')),
      });
      await until(
        'the new token to reach Argo CD',
        async () => !(await clusterSecrets()).includes(before),
        journey.patienceMs,
      );
      await journey.api.remove(secrets, { namespace: 'kube-system', name: 'first' });
      await tenant.repository.commit({ 'far/map.yaml': configMap('far', 'two') });

      await refreshUntil('far', async () => (await tenant.dataOf('far', target)) === 'two');
    });

    it('SM-01 with a ServiceAccount of its own leaves nothing behind on the cluster when it goes', async () => {
      await environment('own', await tokenOf('deployer', 'third'), { createNewServiceAccount: true });
      const uid = await until(
        'the environment to be connected',
        async () => {
          const seen = await journey.api.read(managedEnvironments, tenant.key('own'));
          const connected = seen?.status?.conditions.find(({ status }) => status === 'True');
          return connected === undefined ? undefined : seen?.metadata.uid;
        },
        journey.patienceMs,
      );
      const account = { namespace: 'kube-system', name: `argocd-manager-${uid}` };
      expect(await journey.api.read(serviceAccounts, account)).toBeDefined();

      await journey.api.remove(managedEnvironments, tenant.key('own'));

      const left = async () => [
        await journey.api.read(serviceAccounts, account),
        await journey.api.read(clusterRoles, { namespace: '', name: `argocd-manager-cluster-role-${uid}` }),
        await journey.api.read(clusterRoleBindings, {
          namespace: '',
          name: `argocd-manager-cluster-role-binding-${uid}`,
        }),
        await journey.api.read(secrets, { ...account, name: `argocd-manager-${uid}-token` }),
      ];
      await until(
        'account, role, binding and token to be gone',
        async () => (await left()).every((object) => object === undefined),
        journey.patienceMs,
      );
    });

    it.each([
      ['after', [gitOpsDeployments, managedEnvironments]],
      ['before', [managedEnvironments, gitOpsDeployments]],
    ] as const)('SM-10 deleted right %s its deployment takes everything along', async (when, kinds) => {
      const name = `gone-${when}`;
      await tenant.repository.commit({ [`${name}/map.yaml`]: configMap(name, 'one') });
      await environment(name, await tokenOf('deployer', name), { createNewServiceAccount: true });
      await tenant.deploy(name, { path: name, destination: { environment: name, namespace: target } });
      await tenant.untilStatus(name, 'Synced', 'Healthy');
      const application = await tenant.applicationKey(name);
      expect(await tenant.dataOf(name, target)).toBe('one');

      for (const kind of kinds) await journey.api.remove(kind, tenant.key(name));

      await until(
        'the Application to be gone',
        async () => (await journey.api.read(argoApplications, application)) === undefined,
        journey.patienceMs,
      );
      expect(await tenant.dataOf(name, target)).toBeUndefined();
    });

    it('of a forbidden namespace is refused by condition, and nothing is deployed there', async () => {
      await environment('narrow', await tokenOf('deployer', 'fifth'), { namespaces: [target] });
      await tenant.deploy('outside', { path: 'far', destination: { environment: 'narrow', namespace: 'default' } });

      await tenant.untilCondition('outside', 'ErrorOccurred', 'True');

      expect(await tenant.dataOf('far', 'default')).toBeUndefined();
    });

    async function clusterAdmin(name: string): Promise<void> {
      await journey.api.create(serviceAccounts, { metadata: { namespace: 'kube-system', name } });
      await journey.api.create(clusterRoleBindings, {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'ServiceAccount', namespace: 'kube-system', name }],
      });
    }

    /** A token that ends when the Secret of this name goes. */
    async function tokenOf(account: string, name: string): Promise<string> {
      const key = { namespace: 'kube-system', name };
      await journey.api.create(secrets, {
        metadata: { ...key, annotations: { 'kubernetes.io/service-account.name': account } },
        type: 'kubernetes.io/service-account-token',
      });
      const token = await until('a token', async () => (await journey.api.read(secrets, key))?.data['token']);
      return Buffer.from(token, 'base64').toString();
    }

    async function environment(name: string, token: string, spec: object = {}): Promise<void> {
      const { url: apiURL } = journey.cluster;
      await journey.api.create(secrets, {
        metadata: { ...tenant.key(name) },
        type: secretTypes.managedEnvironment,
        data: kubeconfigData(token),
      });
      await journey.api.create(managedEnvironments, {
        metadata: { ...tenant.key(name) },
        spec: { apiURL, credentialsSecret: name, allowInsecureSkipTLSVerify: false, ...spec },
      });
    }

    function kubeconfigData(token: string): { readonly kubeconfig: string } {
      const { url: server, ca } = journey.cluster;
      const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
      const kubeconfig = {
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'far',
        contexts: [{ name: 'far', context: { cluster: 'far', user: 'far' } }],
        clusters: [{ name: 'far', cluster }],
        users: [{ name: 'far', user: { token } }],
      };
      return { kubeconfig: Buffer.from(JSON.stringify(kubeconfig)).toString('base64') };
    }

    /** Everything that the cluster Secrets beside Argo CD hold, in clear. */
    async function clusterSecrets(): Promise<string> {
      const texts: string[] = [];
      const labelSelector = 'argocd.argoproj.io/secret-type=cluster';
      for await (const page of journey.api.list(secrets, { namespace: journey.argoNamespace, labelSelector }))
        texts.push(...page.map(({ data }) => Buffer.from(data['config'] ?? '', 'base64').toString()));
      return texts.join('\n');
    }

    async function refreshUntil(name: string, isSo: () => Promise<boolean>): Promise<void> {
      const key = await tenant.applicationKey(name);
      await until(
        `${name} to be deployed again`,
        async () => {
          if (await isSo()) return true;
          await journey.api.patch(argoApplications, key, {
            metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } },
          });
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          return false;
        },
        journey.patienceMs,
      );
    }
  });
}
