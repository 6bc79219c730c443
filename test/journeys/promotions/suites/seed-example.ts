import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { components } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { ReleaseWorld } from '../../../support/release-world.ts';
import { openPromotionScene, type PromotionScene } from './promotion-scene.ts';

const image = (version: string) => `registry.example.com/app-a/component-a:${version}`;

/** The example of the first design document, step by step. */
export function describeSeedExample(open: () => Promise<ReleaseWorld>): void {
  describe('POC → Dev automated, Staging manual, Prod 1 automated, Prod 2 manual', () => {
    let world: ReleaseWorld;
    let scene: PromotionScene;
    let automated = '';
    let snapshot = '';
    beforeAll(async () => {
      world = await open();
      scene = await openPromotionScene(world);
      await scene.application('app-a');
      await scene.environments('poc', 'dev<poc', 'staging<dev manual', 'prod-1<staging', 'prod-2<staging manual');
      await scene.settle();
    });
    afterAll(() => world?.close());

    /** What a commit says of itself, in lines of their own. */
    const trailers = (run: string) =>
      new RegExp(`^Stagecoach-Snapshot: ${snapshot}$[^]*^Stagecoach-Promotion: ${run}$`, 'm');
    const lastCommit = async () => (await scene.commits(await scene.repository('app-a')))[0]?.message;

    it('1 to 3: a build makes a Snapshot, and that an automated PromotionRun that starts in POC', async () => {
      await scene.component('component-a', image('v1'), {}, 'app-a');
      await scene.settle();

      const [run, ...more] = await scene.runs();
      expect(more).toEqual([]);
      automated = run?.metadata.name ?? '';
      snapshot = run?.spec.snapshot ?? '';
      expect(run?.spec).toMatchObject({ application: 'app-a', automatedPromotion: { initialEnvironments: ['poc'] } });
      expect(run?.metadata.labels).toMatchObject({ 'appstudio.application': 'app-a', 'appstudio.environment': 'poc' });
    });

    it('4: POC gets the Snapshot by a Binding with defaults, and the run waits for Argo CD', async () => {
      expect(await scene.bound()).toEqual({ poc: snapshot });
      expect((await scene.read('app-a-poc-binding')).spec.components).toEqual([{ name: 'component-a' }]);
      expect(await scene.stands(automated)).toBe('Active, 1 poc in-progress');
      const { status } = await scene.run(automated);
      expect(status?.activeBindings).toEqual(['app-a-poc-binding']);
      expect(status?.waiting).toMatchObject({ reason: 'NotReported' });
      expect(Date.parse(status?.waiting?.until ?? '') - Date.parse(status?.waiting?.since ?? '')).toBe(300_000);
      expect(await lastCommit()).toMatch(trailers(automated));
    });

    it('5: when POC is Synced and Healthy at the commit, Dev gets it by itself', async () => {
      await scene.deploys('poc');

      expect(await scene.stands(automated)).toBe('Active, 1 poc success, 2 dev in-progress');
      expect(await scene.bound()).toEqual({ poc: snapshot, dev: snapshot });
    });

    it('6: after Dev there is no automated environment, so the run ends with Success', async () => {
      await scene.deploys('dev');

      expect(await scene.stands(automated)).toBe('Completed, Success, 1 poc success, 2 dev success');
      expect(await scene.bound()).toEqual({ poc: snapshot, dev: snapshot });
      expect(await scene.condition(automated, 'Promoted')).toBe('True Success: ');
    });

    it('7 and 8: a manual PromotionRun brings the Snapshot of Dev to Staging', async () => {
      await scene.promote('to-staging', snapshot, 'staging', 'app-a');
      await scene.settle();

      expect(await scene.stands('to-staging')).toBe('Active, 1 staging in-progress');
      expect(await scene.bound()).toMatchObject({ staging: snapshot });
      expect(await lastCommit()).toMatch(trailers('to-staging'));
    });

    it('9 and 10: Prod 1 follows in a run of its own, and Prod 2 does not', async () => {
      await scene.deploys('staging');

      expect(await scene.stands('to-staging')).toBe('Completed, Success, 1 staging success');
      const follower = (await scene.runs()).find(
        ({ metadata }) => metadata.annotations['stagecoach.dev/cause'] === 'PromotionRun to-staging',
      );
      expect(follower?.metadata.labels['stagecoach.dev/cause']).toBe('to-staging');
      expect(follower?.spec.automatedPromotion?.initialEnvironments).toEqual(['prod-1']);
      await scene.deploys('prod-1');
      expect(await scene.stands(follower?.metadata.name ?? '')).toBe('Completed, Success, 1 prod-1 success');
      expect(Object.keys(await scene.bound()).toSorted()).toEqual(['dev', 'poc', 'prod-1', 'staging']);
    });

    it('another build takes the same way, and writes over no value that a person gave a Binding', async () => {
      await scene.change('app-a-poc-binding', {
        components: [{ name: 'component-a', configuration: { replicas: 3 } }],
      });
      await scene.settle();
      await world.cluster.patch(
        components,
        { namespace: scene.namespace, name: 'component-a' },
        { spec: { containerImage: image('v2') } },
      );
      await scene.settle();
      await scene.deploys('poc');
      await scene.deploys('dev');

      const bound = await scene.bound();
      expect(bound['poc']).not.toBe(snapshot);
      expect(bound).toEqual({ poc: bound['poc'], dev: bound['poc'], staging: snapshot, 'prod-1': snapshot });
      expect((await scene.read('app-a-poc-binding')).spec.components).toMatchObject([
        { name: 'component-a', configuration: { replicas: 3 } },
      ]);
    });
  });
}
