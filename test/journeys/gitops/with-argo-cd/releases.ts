import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyClasses } from '../../../../infra/kubernetes/apply-classes.ts';
import {
  applications,
  bindings,
  claims,
  components,
  environments,
  gitOpsDeployments,
  snapshots,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { SnapshotEnvironmentBinding } from '../../../../shared/contracts/kubernetes/snapshot-environment-binding.ts';
import type { GitOpsJourney } from '../../../support/gitops-journey.ts';
import { until } from '../../../support/until.ts';

const image = (build: number) => `registry.example.com/shop/web:build-${build}`;

const networking = '/apis/networking.k8s.io/v1';

/** Issue 7: what is built becomes a Snapshot, goes into Git, and an Argo CD that works brings it to its place. */
export function describeReleaseJourneys(open: () => Promise<GitOpsJourney>): void {
  describe('a component build, with an Argo CD that works', () => {
    let journey: GitOpsJourney;
    let namespace: string;
    beforeAll(async () => {
      journey = await open();
      await applyClasses(journey.connection);
      namespace = await journey.namespace();
      const { api } = journey;
      await api.create(applications, { metadata: { namespace, name: 'shop' }, spec: { displayName: 'Shop' } });
      await api.create(components, {
        metadata: { namespace, name: 'web' },
        spec: {
          application: 'shop',
          componentName: 'web',
          containerImage: image(1),
          targetPort: 8080,
          route: 'web.shop.example.com',
          env: [{ name: 'LEVEL', value: 'info' }],
        },
      });
      await api.create(claims, {
        metadata: { namespace, name: 'dev' },
        spec: { deploymentTargetClassName: 'isolation-level-namespace' },
      });
      await api.create(environments, {
        metadata: { namespace, name: 'dev' },
        spec: {
          displayName: 'Development',
          // A person makes the Binding here.
          deploymentStrategy: 'Manual',
          configuration: {
            target: { deploymentTargetClaim: { claimName: 'dev' } },
            env: [{ name: 'REGION', value: 'eu' }],
          },
          unstableConfigurationFields: { exposeWith: 'Ingress' },
        },
      });
    });
    afterAll(() => journey?.stop());

    it('becomes a Snapshot, a commit and a healthy deployment of just that commit', async () => {
      const snapshot = await newestSnapshot(image(1));
      await journey.api.create(bindings, {
        metadata: { namespace, name: 'shop-dev' },
        spec: {
          application: 'shop',
          environment: 'dev',
          snapshot,
          components: [{ name: 'web', configuration: { replicas: 2 } }],
        },
      });

      await letIn();
      const [deployed] = await untilDeployed();

      expect(await running()).toMatchObject({ image: image(1), replicas: 2, env: { LEVEL: 'info', REGION: 'eu' } });
      expect(deployed?.commit).toMatch(/^[\da-f]{40}$/);
    });

    it('is reached from outside by a Service and an Ingress that an API server takes', async () => {
      const [service, ingress] = await Promise.all([inPlace('/api/v1', 'services'), inPlace(networking, 'ingresses')]);

      expect(service).toMatchObject({ spec: { ports: [{ port: 8080, targetPort: 8080 }] } });
      expect(ingress).toMatchObject({ spec: { rules: [{ host: 'web.shop.example.com' }] } });
    });

    it('goes on with the next build, without waiting for Argo CD to poll', async () => {
      const [before] = await untilDeployed();
      await journey.api.patch(components, { namespace, name: 'web' }, { spec: { containerImage: image(2) } });
      const snapshot = await newestSnapshot(image(2));
      await journey.api.patch(bindings, { namespace, name: 'shop-dev' }, { spec: { snapshot } });

      const [after] = await untilDeployed(before?.commit);

      expect(after?.commit).not.toBe(before?.commit);
      expect((await running())?.image).toBe(image(2));
    });

    it('takes everything away with its Binding', async () => {
      await journey.api.remove(bindings, { namespace, name: 'shop-dev' });

      await until('the deployment to go', async () => (await running()) === undefined, journey.patienceMs);
      await until('the GitOpsDeployment to go', async () => (await deployments()).length === 0, journey.patienceMs);
    });

    async function newestSnapshot(containerImage: string): Promise<string> {
      return until(
        `a Snapshot of ${containerImage}`,
        async () => {
          for await (const page of journey.api.list(snapshots, { namespace }))
            for (const { metadata, spec } of page)
              if (spec.components.some((one) => one.containerImage === containerImage)) return metadata.name;
          return undefined;
        },
        journey.patienceMs,
      );
    }

    async function deployments() {
      const all = [];
      for await (const page of journey.api.list(gitOpsDeployments, { namespace })) all.push(...page);
      return all;
    }

    /** Argo CD says Synced and Healthy at the very commit that the Binding names. */
    async function untilDeployed(beside?: string): Promise<readonly { readonly commit: string }[]> {
      let last: SnapshotEnvironmentBinding | undefined;
      try {
        return await until(
          'the commit to be deployed',
          async () => {
            last = await journey.api.read(bindings, { namespace, name: 'shop-dev' });
            const wanted = last?.status?.components[0]?.gitOpsRepository?.commitID;
            const told = last?.status?.gitopsDeployments ?? [];
            const isThere = told.every(
              ({ syncStatus, health, commitID }) =>
                syncStatus === 'Synced' && health === 'Healthy' && commitID === wanted,
            );
            if (wanted === beside) return undefined;
            return wanted !== undefined && wanted !== '' && told.length > 0 && isThere
              ? [{ commit: wanted }]
              : undefined;
          },
          journey.patienceMs,
        );
      } catch (error) {
        throw new Error(`${(error as Error).message}; the Binding said ${JSON.stringify(last?.status)}`);
      }
    }

    /** Nobody runs ingress controllers here: the test gives it an address, as one would. */
    async function letIn(): Promise<void> {
      await until('the Ingress', () => inPlace(networking, 'ingresses'), journey.patienceMs);
      await journey.connection.request(`${networking}/namespaces/${lastPlace}/ingresses/web/status`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { status: { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } } },
        accept: [],
      });
    }

    /** An object called web in the place of the Environment. */
    async function inPlace(api: string, plural: string): Promise<unknown> {
      const [deployment] = await deployments();
      const place = deployment?.spec.destination.namespace ?? lastPlace;
      if (place === '') return undefined;
      lastPlace = place;
      const path = `${api}/namespaces/${place}/${plural}/web`;
      const { status, body } = await journey.connection.request(path, { accept: [404] });
      return status === 404 ? undefined : body;
    }

    /** What runs in the place of the Environment. */
    async function running() {
      const body = await inPlace('/apis/apps/v1', 'deployments');
      if (body === undefined) return undefined;
      const { spec } = body as {
        spec: {
          replicas: number;
          template: { spec: { containers: { image: string; env?: { name: string; value: string }[] }[] } };
        };
      };
      const [container] = spec.template.spec.containers;
      return {
        image: container?.image,
        replicas: spec.replicas,
        env: Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value])),
      };
    }
    let lastPlace = '';
  });
}
