import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claims, classes, targets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { annotations, finalizers, labels } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { say } from '../../../support/play-space-controller.ts';
import { later, openProvisioningScene, type ProvisioningScene, playSpaces, sandbox } from './provisioning-scene.ts';

const twoMinutes = 121_000;
const name = 'staging-dtc-dt';

/** How a target that was made comes to its end. */
export function describeReclaiming(open: () => Promise<GitOpsWorld>): void {
  describe('a target that was made for a claim goes', () => {
    let world: GitOpsWorld;
    let giveBack: () => void;
    let scene: ProvisioningScene;

    beforeAll(async () => {
      world = await open();
      giveBack = playSpaces(world);
    });
    afterAll(async () => {
      giveBack();
      await world.close();
    });
    beforeEach(async () => {
      scene = await openProvisioningScene(world);
    });

    async function deleteTarget(): Promise<void> {
      await world.cluster.remove(targets, { namespace: scene.namespace, name });
      await scene.look('target.released.v1', name);
    }

    async function errorOf(): Promise<string | undefined> {
      const said = (await scene.target())?.said.find(({ type }) => type === 'ErrorOccurred');
      return said?.status === 'True' ? said.message : undefined;
    }

    /** A target as a provisioner left it, of a claim that is gone. */
    async function makeTarget(className: string, given: object = {}): Promise<void> {
      await world.cluster.create(targets, {
        metadata: {
          namespace: scene.namespace,
          name,
          annotations: { [annotations.provisionedBy.key]: sandbox },
          ...given,
        },
        spec: {
          deploymentTargetClassName: className,
          kubernetesCredentials: { defaultNamespace: 'n', apiURL: 'https://a.example', clusterCredentialsSecret: 's' },
        },
      });
    }

    it('AT-01 is held by its finalizer, put back where it is missing', async () => {
      const className = await scene.makeClass();
      const { target } = await scene.makeProvisioned(className);
      const key = { namespace: scene.namespace, name };
      await world.cluster.patch(targets, key, { metadata: { finalizers: [] } });

      await scene.look('target.released.v1', name);

      expect(target.isHeld).toBe(true);
      expect((await scene.target())?.isHeld).toBe(true);
      expect(await scene.writesOf(() => scene.look('target.released.v1', name))).toEqual([]);
    });

    it('is not held where its class says Retain', async () => {
      const { target } = await scene.makeProvisioned(await scene.makeClass({ reclaimPolicy: 'Retain' }));

      await scene.look('target.released.v1', name);

      expect(target.isHeld).toBe(false);
      expect((await scene.target())?.isHeld).toBe(false);
    });

    it('takes what is behind it along, and stays until that has gone', async () => {
      await scene.makeProvisioned(await scene.makeClass());

      await deleteTarget();
      const { metadata } = await scene.request();
      const during = await scene.target();
      await scene.terminate();

      expect(metadata.deletionTimestamp).toBeDefined();
      expect(metadata.finalizers).toContain(finalizers.spaceRequest.key);
      expect(during?.isDeleting).toBe(true);
      expect(await scene.target()).toBeUndefined();
    });

    it('AT-06 finds what is behind it by its own name, where it no longer names a claim', async () => {
      await scene.makeProvisioned(await scene.makeClass());
      const { metadata } = await scene.request();
      await world.cluster.patch(targets, { namespace: scene.namespace, name }, { spec: { claimRef: null } });

      await deleteTarget();

      expect(metadata.labels[labels.target]).toBe(name);
      expect((await scene.request()).metadata.deletionTimestamp).toBeDefined();
    });

    it('AT-02 has failed when that cannot go for two minutes, and goes when it goes after all', async () => {
      await scene.makeProvisioned(await scene.makeClass());
      await deleteTarget();
      const trouble = { status: 'False', reason: 'UnableToTerminate', message: 'the namespace hangs' } as const;
      const request = await scene.request();

      await say(world.cluster, request, trouble);
      await world.settle();
      const early = await scene.target();
      await later(world, twoMinutes, () => scene.look('target.released.v1', name));
      const late = await scene.target();
      const text = await errorOf();
      const present = await scene.requests();
      await scene.terminate();

      expect(early?.phase).not.toBe('Failed');
      expect(late).toMatchObject({ phase: 'Failed', isDeleting: true, isHeld: true });
      expect(text).toBe(`SpaceRequest ${request.metadata.name} cannot be removed: the namespace hangs`);
      expect(present).toHaveLength(1);
      expect(await scene.target()).toBeUndefined();
      expect(await scene.requests()).toEqual([]);
    });

    it('has not failed after two minutes where nobody says that it cannot go', async () => {
      await scene.makeProvisioned(await scene.makeClass());
      await deleteTarget();

      await say(world.cluster, await scene.request(), { status: 'False', reason: 'Terminating' });
      await later(world, twoMinutes, () => scene.look('target.released.v1', name));

      expect((await scene.target())?.phase).not.toBe('Failed');
    });

    it('AT-04 goes at once where nothing is behind it', async () => {
      await makeTarget(await scene.makeClass({ reclaimPolicy: 'Retain' }), { finalizers: [finalizers.target.key] });

      await deleteTarget();

      expect(await scene.target()).toBeUndefined();
    });

    it('AT-04 goes where a person made it and the original service held it, and only our finalizer goes', async () => {
      const held = [finalizers.target.key, 'somebody.example/else'];
      await makeTarget('', { annotations: {}, finalizers: held });

      await deleteTarget();

      const found = await world.cluster.read(targets, { namespace: scene.namespace, name });
      expect(found?.metadata.finalizers).toEqual(['somebody.example/else']);
      await world.cluster.patch(targets, { namespace: scene.namespace, name }, { metadata: { finalizers: [] } });
    });

    it('AT-05 leaves what is behind it where its class says Retain', async () => {
      await scene.makeProvisioned(await scene.makeClass({ reclaimPolicy: 'Retain' }));
      const key = { namespace: scene.namespace, name };
      await world.cluster.patch(targets, key, { metadata: { finalizers: [finalizers.target.key] } });

      await deleteTarget();

      expect(await scene.target()).toBeUndefined();
      expect((await scene.request()).metadata.deletionTimestamp).toBeUndefined();
    });

    it('says what is wrong with its class, waits, and goes on when that is put right', async () => {
      const className = await scene.makeClass();
      await scene.makeProvisioned(className);
      await world.cluster.remove(classes, { namespace: '', name: className });

      await deleteTarget();
      const text = await errorOf();
      const spec = { provisioner: sandbox, parameters: {}, reclaimPolicy: 'Delete' };
      await world.cluster.create(classes, { metadata: { name: className }, spec });
      await world.wake();
      await world.settle();
      const request = await scene.request();
      await scene.terminate();

      expect(text).toBe('failed to retrieve DeploymentTargetClass of DeploymentTarget');
      expect(request.metadata.deletionTimestamp).toBeDefined();
      expect(await scene.target()).toBeUndefined();
    });

    it('says when its class has a policy that nobody knows, and keeps everything', async () => {
      await scene.makeProvisioned(await scene.makeClass({ reclaimPolicy: 'Recycle' }));
      const key = { namespace: scene.namespace, name };
      await world.cluster.patch(targets, key, { metadata: { finalizers: [finalizers.target.key] } });

      await deleteTarget();

      expect(await errorOf()).toBe('unexpected reclaim policy value on DeploymentTargetClass');
      expect((await scene.request()).metadata.deletionTimestamp).toBeUndefined();
    });

    it('goes with its namespace when its claim was torn away', async () => {
      await scene.makeProvisioned(await scene.makeClass());
      const key = { namespace: scene.namespace, name: 'staging-dtc' };
      await world.cluster.remove(claims, key);
      await world.cluster.patch(claims, key, { metadata: { finalizers: [] } });

      await world.settle();
      await world.cluster.patch(
        targets,
        { namespace: scene.namespace, name },
        { status: { phase: 'Released' } },
        {
          subresource: 'status',
        },
      );
      await scene.look('target.released.v1', name);
      await scene.terminate();

      expect(await scene.targets()).toEqual([]);
      expect(await scene.requests()).toEqual([]);
    });

    it('is left alone where somebody else made it', async () => {
      const className = await scene.makeClass({ provisioner: 'else.example/where' });
      const theirs = { [annotations.provisionedBy.key]: 'else.example/where' };
      await makeTarget(className, { annotations: theirs, finalizers: ['provisioner.appstudio.redhat.com/finalizer'] });

      await deleteTarget();

      expect((await scene.target())?.isHeld).toBe(true);
    });
  });
}
