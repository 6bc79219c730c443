import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  claims,
  environments,
  managedEnvironments,
  secrets,
  targets,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { annotations } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';

type Part = 'secret' | 'target' | 'claim' | 'environment';

const apiURL = 'https://127.0.0.1:1';

/** Bring your own cluster, as the flowchart has it: four objects of the user's, and no class anywhere. */
export function describeBringYourOwn(open: () => Promise<GitOpsWorld>): void {
  describe('a cluster that the user brings', () => {
    let world: GitOpsWorld;
    let namespace: string;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());

    it.each<[string, readonly Part[]]>([
      ['in the order of the document', ['secret', 'target', 'claim', 'environment']],
      ['the other way round', ['environment', 'claim', 'target', 'secret']],
      ['the claim first', ['claim', 'environment', 'secret', 'target']],
    ])('%s ends up bound, with an environment for Argo CD', async (_order, order) => {
      namespace = (await world.namespace()).name;

      for (const part of order) {
        await make[part]();
        await world.settle();
      }
      await world.wake();
      await world.settle();

      const claim = await world.cluster.read(claims, { namespace, name: 'prod-dtc' });
      const target = await world.cluster.read(targets, { namespace, name: 'prod-dt' });
      expect(claim?.status?.phase).toBe('Bound');
      expect(claim?.metadata.annotations[annotations.bindComplete.key]).toBe('true');
      expect(claim?.metadata.annotations[annotations.targetProvisioner.key]).toBeUndefined();
      expect(target?.status?.phase).toBe('Bound');
      expect(target?.spec.claimRef).toEqual({ name: 'prod-dtc', uid: claim?.metadata.uid });
      const made = await world.cluster.read(managedEnvironments, { namespace, name: 'managed-environment-prod' });
      expect(made?.spec).toMatchObject({ apiURL, namespaces: ['team-a-prod'] });
    });

    it('stays when its claim goes, is Released, and is nobody’s until a person says so', async () => {
      namespace = (await world.namespace()).name;
      for (const part of ['secret', 'target', 'claim'] as const) await make[part]();
      await world.settle();

      await world.cluster.remove(claims, { namespace, name: 'prod-dtc' });
      await world.settle();
      await world.cluster.create(claims, {
        metadata: { namespace, name: 'another' },
        spec: { deploymentTargetClassName: '' },
      });
      await world.settle();

      const target = await world.cluster.read(targets, { namespace, name: 'prod-dt' });
      expect(target?.status?.phase).toBe('Released');
      expect(target?.spec.claimRef).toBeUndefined();
      expect(await world.cluster.read(claims, { namespace, name: 'prod-dtc' })).toBeUndefined();
      const another = await world.cluster.read(claims, { namespace, name: 'another' });
      expect(another?.status?.phase).toBe('Pending');
    });

    const resources = { requests: { memory: '16Gi', cpu: '8m' }, limits: { memory: '16Gi', cpu: '8m' } };
    const make: Readonly<Record<Part, () => Promise<unknown>>> = {
      secret: () =>
        world.cluster.create(secrets, {
          metadata: { namespace, name: 'prod-kubeconfig' },
          type: 'Opaque',
          data: { kubeconfig: Buffer.from('apiVersion: v1').toString('base64') },
        }),
      target: () =>
        world.cluster.create(targets, {
          metadata: { namespace, name: 'prod-dt' },
          spec: {
            deploymentTargetClassName: '',
            resources,
            arch: 'x86-64',
            kubernetesCredentials: {
              defaultNamespace: 'team-a-prod',
              apiURL,
              clusterCredentialsSecret: 'prod-kubeconfig',
              allowInsecureSkipTLSVerify: false,
            },
            claimRef: { name: 'prod-dtc' },
          },
        }),
      claim: () =>
        world.cluster.create(claims, {
          metadata: { namespace, name: 'prod-dtc' },
          spec: { deploymentTargetClassName: '', targetName: 'prod-dt', resources, arch: 'x86-64' },
        }),
      environment: () =>
        world.cluster.create(environments, {
          metadata: { namespace, name: 'prod' },
          spec: {
            displayName: 'Production',
            deploymentStrategy: 'Manual',
            configuration: { target: { deploymentTargetClaim: { claimName: 'prod-dtc' } } },
          },
        }),
    };
  });
}
