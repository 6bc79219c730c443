import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claims, spaceRequests } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { annotations } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { openProvisioningScene, type ProvisioningScene, playSpaces } from './provisioning-scene.ts';

const small = { requests: { cpu: '1', memory: '1Gi' } };
const large = { requests: { cpu: '4', memory: '1Gi' } };

/** How a bound claim gets more. */
export function describeGrowing(open: () => Promise<GitOpsWorld>): void {
  describe('a bound claim asks for more', () => {
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

    /** As the binder leaves it, whether or not the binder was there. */
    async function bindAndGrow(): Promise<void> {
      const key = { namespace: scene.namespace, name: 'staging-dtc' };
      await world.cluster.patch(claims, key, {
        metadata: { annotations: { [annotations.bindComplete.key]: 'true' } },
        spec: { targetName: 'staging-dtc-dt' },
      });
      await world.cluster.patch(claims, key, { spec: { resources: large } });
      await scene.look('target.requested.v1', 'staging-dtc');
    }

    async function grant(resources: object): Promise<void> {
      const { namespace, name } = (await scene.request()).metadata;
      await world.cluster.patch(
        spaceRequests,
        { namespace, name },
        { metadata: { annotations: { [annotations.grantedResources.key]: JSON.stringify(resources) } } },
      );
      await world.settle();
    }

    it('is handed on to the provisioner, and the target grows when more was given and not before', async () => {
      await scene.makeClaim(await scene.makeClass({ allowTargetResourceExpansion: true }), { resources: small });
      await grant(small);
      await scene.fulfil();
      const before = await scene.target();

      await bindAndGrow();
      const asked = (await scene.request()).metadata.annotations[annotations.wantedResources.key];
      const during = await scene.target();
      await grant(large);

      expect(before?.resources).toEqual(small);
      expect(asked).toBe(JSON.stringify(large));
      expect(during?.resources).toEqual(small);
      expect((await scene.target())?.resources).toEqual(large);
      expect(await scene.condition('Expanded')).toMatchObject({ status: 'True' });
      expect(await scene.writesOf(() => scene.look('target.requested.v1', 'staging-dtc'))).toEqual([]);
    });

    it('gets nothing where the class does not allow it', async () => {
      await scene.makeProvisioned(await scene.makeClass(), { resources: small });

      await bindAndGrow();

      expect((await scene.request()).metadata.annotations[annotations.wantedResources.key]).toBe(JSON.stringify(small));
      expect((await scene.target())?.resources).toEqual(small);
    });

    it('gets nothing beyond the maximum of the class, and says so', async () => {
      const parameters = { maximum: { requests: { cpu: '2' } } };
      const className = await scene.makeClass({ allowTargetResourceExpansion: true, parameters });
      await scene.makeProvisioned(className, { resources: small });

      await bindAndGrow();

      expect((await scene.target())?.resources).toEqual(small);
      expect(await scene.condition('Expanded')).toMatchObject({ status: 'False', reason: 'ResourcesExceedClass' });
    });

    it('grows before it is bound by asking for more at once', async () => {
      await scene.makeClaim(await scene.makeClass(), { resources: small });
      const key = { namespace: scene.namespace, name: 'staging-dtc' };

      await world.cluster.patch(claims, key, { spec: { resources: large } });
      await scene.look('target.requested.v1', 'staging-dtc');
      await grant(large);
      await scene.fulfil();

      expect((await scene.target())?.resources).toEqual(large);
    });
  });
}
