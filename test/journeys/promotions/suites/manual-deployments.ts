import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitOpsDeployments, syncRuns } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { listObjects } from '../../../support/list-objects.ts';
import type { ReleaseWorld } from '../../../support/release-world.ts';
import { openPromotionScene, type PromotionScene } from './promotion-scene.ts';

const image = (version: string) => `registry.example.com/shop/web:${version}`;
const deployment = 'shop-dev-binding-shop-dev-web';

/** Somebody wants to be asked before Argo CD changes anything. */
export function describeManualDeployments(open: () => Promise<ReleaseWorld>): void {
  describe('a GitOpsDeployment that somebody made manual', () => {
    let world: ReleaseWorld;
    let scene: PromotionScene;
    beforeAll(async () => {
      world = await open();
      scene = await openPromotionScene(world);
      await scene.application('shop');
      await scene.environments('dev manual');
      await scene.component('web', image('v1'));
      await scene.snapshot('v1', { web: image('v1') });
      await scene.settle();
      await scene.promote('first', 'v1', 'dev');
      await scene.settle();
      await scene.deploys('dev');
    });
    afterAll(() => world?.close());

    const all = () => listObjects(world.cluster, syncRuns, scene.namespace);

    it('was of type automated, and nobody had to ask for a sync', async () => {
      expect(await scene.stands('first')).toBe('Completed, Success, 1 dev success');
      expect(await all()).toEqual([]);
    });

    it('stays manual', async () => {
      const key = { namespace: scene.namespace, name: deployment };
      await world.cluster.patch(gitOpsDeployments, key, { spec: { type: 'manual' } });
      await scene.settle();

      expect((await world.cluster.read(gitOpsDeployments, key))?.spec.type).toBe('manual');
    });

    it('is synced by the next promotion, at the commit that this one wrote, once', async () => {
      await scene.snapshot('v2', { web: image('v2') });
      await scene.promote('second', 'v2', 'dev');
      await scene.settle();
      await scene.argoSays('dev', { sync: 'OutOfSync' });
      await scene.settle();

      const [only, ...more] = await all();
      const { status, metadata } = await scene.run('second');
      expect(more).toEqual([]);
      expect(only?.spec).toEqual({
        gitopsDeploymentName: deployment,
        revisionID: status?.environmentStatus[0]?.commit,
      });
      expect(only?.metadata.labels).toMatchObject({
        'appstudio.application': 'shop',
        'appstudio.environment': 'dev',
        'stagecoach.dev/cause': 'second',
      });
      expect(only?.metadata.ownerReferences).toMatchObject([{ kind: 'PromotionRun', uid: metadata.uid }]);
      expect(await scene.stands('second')).toBe('Active, 1 dev in-progress');
    });

    it('is a success when Argo CD has done so, and what was asked for stays on record', async () => {
      await scene.deploys('dev');

      expect(await scene.stands('second')).toBe('Completed, Success, 1 dev success');
      expect(await all()).toHaveLength(1);
    });
  });
}
