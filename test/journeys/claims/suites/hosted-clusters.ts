import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  claims,
  environments,
  managedEnvironments,
  namespaces,
  secrets,
  targets,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { annotations, finalizers } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { listObjects } from '../../../support/list-objects.ts';
import { type PlayedHypershift, playHypershift } from '../../../support/play-hypershift.ts';
import { type HostedClusterApi, startHostedCluster } from '../../../support/start-hosted-cluster.ts';
import { type HostedScene, openHostedScene, small } from './hosted-scene.ts';

export function describeHostedClusters(open: () => Promise<GitOpsWorld>): void {
  describe('a claim of a class whose provisioner makes whole clusters', () => {
    let world: GitOpsWorld;
    let hypershift: PlayedHypershift;
    let api: HostedClusterApi;
    let scene: HostedScene;

    beforeAll(async () => {
      world = await open();
      hypershift = await playHypershift(world.bare);
      api = await startHostedCluster();
      scene = openHostedScene(world, hypershift);
    });
    afterAll(async () => {
      await api?.stop();
      await world?.close();
    });

    it('gets a cluster of its own with the nodes of its class, is Bound to it, and leaves nothing when it goes', async () => {
      const { namespace, className } = await scene.open('isolation-level-cluster-small');
      await world.cluster.create(environments, {
        metadata: { namespace, name: 'prod' },
        spec: {
          displayName: '“Production for Team A”',
          deploymentStrategy: 'AppStudioAutomated',
          tags: ['prod'],
          configuration: { target: { deploymentTargetClaim: { claimName: 'prod-dtc' } } },
        },
      });
      await scene.claim(namespace, className);

      await world.settle();
      const hosted = await scene.hostedFor(namespace);
      expect(hosted?.pool).toMatchObject({ spec: { replicas: 3, clusterName: hosted?.name } });
      expect((await scene.theClaim(namespace))?.status?.phase).toBe('Pending');
      expect((await scene.theClaim(namespace))?.metadata.annotations[annotations.targetProvisioner.key]).toBe(
        small.provisioner,
      );

      await hypershift.notice(hosted?.name ?? '');
      await hypershift.finish(hosted?.name ?? '', api);
      await scene.eventually(
        'the claim to be Bound',
        async () => (await scene.theClaim(namespace))?.status?.phase === 'Bound',
      );

      const [target] = await listObjects(world.cluster, targets, namespace);
      const bound = await scene.theClaim(namespace);
      const secret = await world.cluster.read(secrets, { namespace, name: `${hosted?.name}-kubeconfig` });
      expect(target).toMatchObject({
        metadata: { annotations: { [annotations.provisionedBy.key]: small.provisioner } },
        spec: {
          deploymentTargetClassName: className,
          kubernetesCredentials: {
            defaultNamespace: 'default',
            apiURL: api.url,
            clusterCredentialsSecret: secret?.metadata.name,
          },
          claimRef: { name: 'prod-dtc', uid: bound?.metadata.uid },
        },
        status: { phase: 'Bound' },
      });
      expect(target?.metadata.finalizers).toContain(finalizers.target.key);
      expect(secret).toMatchObject({
        type: 'Opaque',
        metadata: { ownerReferences: [{ uid: target?.metadata.uid, name: target?.metadata.name }] },
      });
      const environment = await world.cluster.read(managedEnvironments, {
        namespace,
        name: 'managed-environment-prod',
      });
      expect(environment?.spec).toMatchObject({ apiURL: api.url, namespaces: ['default'] });

      await world.cluster.remove(environments, { namespace, name: 'prod' });
      await world.cluster.remove(claims, { namespace, name: 'prod-dtc' });
      await world.settle();
      expect((await scene.hostedFor(namespace))?.cluster.metadata.deletionTimestamp).toBeDefined();
      expect(await scene.theClaim(namespace)).toBeDefined();

      await hypershift.finishDeletions();
      await scene.eventually('the claim to be gone', async () => (await scene.theClaim(namespace)) === undefined);
      expect(await scene.whatIsLeft(namespace)).toEqual([]);
    });

    it('frees the cluster of a claim that goes before it was bound', async () => {
      const { namespace, className } = await scene.open('early');
      await scene.claim(namespace, className);
      await world.settle();
      const hosted = await scene.hostedFor(namespace);
      await hypershift.notice(hosted?.name ?? '');

      await world.cluster.remove(claims, { namespace, name: 'prod-dtc' });
      await world.settle();
      expect(await scene.theClaim(namespace)).toBeDefined();
      await hypershift.finishDeletions();

      await scene.eventually('the claim to be gone', async () => (await scene.theClaim(namespace)) === undefined);
      expect(await scene.whatIsLeft(namespace)).toEqual([]);
    });

    it('keeps cluster, target and Secret where the policy is Retain', async () => {
      const { namespace, className } = await scene.open('kept', { reclaimPolicy: 'Retain' });
      await scene.claim(namespace, className);
      await world.settle();
      await hypershift.finish((await scene.hostedFor(namespace))?.name ?? '', api);
      await scene.eventually(
        'the claim to be Bound',
        async () => (await scene.theClaim(namespace))?.status?.phase === 'Bound',
      );

      await world.cluster.remove(claims, { namespace, name: 'prod-dtc' });
      await scene.eventually('the claim to be gone', async () => (await scene.theClaim(namespace)) === undefined);
      await world.settle();

      const [target] = await listObjects(world.cluster, targets, namespace);
      expect(target?.status?.phase).toBe('Released');
      expect((await scene.hostedFor(namespace))?.cluster.metadata.deletionTimestamp).toBeUndefined();
      expect(await scene.whatIsLeft(namespace)).toEqual(['HostedCluster', 'NodePool', 'Secret', 'DeploymentTarget']);
    });

    it('tells the claim which parameter of its class is wrong, makes nothing, and lets it go', async () => {
      const { namespace, className } = await scene.open('wrong', {
        parameters: { ...small.parameters, numOfNodes: 'many' },
      });
      await scene.claim(namespace, className);

      await world.settle();

      expect((await scene.theClaim(namespace))?.status?.conditions).toContainEqual(
        expect.objectContaining({
          status: 'False',
          reason: 'ClassParametersInvalid',
          message: expect.stringContaining('numOfNodes'),
        }),
      );
      expect(await scene.whatIsLeft(namespace)).toEqual([]);
      await world.cluster.remove(claims, { namespace, name: 'prod-dtc' });
      await scene.eventually('the claim to be gone', async () => (await scene.theClaim(namespace)) === undefined);
    });

    it('tells the claim why HyperShift makes no cluster, and goes on when it does', async () => {
      const { namespace, className } = await scene.open('refused');
      await scene.claim(namespace, className);
      await world.settle();
      const name = (await scene.hostedFor(namespace))?.name ?? '';

      await hypershift.sayOfCluster(name, { type: 'ValidReleaseImage', status: 'False', reason: 'InvalidImage' });
      await world.wake();
      await world.settle();

      const told = JSON.stringify((await scene.theClaim(namespace))?.status?.conditions);
      expect(told).toContain('ValidReleaseImage is False (InvalidImage)');
      expect(told).not.toContain('secret-account');
      await hypershift.finish(name, api);
      await scene.eventually(
        'the claim to be Bound',
        async () => (await scene.theClaim(namespace))?.status?.phase === 'Bound',
      );
    });

    it('writes nothing of any secret into steps, conditions and messages', async () => {
      const [keyLine = ''] = api.adminKey.split('\n').slice(1);
      const { tokens } = await tokensOfTenants();
      const kept = await world.sql<{ text: string }[]>`
        select to_jsonb(l)::text as text from step_log l union all select to_jsonb(g)::text from ledger g`;
      const told = JSON.stringify(await listObjects(world.cluster, claims));
      const written = [...kept.map(({ text }) => text), told, JSON.stringify(world.queue.sent)].join('\n');

      expect(tokens.length).toBeGreaterThan(0);
      for (const secret of [keyLine, ...tokens]) expect(written).not.toContain(secret);
      expect(written).not.toContain('client-key-data');
    });

    async function tokensOfTenants() {
      const tokens: string[] = [];
      for (const { metadata } of await listObjects(world.cluster, namespaces))
        if (metadata.name.startsWith('hosted-'))
          for (const { data } of await listObjects(world.cluster, secrets, metadata.name))
            tokens.push(
              ...Array.from(
                Buffer.from(data['kubeconfig'] ?? '', 'base64')
                  .toString()
                  .matchAll(/token: (\S+)/g),
                ([, token = '']) => token,
              ),
            );
      return { tokens };
    }
  });
}
