import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyClasses } from '../../../../infra/kubernetes/apply-classes.ts';
import { connectCluster } from '../../../../shared/adapters/kubernetes/connection.ts';
import {
  argoApplications,
  claims,
  environments,
  gitOpsDeployments,
  namespaces,
  secrets,
  spaceRequests,
  targets,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { annotations } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { GitOpsJourney } from '../../../support/gitops-journey.ts';
import { configMap, openTenant, type TenantJourney } from '../../../support/tenant-journey.ts';

/** Issue 6: a claim becomes a namespace, and an Argo CD that works deploys there with what was made for it. */
export function describeClaimJourneys(open: () => Promise<GitOpsJourney>): void {
  describe('a DeploymentTargetClaim, with an Argo CD that works', () => {
    let journey: GitOpsJourney;
    let tenant: TenantJourney;
    let place: string;
    beforeAll(async () => {
      journey = await open();
      await applyClasses(journey.connection);
      tenant = await openTenant(journey, {
        'web/map.yaml': configMap('web', 'one'),
        'brought/map.yaml': configMap('brought', 'one'),
      });
      await environment('development', 'development-claim');
      place = await readyNamespace('development', 'development-claim');
    });
    afterAll(() => journey?.stop());

    it('gives its Environment a namespace that is deployed to', async () => {
      await tenant.deploy('web', {
        path: 'web',
        destination: { environment: 'managed-environment-development', namespace: place },
      });

      await tenant.untilStatus('web', 'Synced', 'Healthy');

      expect(await tenant.dataOf('web', place)).toBe('one');
      expect(await tenant.dataOf('web')).toBeUndefined();
    });

    it('is deployed to with the very token that was made for that namespace', async () => {
      const application = await journey.api.read(argoApplications, await tenant.applicationKey('web'));
      const { name = '', namespace } = application?.spec.destination ?? {};
      const opener = await journey.api.read(secrets, { namespace: journey.argoNamespace, name });
      const config = JSON.parse(Buffer.from(opener?.data['config'] ?? '', 'base64').toString()) as object;

      expect(namespace).toBe(place);
      expect(config).toMatchObject({ bearerToken: await provisionedToken('development-claim') });
    });

    it('opens that namespace and nothing else', async () => {
      const other = await journey.namespace();
      const credentials = await provisionedConnection('development-claim');
      try {
        const ask = async (path: string, method: 'GET' | 'POST' | 'DELETE' = 'GET', body?: object) =>
          (await credentials.request(path, { method, body, accept: [403, 404] })).status;

        expect(await ask(`/api/v1/namespaces/${place}/configmaps`)).toBe(200);
        expect(await ask(`/api/v1/namespaces/${place}/secrets`)).toBe(200);
        const outside: [string, ('GET' | 'POST' | 'DELETE')?, object?][] = [
          ['/api/v1/namespaces'],
          ['/api/v1/nodes'],
          ['/api/v1/secrets'],
          [`/api/v1/namespaces/${other}/configmaps`],
          [`/api/v1/namespaces/${tenant.namespace}/secrets`],
          [`/api/v1/namespaces/${tenant.namespace}/configmaps`, 'POST', { metadata: { name: 'mine' } }],
          ['/apis/appstudio.redhat.com/v1alpha1/deploymenttargets'],
          [`/api/v1/namespaces/${place}`, 'DELETE'],
          [`/api/v1/namespaces/${place}/resourcequotas`, 'POST', { metadata: { name: 'more' } }],
          [
            '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
            'POST',
            {
              metadata: { name: 'more' },
              roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
            },
          ],
          [
            `/apis/rbac.authorization.k8s.io/v1/namespaces/${place}/rolebindings`,
            'POST',
            {
              metadata: { name: 'more' },
              roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
              subjects: [{ kind: 'ServiceAccount', name: 'namespace-manager', namespace: place }],
            },
          ],
        ];
        const answers = await Promise.all(outside.map((one) => ask(...one)));
        expect(answers).toEqual(outside.map(() => 403));
      } finally {
        await credentials.close();
      }
    });

    it('binds a target that the user brought, with a kubeconfig of their own, and that is deployed to', async () => {
      const kubeconfig = await provisionedKubeconfig('development-claim');
      await journey.api.create(secrets, {
        metadata: { ...tenant.key('own-kubeconfig') },
        type: 'Opaque',
        data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
      });
      await journey.api.create(targets, {
        metadata: { ...tenant.key('own-dt') },
        spec: {
          deploymentTargetClassName: '',
          kubernetesCredentials: {
            defaultNamespace: place,
            apiURL: journey.cluster.url,
            clusterCredentialsSecret: 'own-kubeconfig',
            allowInsecureSkipTLSVerify: false,
          },
        },
      });
      await environment('own', 'own-claim', {}, { deploymentTargetClassName: '', targetName: 'own-dt' });

      expect(await readyNamespace('own', 'own-claim')).toBe(place);
      await tenant.deploy('brought', {
        path: 'brought',
        destination: { environment: 'managed-environment-own', namespace: place },
      });

      await tenant.untilStatus('brought', 'Synced', 'Healthy');
      expect(await tenant.dataOf('brought', place)).toBe('one');
    });

    it('deleted takes its target, its request and its namespace along, and the deployment says why it cannot go on', async () => {
      await environment('passing', 'passing-claim');
      const gone = await readyNamespace('passing', 'passing-claim');

      await journey.api.remove(claims, tenant.key('passing-claim'));

      await tenant.until(
        'the claim to be gone',
        async () => (await journey.api.read(claims, tenant.key('passing-claim'))) === undefined,
      );
      expect(await journey.api.read(targets, tenant.key('passing-claim-dt'))).toBeUndefined();
      expect(await requestsOf('passing-claim')).toEqual([]);
      expect(await journey.api.read(namespaces, { namespace: '', name: gone })).toBeUndefined();
      await tenant.until('the Environment to say so', async () => {
        const seen = await journey.api.read(environments, tenant.key('passing'));
        return (
          seen?.status?.conditions.some(
            ({ type, status, reason }) =>
              type === 'Reconciled' && status === 'False' && reason === 'DeploymentTargetClaimNotFound',
          ) ?? false
        );
      });
    });

    it('with a time to live goes by itself when it is over, with everything behind it', async () => {
      await environment('short', 'short-claim', { [annotations.timeToLive.key]: '3s' });

      await tenant.until(
        'the claim to be gone',
        async () => (await journey.api.read(claims, tenant.key('short-claim'))) === undefined,
      );

      expect(await requestsOf('short-claim')).toEqual([]);
      expect(await journey.api.read(targets, tenant.key('short-claim-dt'))).toBeUndefined();
    });

    it('of the whole namespace of a tenant that goes leaves nothing behind', async () => {
      for (const name of ['web', 'brought']) {
        await journey.api.remove(gitOpsDeployments, tenant.key(name));
        await tenant.until(`${name} to be gone`, async () => (await tenant.read(name)) === undefined);
      }

      await journey.api.remove(namespaces, { namespace: '', name: tenant.namespace });

      for (const name of [tenant.namespace, place])
        await tenant.until(
          `${name} to be gone`,
          async () => (await journey.api.read(namespaces, { namespace: '', name })) === undefined,
        );
    });

    async function environment(
      name: string,
      claimName: string,
      notes: Record<string, string> = {},
      spec: object = { deploymentTargetClassName: 'isolation-level-namespace' },
    ): Promise<void> {
      await journey.api.create(claims, { metadata: { ...tenant.key(claimName), annotations: notes }, spec });
      await journey.api.create(environments, {
        metadata: { ...tenant.key(name) },
        spec: {
          displayName: name,
          deploymentStrategy: 'AppStudioAutomated',
          configuration: { target: { deploymentTargetClaim: { claimName } } },
        },
      });
    }

    /** Waits until Argo CD may deploy to the Environment; answers with the namespace that it deploys to. */
    async function readyNamespace(name: string, claimName: string): Promise<string> {
      await tenant.until(`${name} to be ready`, async () => {
        const seen = await journey.api.read(environments, tenant.key(name));
        return (
          seen?.status?.conditions.some(({ type, status }) => type === 'TargetReady' && status === 'True') ?? false
        );
      });
      const claim = await journey.api.read(claims, tenant.key(claimName));
      const target = await journey.api.read(targets, tenant.key(claim?.spec.targetName ?? ''));
      return target?.spec.kubernetesCredentials.defaultNamespace ?? '';
    }

    async function requestsOf(claimName: string): Promise<string[]> {
      const found: string[] = [];
      for await (const page of journey.api.list(spaceRequests, {
        namespace: tenant.namespace,
        labelSelector: `appstudio.openshift.io/dtc=${claimName}`,
      }))
        found.push(...page.map(({ metadata }) => metadata.name));
      return found;
    }

    /** As whoever has the Secret of the target. */
    async function provisionedConnection(claimName: string) {
      const token = await provisionedToken(claimName);
      const { url: server, ca: certificateAuthority } = journey.cluster;
      return connectCluster({ server, token, certificateAuthority, now: Date.now });
    }

    async function provisionedToken(claimName: string): Promise<string> {
      const kubeconfig = await provisionedKubeconfig(claimName);
      return /token: "?([\w.-]+)/.exec(kubeconfig)?.[1] ?? /"token":"([^"]+)"/.exec(kubeconfig)?.[1] ?? '';
    }

    async function provisionedKubeconfig(claimName: string): Promise<string> {
      const claim = await journey.api.read(claims, tenant.key(claimName));
      const target = await journey.api.read(targets, tenant.key(claim?.spec.targetName ?? ''));
      const secret = await journey.api.read(
        secrets,
        tenant.key(target?.spec.kubernetesCredentials.clusterCredentialsSecret ?? ''),
      );
      return Buffer.from(secret?.data['kubeconfig'] ?? '', 'base64').toString();
    }
  });
}
