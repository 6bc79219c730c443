import { describe, expect, it } from 'vitest';
import { environments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { ReleaseWorld } from '../../../support/release-world.ts';
import { inPromotionScenes, type TimedScene, untilFreshSecond } from './promotion-scene.ts';

/** A snapshot goes along the graph of Environments, one depth after the other. */
export function describeGraph(open: () => Promise<ReleaseWorld>): void {
  describe('the graph of environments', () => {
    let scene: TimedScene;
    inPromotionScenes(open, async (fresh) => {
      scene = fresh;
      await scene.shop('web');
    });

    /** A Snapshot of somebody else, and the run that was made for it. */
    async function release(name = 'one'): Promise<string> {
      await scene.snapshot(name, { web: `quay.io/shop/web:${name}` });
      await scene.settle();
      const found = (await scene.runs()).find(({ spec }) => spec.snapshot === name);
      return found?.metadata.name ?? 'none';
    }

    const change = (name: string, spec: object) =>
      scene.world.cluster.patch(environments, { namespace: scene.namespace, name }, { spec });

    it('P06 is entered at all automated roots by one run, whoever made the Snapshot, and at no manual one', async () => {
      await scene.environments('dev', 'lab', 'by-hand manual', 'prod<dev');
      const run = await release();

      expect(await scene.runs()).toHaveLength(1);
      const { spec, metadata } = await scene.run(run);
      expect(spec.automatedPromotion?.initialEnvironments).toEqual(['dev', 'lab']);
      expect(metadata.annotations['stagecoach.dev/cause']).toBe('Snapshot one');
      expect(await scene.stands(run)).toBe('Active, 1 dev in-progress, 1 lab in-progress');
      expect(await scene.bound()).toEqual({ dev: 'one', lab: 'one' });
    });

    it('is taken one depth at a time: the next begins, side by side, when all of this one are done', async () => {
      await scene.environments('dev', 'lab', 'east<dev', 'west<dev', 'moon<lab', 'shop<dev manual');
      const run = await release();

      await scene.deploys('dev');
      expect(await scene.stands(run)).toBe('Active, 1 dev success, 1 lab in-progress');

      await scene.deploys('lab');
      expect(await scene.stands(run)).toBe(
        'Active, 1 dev success, 1 lab success, 2 east in-progress, 2 moon in-progress, 2 west in-progress',
      );
      expect((await scene.run(run)).status?.activeBindings).toEqual([
        'shop-east-binding',
        'shop-moon-binding',
        'shop-west-binding',
      ]);

      await scene.deploys('east', 'moon', 'west');
      expect(await scene.stands(run)).toBe(
        'Completed, Success, 1 dev success, 1 lab success, 2 east success, 2 moon success, 2 west success',
      );
      expect(Object.keys(await scene.bound())).not.toContain('shop');
    });

    it('has environments of one depth fail and succeed on their own, and nothing begins after a failure', async () => {
      await scene.environments('dev', 'east<dev', 'west<dev', 'far-east<east', 'far-west<west');
      const run = await release();
      await scene.deploys('dev');
      await scene.argoSays('east', { health: 'Degraded', message: 'no such image' });
      await scene.pass(200);
      await scene.deploys('west');
      expect(await scene.stands(run)).toBe('Active, 1 dev success, 2 east in-progress, 2 west success');

      await scene.pass(120);

      expect(await scene.stands(run)).toBe('Completed, Failure, 1 dev success, 2 east failed, 2 west success');
      expect(await scene.condition(run, 'Promoted')).toMatch(
        /^False NotHealthy: east: Component web is Degraded at commit [\da-f]{10}: no such image$/,
      );
      expect(Object.keys(await scene.bound()).toSorted()).toEqual(['dev', 'east', 'west']);
    });

    it('is honoured as it is when a step begins: who came, who left, who went manual', async () => {
      await scene.environments('dev', 'east<dev', 'west<dev', 'north<dev');
      const run = await release();
      await scene.environments('south<dev');
      await scene.world.cluster.remove(environments, { namespace: scene.namespace, name: 'west' });
      await change('north', { deploymentStrategy: 'Manual' });
      await scene.settle();

      await scene.deploys('dev');

      expect(await scene.stands(run)).toBe('Active, 1 dev success, 2 east in-progress, 2 south in-progress');
    });

    it('lets a run fail whose environment is deleted under way, and says so', async () => {
      await scene.environments('dev');
      const run = await release();
      await scene.world.cluster.remove(environments, { namespace: scene.namespace, name: 'dev' });
      await scene.pass(60);

      expect(await scene.stands(run)).toBe('Completed, Failure, 1 dev failed');
      expect(await scene.condition(run, 'Promoted')).toBe('False EnvironmentGone: dev: Environment dev was deleted');
    });

    it('takes nobody into a circle: it is no root and no child, and a run that names it is told why', async () => {
      await scene.environments('dev', 'a', 'b<a');
      await change('a', { parentEnvironment: 'b' });
      await scene.settle();
      const run = await release();
      await scene.deploys('dev');
      expect(await scene.stands(run)).toBe('Completed, Success, 1 dev success');

      await scene.promote('round', 'one', 'a');
      await scene.settle();

      expect(await scene.stands('round')).toBe('Completed, Failure');
      expect(await scene.condition('round', 'Promoted')).toMatch(
        /^False ParentCycle: Environment a is its own parent by way of .*: give one of them another parentEnvironment$/,
      );
      expect(Object.keys(await scene.bound())).toEqual(['dev']);
    });

    it('is followed from a manual environment on in a run of its own, which goes to the end of the line', async () => {
      await scene.environments('dev manual', 'east<dev', 'west<dev', 'shop<dev manual', 'far<east');
      await scene.snapshot('one', { web: 'quay.io/shop/web:1' });
      await scene.promote('a', 'one', 'dev');
      await scene.promote('b', 'one', 'shop');
      await scene.settle();
      await untilFreshSecond();
      await scene.deploys('dev');

      expect(await scene.stands('a')).toBe('Completed, Success, 1 dev success');
      const follower = (await scene.runs()).find(({ metadata }) => metadata.labels['stagecoach.dev/cause'] === 'a');
      const name = follower?.metadata.name ?? '';
      expect(follower?.spec.automatedPromotion?.initialEnvironments).toEqual(['east', 'west']);
      expect(await scene.stands('b')).toBe('Active, 1 shop in-progress');
      expect(await scene.stands(name)).toBe('Waiting');

      await scene.deploys('shop');
      await scene.deploys('east', 'west');
      await scene.deploys('far');

      expect(await scene.stands(name)).toBe('Completed, Success, 1 east success, 1 west success, 2 far success');
      expect(await scene.runs()).toHaveLength(3);
    });

    it('does not start from a manual run that failed', async () => {
      await scene.environments('dev manual', 'east<dev');
      await scene.snapshot('one', { web: 'quay.io/shop/web:1' });
      await scene.promote('a', 'one', 'dev');
      await scene.settle();

      await scene.pass(310);

      expect(await scene.stands('a')).toBe('Completed, Failure, 1 dev failed');
      expect(await scene.runs()).toHaveLength(1);
    });

    it('starts nothing for a Snapshot where no root is automated, and says so on the Snapshot', async () => {
      await scene.environments('dev manual');
      expect(await release()).toBe('none');
      await scene.pass(70);

      expect(await scene.runs()).toEqual([]);
      expect(await scene.saidOf('one')).toBe(
        'False NoAutomatedEnvironment: No Environment without a parent has the deploymentStrategy AppStudioAutomated: create a PromotionRun to promote this Snapshot',
      );
    });
  });
}
