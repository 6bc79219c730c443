import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterConnection } from '../../../../shared/adapters/kubernetes/connection.ts';
import { roles } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { until } from '../../../support/until.ts';
import { openSpaceTenant, type SpaceTenant } from './spaces-tenant.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const rbac = 'rbac.authorization.k8s.io';
const pod = { containers: [{ name: 'web', image: 'example.com/web' }] };
const template = { metadata: { labels: { app: 'web' } }, spec: pod };

/** Everything here is done with the token of the kubeconfig that was made, on the API server that it names. */
export function describeSpacePrivilege(open: () => Promise<GitOpsWorld>): void {
  describe('the account of a provisioned namespace', () => {
    let world: GitOpsWorld;
    let tenant: SpaceTenant;
    let account: ClusterConnection;
    let place: string;
    let other: string;
    beforeAll(async () => {
      world = await open();
      tenant = await openSpaceTenant(world);
      await tenant.ask({ annotations: { 'stagecoach.dev/wanted-resources': '{"requests":{"storage":"10Gi"}}' } });
      const { status } = await tenant.untilReady();
      place = status?.namespaceAccess[0]?.name ?? '';
      const neighbour = await openSpaceTenant(world);
      await neighbour.ask();
      other = (await neighbour.untilReady()).status?.namespaceAccess[0]?.name ?? '';
      account = await world.connectAs((await tenant.kubeconfig()).users[0]?.user.token ?? '');
    }, 180_000);
    afterAll(async () => {
      await account.close();
      await world.close();
    });

    /** {here}, {home} and {other} are the provisioned namespace, that of the request, and another provisioned one. */
    async function attempt(method: Method, path: string, body?: object): Promise<number> {
      const names = { here: place, home: tenant.namespace.name, other };
      const url = Object.entries(names).reduce((text, [key, name]) => text.replaceAll(`{${key}}`, name), path);
      const headers = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
      const { status } = await account.request(url, { method, body, headers, accept: [401, 403, 404, 409, 422] });
      return status;
    }

    it.each([
      '/api/v1/namespaces/{here}',
      '/api/v1/namespaces/{here}/pods',
      '/api/v1/namespaces/{here}/secrets',
      '/api/v1/namespaces/{here}/resourcequotas',
      '/api/v1/namespaces/{here}/limitranges',
      '/api/v1/namespaces/{here}/events',
      '/apis/apps/v1/namespaces/{here}/deployments',
      `/apis/${rbac}/v1/namespaces/{here}/roles`,
      '/apis/managed-gitops.redhat.com/v1alpha1/namespaces/{here}/gitopsdeployments',
      '/apis',
    ])('may read %s, as Argo CD does with everything that a namespace holds', async (path) => {
      expect(await attempt('GET', path)).toBe(200);
    });

    it.each<[string, string, object]>([
      ['ConfigMaps', '/api/v1/namespaces/{here}/configmaps', {}],
      ['Secrets', '/api/v1/namespaces/{here}/secrets', {}],
      ['Services', '/api/v1/namespaces/{here}/services', { spec: { ports: [{ port: 80 }] } }],
      ['ServiceAccounts', '/api/v1/namespaces/{here}/serviceaccounts', {}],
      [
        'Deployments',
        '/apis/apps/v1/namespaces/{here}/deployments',
        { spec: { selector: { matchLabels: { app: 'web' } }, template } },
      ],
      [
        'CronJobs',
        '/apis/batch/v1/namespaces/{here}/cronjobs',
        {
          spec: {
            schedule: '0 * * * *',
            jobTemplate: { spec: { template: { spec: { ...pod, restartPolicy: 'Never' } } } },
          },
        },
      ],
      [
        'NetworkPolicies',
        '/apis/networking.k8s.io/v1/namespaces/{here}/networkpolicies',
        { spec: { podSelector: {} } },
      ],
      [
        'PodDisruptionBudgets',
        '/apis/policy/v1/namespaces/{here}/poddisruptionbudgets',
        { spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } } },
      ],
      [
        'Roles with what it has itself',
        `/apis/${rbac}/v1/namespaces/{here}/roles`,
        { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'update'] }] },
      ],
    ])('may make, change and delete %s', async (_what, path, but) => {
      const metadata = { name: 'made', labels: { app: 'web' } };

      expect(await attempt('POST', path, { metadata, ...but })).toBe(201);
      expect(await attempt('PATCH', `${path}/made`, { metadata: { labels: { app: 'shop' } } })).toBe(200);
      expect([200, 202]).toContain(await attempt('DELETE', `${path}/made`));
    });

    const grant = (rule: object) => ({ metadata: { name: 'more' }, rules: [rule] });
    it.each<[string, Method, string, object?]>([
      ['make a quota', 'POST', '/api/v1/namespaces/{here}/resourcequotas', { metadata: { name: 'more' } }],
      [
        'enlarge its quota',
        'PATCH',
        '/api/v1/namespaces/{here}/resourcequotas/wanted-resources',
        { spec: { hard: { 'requests.storage': '10Ti' } } },
      ],
      ['delete its quota', 'DELETE', '/api/v1/namespaces/{here}/resourcequotas/wanted-resources'],
      ['make limits', 'POST', '/api/v1/namespaces/{here}/limitranges', { metadata: { name: 'more' } }],
      ['label its namespace', 'PATCH', '/api/v1/namespaces/{here}', { metadata: { labels: { more: 'yes' } } }],
      ['delete its namespace', 'DELETE', '/api/v1/namespaces/{here}'],
      ['make a namespace', 'POST', '/api/v1/namespaces', { metadata: { name: 'more-of-it' } }],
      ['list namespaces', 'GET', '/api/v1/namespaces'],
      ['list all Secrets of the cluster', 'GET', '/api/v1/secrets'],
      ['read the Secrets beside the request', 'GET', '/api/v1/namespaces/{home}/secrets'],
      ['read Secrets of another provisioned namespace', 'GET', '/api/v1/namespaces/{other}/secrets'],
      [
        'make a ConfigMap beside the request',
        'POST',
        '/api/v1/namespaces/{home}/configmaps',
        { metadata: { name: 'a' } },
      ],
      ['make a ConfigMap in another', 'POST', '/api/v1/namespaces/{other}/configmaps', { metadata: { name: 'a' } }],
      [
        'change the request',
        'PATCH',
        '/apis/toolchain.dev.openshift.com/v1alpha1/namespaces/{home}/spacerequests/dev',
        { metadata: { annotations: { 'stagecoach.dev/wanted-resources': '{}' } } },
      ],
      ['list nodes', 'GET', '/api/v1/nodes'],
      ['read ClusterRoles', 'GET', `/apis/${rbac}/v1/clusterroles`],
      [
        'make a ClusterRoleBinding',
        'POST',
        `/apis/${rbac}/v1/clusterrolebindings`,
        { metadata: { name: 'more' }, roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' } },
      ],
      [
        'give a Role quotas',
        'POST',
        `/apis/${rbac}/v1/namespaces/{here}/roles`,
        grant({ apiGroups: [''], resources: ['resourcequotas'], verbs: ['update'] }),
      ],
      [
        'give a Role all verbs',
        'POST',
        `/apis/${rbac}/v1/namespaces/{here}/roles`,
        grant({ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }),
      ],
      [
        'enlarge its own Role',
        'PATCH',
        `/apis/${rbac}/v1/namespaces/{here}/roles/namespace-manager`,
        { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
      ],
      [
        'bind itself to cluster-admin',
        'POST',
        `/apis/${rbac}/v1/namespaces/{here}/rolebindings`,
        {
          metadata: { name: 'more' },
          roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' },
          subjects: [{ kind: 'ServiceAccount', name: 'namespace-manager' }],
        },
      ],
      [
        'ask for tokens of accounts',
        'POST',
        '/api/v1/namespaces/{here}/serviceaccounts/namespace-manager/token',
        { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
      ],
      [
        'make another SpaceRequest',
        'POST',
        '/apis/toolchain.dev.openshift.com/v1alpha1/namespaces/{here}/spacerequests',
        { metadata: { name: 'more' }, spec: { tierName: 'appstudio-env' } },
      ],
    ])('may not %s', async (_what, method, path, body) => {
      expect(await attempt(method, path, body)).toBe(403);
    });

    it('may not speak for others', async () => {
      const headers = { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' };
      const { status } = await account.request('/api/v1/namespaces', { headers, accept: [403] });

      expect(status).toBe(403);
    });

    it('may take its own Role away, and is given the same one again', async () => {
      const path = `/apis/${rbac}/v1/namespaces/{here}/roles/namespace-manager`;
      const key = { namespace: place, name: 'namespace-manager' };
      const before = await world.cluster.read(roles, key);
      expect(await attempt('DELETE', path)).toBe(200);
      await until('the account to be powerless', async () => (await attempt('GET', path)) === 403);

      await tenant.lookAgain();

      expect((await world.cluster.read(roles, key))?.rules).toEqual(before?.rules);
      await until('the account to be itself again', async () => (await attempt('GET', path)) === 200);
    });
  });
}
