import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claims, spaceRequests, targets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { annotations, finalizers, labels } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import { Refused } from '../../../../shared/ports/trouble.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { say } from '../../../support/play-space-controller.ts';
import { openProvisioningScene, type ProvisioningScene, playSpaces, sandbox } from './provisioning-scene.ts';

/** How a claim gets a target that was not there before. */
export function describeProvisioning(open: () => Promise<GitOpsWorld>): void {
  describe('a target is made for a claim', () => {
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

    it('AC-38 Q21 AQ-01 asks for a namespace, and makes a target of it when it is there', async () => {
      const className = await scene.makeClass();
      const claim = await scene.makeClaim(className);
      const request = await scene.request();
      const pending = await scene.condition('Provisioned');

      await scene.fulfil();

      expect(request.spec.tierName).toBe('appstudio-env');
      expect(request.metadata.labels).toEqual({ [labels.claim]: 'staging-dtc' });
      expect(pending).toMatchObject({ status: 'False', reason: 'Provisioning' });
      const made = await world.cluster.read(targets, { namespace: scene.namespace, name: 'staging-dtc-dt' });
      expect(made?.spec).toMatchObject({
        deploymentTargetClassName: className,
        claimRef: { name: 'staging-dtc', uid: claim.uid },
        kubernetesCredentials: {
          defaultNamespace: `${request.metadata.name}-space`,
          apiURL: 'https://member.example',
          clusterCredentialsSecret: `${request.metadata.name}-secret`,
          allowInsecureSkipTLSVerify: false,
        },
      });
      expect(made?.metadata.annotations[annotations.provisionedBy.key]).toBe(sandbox);
      expect(made?.metadata.finalizers).toContain(finalizers.target.key);
      expect((await scene.request()).metadata.labels[labels.target]).toBe('staging-dtc-dt');
      expect(await scene.condition('Provisioned')).toMatchObject({ status: 'True', reason: 'Provisioned' });
    });

    it('AC-39 Q22 asks once and makes one target, however often it looks', async () => {
      await scene.makeProvisioned(await scene.makeClass());

      const writes = await scene.writesOf(() => scene.look('target.requested.v1', 'staging-dtc'));

      expect(writes).toEqual([]);
      expect(await scene.requests()).toHaveLength(1);
      expect(await scene.targets()).toHaveLength(1);
    });

    it('writes nothing again while it waits', async () => {
      await scene.makeClaim(await scene.makeClass());
      await scene.look('target.requested.v1', 'staging-dtc');

      const writes = await scene.writesOf(async () => {
        await world.wake();
        await world.settle();
      });

      expect(writes).toEqual([]);
    });

    it('AC-19 asks for nothing where the class names another provisioner, and nothing where the class is missing', async () => {
      await scene.makeClaim(await scene.makeClass({ provisioner: 'else.example/where' }));
      await scene.makeClaim('no-such-class', {}, 'another-dtc');

      expect(await scene.requests()).toEqual([]);
    });

    it('asks for the tier, the roles and the amounts that the class gives', async () => {
      const resources = { requests: { cpu: '2' } };
      const parameters = { tierName: 'large', targetClusterRoles: ['one'], resources };

      await scene.makeClaim(await scene.makeClass({ parameters }));

      const { metadata, spec } = await scene.request();
      expect(spec).toEqual({ tierName: 'large', targetClusterRoles: ['one'] });
      expect(metadata.annotations[annotations.wantedResources.key]).toBe(JSON.stringify(resources));
    });

    it('refuses a claim that wants more than its class gives, and asks when the claim wants less', async () => {
      const className = await scene.makeClass({ parameters: { maximum: { limits: { memory: '1Gi' } } } });
      await scene.makeClaim(className, { resources: { limits: { memory: '2Gi' } } });
      const refusal = await scene.condition('Provisioned');
      const before = await scene.requests();

      const key = { namespace: scene.namespace, name: 'staging-dtc' };
      await world.cluster.patch(claims, key, { spec: { resources: { limits: { memory: '512Mi' } } } });
      await scene.look('target.requested.v1', 'staging-dtc');

      expect(refusal).toMatchObject({ status: 'False', reason: 'ResourcesExceedClass' });
      expect(before).toEqual([]);
      expect(await scene.requests()).toHaveLength(1);
    });

    it('AQ-05 makes no target where the claim has one already', async () => {
      const className = await scene.makeClass();
      const claim = await scene.makeClaim(className);
      const { namespace } = scene;
      await world.cluster.create(targets, {
        metadata: { namespace, name: 'staging-dtc-dt' },
        spec: {
          deploymentTargetClassName: className,
          kubernetesCredentials: { defaultNamespace: 'n', apiURL: 'https://a.example', clusterCredentialsSecret: 's' },
          claimRef: { name: claim.name, uid: claim.uid },
        },
      });

      await scene.fulfil();

      expect(await scene.targets()).toHaveLength(1);
    });

    it('takes another name where the name of the target belongs to somebody else', async () => {
      await world.cluster.create(targets, {
        metadata: { namespace: scene.namespace, name: 'staging-dtc-dt' },
        spec: {
          deploymentTargetClassName: 'of-another-class',
          kubernetesCredentials: { defaultNamespace: 'n', apiURL: 'https://a.example', clusterCredentialsSecret: 's' },
        },
      });

      const claim = await scene.makeClaim(await scene.makeClass());
      await scene.fulfil();

      const made = await scene.target(`staging-dtc-${claim.uid.slice(0, 5)}-dt`);
      expect(made).toMatchObject({ claim: { name: 'staging-dtc', uid: claim.uid }, provisionedBy: sandbox });
    });

    it('Q24 waits while the SpaceRequest is ready and names no namespace', async () => {
      await scene.makeClaim(await scene.makeClass());

      await say(world.cluster, await scene.request(), { status: 'True', reason: 'Provisioned' });
      await world.settle();

      expect(await scene.targets()).toEqual([]);
      expect(await scene.condition('Provisioned')).toMatchObject({ reason: 'WaitingForNamespaceAccess' });
      await scene.fulfil();
      expect(await scene.targets()).toHaveLength(1);
    });

    it('Q25 makes no target of more than one namespace, and says so', async () => {
      await scene.makeClaim(await scene.makeClass());

      await say(world.cluster, await scene.request(), { status: 'True', reason: 'Provisioned' }, [
        { name: 'one', secretRef: 'opens-one' },
        { name: 'two', secretRef: 'opens-two' },
      ]);
      await world.settle();

      expect(await scene.targets()).toEqual([]);
      expect(await scene.condition('Provisioned')).toMatchObject({ status: 'False', reason: 'TooManyNamespaces' });
    });

    it('says why the namespace cannot be made, and goes on when it can', async () => {
      await scene.makeClaim(await scene.makeClass());
      const trouble = { status: 'False', reason: 'UnableToProvision', message: 'the tier is full' } as const;

      await say(world.cluster, await scene.request(), trouble);
      await world.settle();

      expect(await scene.condition('Provisioned')).toEqual(trouble);
      await scene.fulfil();
      expect(await scene.condition('Provisioned')).toMatchObject({ status: 'True' });
    });

    it('tells what the API server does not take, and asks again later', async () => {
      world.connection.trouble = ({ method, path }, when) =>
        when === 'before' && method === 'POST' && path.endsWith('/spacerequests')
          ? new Refused('Forbidden', 'the quota of SpaceRequests is used up')
          : undefined;
      await scene.makeClaim(await scene.makeClass());
      const refusal = await scene.condition('Provisioned');

      world.connection.trouble = undefined;
      await world.wake();
      await world.settle();

      expect(refusal).toEqual({
        status: 'False',
        reason: 'Forbidden',
        message: 'the quota of SpaceRequests is used up',
      });
      expect(await scene.requests()).toHaveLength(1);
    });

    it('takes over a SpaceRequest that the original service made for the claim', async () => {
      const className = await scene.makeClass();
      const { namespace } = scene;
      const [name, uid] = ['staging-dtc', (await scene.makeClaim(className, { targetName: 'not-yet' })).uid];
      await world.cluster.create(spaceRequests, {
        metadata: { namespace, generateName: `${name}-`, labels: { [labels.claim]: name } },
        spec: { tierName: 'appstudio-env', targetClusterRoles: [] },
      });

      await world.cluster.patch(claims, { namespace, name }, { spec: { targetName: '' } });
      await scene.look('target.requested.v1', name);
      await scene.fulfil();

      expect((await scene.request()).metadata.annotations[annotations.claimUid.key]).toBe(uid);
      expect(await scene.target()).toMatchObject({ claim: { name, uid } });
    });
  });
}
