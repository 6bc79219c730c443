import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindings } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { listObjects } from '../../../support/list-objects.ts';
import type { ReleaseWorld } from '../../../support/release-world.ts';
import { openPromotionScene, type PromotionScene } from './promotion-scene.ts';

const image = (name: string) => `registry.example.com/${name}:v1`;

/** What a promotion makes of the names that people give. */
export function describeItsBindings(open: () => Promise<ReleaseWorld>): void {
  describe('the Bindings of promotions', () => {
    let world: ReleaseWorld;
    let scene: PromotionScene;
    beforeAll(async () => {
      world = await open();
      scene = await openPromotionScene(world);
      await scene.environments('c manual', 'b-c manual');
      for (const [application, component] of [
        ['a', 'web'],
        ['a-b', 'api'],
      ] as const) {
        await scene.application(application);
        await scene.component(component, image(component), {}, application);
      }
      await scene.component('batch', image('batch'), { skipGitOpsResourceGeneration: true }, 'a');
      await scene.snapshot('of-a', { web: image('web'), batch: image('batch') }, 'a');
      await scene.snapshot('of-a-b', { api: image('api') }, 'a-b');
      await scene.settle();
    });
    afterAll(() => world?.close());

    it('are two, though both pairs make the same name', async () => {
      await scene.promote('first', 'of-a-b', 'c', 'a-b');
      await scene.settle();
      await scene.promote('second', 'of-a', 'b-c', 'a');
      await scene.settle();

      const all = await listObjects(world.cluster, bindings, scene.namespace);
      expect(all.map(({ spec }) => `${spec.application} in ${spec.environment}`).toSorted()).toEqual([
        'a in b-c',
        'a-b in c',
      ]);
      const names = all.map(({ metadata }) => metadata.name).toSorted();
      expect(names[0]).toBe('a-b-c-binding');
      expect(names[1]).toMatch(/^a-b-c-binding-[0-9a-f]{10}$/);
      expect(await scene.stands('first')).toBe('Active, 1 c in-progress');
      expect(await scene.stands('second')).toBe('Active, 1 b-c in-progress');
    });

    it('lead to success without a component for which nothing is written to Git', async () => {
      await scene.deploys('b-c', 'c');

      expect(await scene.stands('first')).toBe('Completed, Success, 1 c success');
      expect(await scene.stands('second')).toBe('Completed, Success, 1 b-c success');
      const { status } = await scene.run('second');
      expect(status?.environmentStatus[0]?.components.map(({ name }) => name)).toEqual(['web']);
    });
  });
}
