import { describe, expect, it } from 'vitest';
import { applications, bindings, gitOpsDeployments, snapshots } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { listObjects } from '../../../support/list-objects.ts';
import type { ReleaseWorld } from '../../../support/release-world.ts';
import { inPromotionScenes, type TimedScene } from './promotion-scene.ts';

/** Somebody else promotes, or renders: what is theirs stays as it is, and we say so. */
export function describeOtherControllers(open: () => Promise<ReleaseWorld>): void {
  describe('where another controller is at work', () => {
    let scene: TimedScene;
    inPromotionScenes(open, (fresh) => {
      scene = fresh;
    });
    const images = { web: 'quay.io/shop/web:1' };

    it('nothing of an Application is touched that it promotes, and Snapshot and run say so', async () => {
      await scene.application('shop', { deploymentController: 'conveyor' });
      await scene.environments('dev');
      await scene.snapshot('one', images);
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      const { metadata } = await scene.run('a');
      await scene.pass(3_600);

      const why = 'Application shop is promoted by conveyor: its spec.deploymentController says so';
      expect(await scene.saidOf('one')).toBe(`False ExternalController: ${why}`);
      expect(await scene.condition('a', 'DeploymentController')).toBe(
        `False ExternalController: ${why}, and this service leaves the run alone`,
      );
      const { status, metadata: after } = await scene.run('a');
      expect(status?.state).toBeUndefined();
      expect(after.resourceVersion).toBe(metadata.resourceVersion);
      expect(await scene.bound()).toEqual({});
      expect(await scene.runs()).toHaveLength(1);
    });

    it('what was promoted of an Application before it promotes it stays as it is, whatever comes', async () => {
      await scene.shop('web');
      await scene.environments('dev');
      await scene.snapshot('one', images);
      await scene.settle();
      await scene.deploys('dev');
      const stood = await whatStands();
      expect(stood.map(({ kind }) => kind)).toEqual(['SnapshotEnvironmentBinding', 'GitOpsDeployment']);

      const key = { namespace: scene.namespace, name: 'shop' };
      await scene.world.cluster.patch(applications, key, { spec: { deploymentController: 'conveyor' } });
      await scene.snapshot('two', { web: 'quay.io/shop/web:2' });
      await scene.promote('b', 'two', 'dev');
      await scene.pass(3_600);

      expect(await whatStands()).toEqual(stood);
      expect(await scene.saidOf('two')).toMatch(/^False ExternalController: /);
    });

    /** What it is to be, and not what is said of it. */
    async function whatStands() {
      const { cluster } = scene.world;
      const made = [
        ...(await listObjects(cluster, bindings, scene.namespace)),
        ...(await listObjects(cluster, gitOpsDeployments, scene.namespace)),
      ];
      return made.map(({ kind, metadata, spec }) => ({ kind, name: metadata.name, uid: metadata.uid, spec }));
    }

    it('a run goes on when the Application is ours again', async () => {
      await scene.application('shop', { deploymentController: 'conveyor' });
      await scene.component('web', images.web);
      await scene.environments('dev manual');
      await scene.snapshot('one', images);
      await scene.promote('a', 'one', 'dev');
      await scene.settle();

      const key = { namespace: scene.namespace, name: 'shop' };
      await scene.world.cluster.patch(applications, key, { spec: { deploymentController: 'appstudio' } });
      await scene.pass(60);

      expect(await scene.stands('a')).toBe('Active, 1 dev in-progress');
      expect(await scene.condition('a', 'DeploymentController')).toBe('True OwnController: ');
    });

    it('a run that is under way says that it waits for that while somebody else promotes its Application, and goes on after it', async () => {
      await scene.shop('web');
      await scene.environments('dev manual');
      await scene.snapshot('one', images);
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      const key = { namespace: scene.namespace, name: 'shop' };
      await scene.world.cluster.patch(applications, key, { spec: { deploymentController: 'conveyor' } });

      await scene.pass(7_200);

      const why = 'Application shop is promoted by conveyor: its spec.deploymentController says so';
      expect(await scene.stands('a')).toBe('Active, 1 dev in-progress');
      expect(await scene.waits('a')).toBe(`ExternalController for 604800 s: dev: ${why}`);
      expect((await scene.told('a', 'dev')).reason).toBe('ExternalController');
      const [row] = await scene.world.sql`select p.waiting ->> 'reason' as run, s.reason as step
        from promotion p join promotion_step s on s.promotion_id = p.id where p.namespace = ${scene.namespace}`;
      expect(row).toEqual({ run: 'ExternalController', step: 'ExternalController' });

      await scene.world.cluster.patch(applications, key, { spec: { deploymentController: '' } });
      await scene.deploys('dev');
      await scene.pass(600);
      expect(await scene.stands('a')).toBe('Completed, Success, 1 dev success');
    });

    it('an Environment that it promotes to is left out, and the run says so', async () => {
      await scene.shop('web');
      await scene.environments('dev');
      await scene.environment('theirs', { spec: { deploymentController: 'conveyor' } });
      await scene.environment('prod', { spec: { deploymentController: 'conveyor', parentEnvironment: 'dev' } });
      await scene.snapshot('one', images);
      await scene.settle();
      const [run] = await scene.runs();
      const name = run?.metadata.name ?? '';
      expect(run?.spec.automatedPromotion?.initialEnvironments).toEqual(['dev']);

      await scene.deploys('dev');

      expect(await scene.stands(name)).toBe('Completed, Success, 1 dev success');
      expect(await scene.condition(name, 'DeploymentController')).toBe(
        'False ExternalController: Environments that others promote to were left out: prod by conveyor',
      );
      expect(await scene.bound()).toEqual({ dev: 'one' });
    });

    it('a run to its Environment fails at once, and names it', async () => {
      await scene.shop('web');
      await scene.environment('theirs', { spec: { deploymentController: 'conveyor' } });
      await scene.snapshot('one', images);
      await scene.promote('a', 'one', 'theirs');
      await scene.settle();

      expect(await scene.condition('a', 'Promoted')).toBe(
        'False ExternalController: Environment theirs is promoted to by conveyor: its spec.deploymentController says so',
      );
      expect(await scene.bound()).toEqual({});
    });

    it('that renders, the promotion waits for its word, and follows its commit', async () => {
      const url = await scene.ownRepository('shop');
      await scene.application('shop', { gitOpsRepository: { url, renderedBy: 'External' } });
      await scene.component('web', images.web);
      await scene.environments('dev manual');
      await scene.snapshot('one', images);
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      expect(await scene.bound()).toEqual({ dev: 'one' });
      expect((await scene.told('a', 'dev')).reason).toBe('Rendering');
      expect(await scene.commits(url)).toEqual([]);

      await scene.world.git.commit(url, { 'web/dev/kustomization.yaml': 'resources: []\n' });
      const commitID = await scene.world.git.head(url);
      const gitOpsRepository = { url, branch: 'main', path: 'web/dev', commitID, generatedResources: [] };
      await scene.world.cluster.patch(
        bindings,
        { namespace: scene.namespace, name: 'shop-dev-binding' },
        { status: { components: [{ name: 'web', gitOpsRepository }] } },
        { subresource: 'status' },
      );
      await scene.settle();
      // They go on, with something else.
      await scene.world.git.commit(url, { 'web/prod/kustomization.yaml': 'resources: []\n' });
      await scene.deploys('dev');

      expect(await scene.stands('a')).toBe('Completed, Success, 1 dev success');
      expect(await scene.told('a', 'dev')).toMatchObject({
        commit: commitID,
        components: [{ revision: await scene.world.git.head(url) }],
      });
      expect(await scene.commits(url)).toHaveLength(2);
    });

    it('that renders, and has not written a snapshot when a run failed for it, has not written it for the next one either', async () => {
      const writes = await renderedByOthers();
      await scene.bind('dev', 'zero');
      await writes('zero');
      await scene.deploys('dev');

      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      await scene.pass(305);
      expect(await scene.condition('a', 'Promoted')).toContain('has not written snapshot one yet');
      await scene.promote('b', 'one', 'dev');
      await scene.settle();
      await scene.deploys('dev');
      expect((await scene.told('b', 'dev')).reason).toBe('Rendering');

      await writes('one');
      await scene.settle();
      await scene.deploys('dev');
      expect(await scene.stands('b')).toBe('Completed, Success, 1 dev success');
    });

    it('that renders, and has not written the snapshot that a person wrote into a Binding, is waited for all the same', async () => {
      const writes = await renderedByOthers();
      await scene.promote('a', 'zero', 'dev');
      await scene.settle();
      await writes('zero');
      await scene.deploys('dev');
      expect(await scene.stands('a')).toBe('Completed, Success, 1 dev success');

      const key = { namespace: scene.namespace, name: 'shop-dev-binding' };
      await scene.world.cluster.patch(bindings, key, { spec: { snapshot: 'one' } });
      await scene.promote('b', 'one', 'dev');
      await scene.settle();
      await scene.deploys('dev');
      expect((await scene.told('b', 'dev')).reason).toBe('Rendering');

      await writes('one');
      await scene.deploys('dev');
      expect(await scene.stands('b')).toBe('Completed, Success, 1 dev success');
    });

    it('that renders, and has written a Snapshot that had the name before, is waited for as well, whatever generation it names', async () => {
      const writes = await renderedByOthers();
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      await writes('one', 1);
      await scene.deploys('dev');
      expect(await scene.stands('a')).toBe('Completed, Success, 1 dev success');

      await scene.world.cluster.remove(snapshots, { namespace: scene.namespace, name: 'one' });
      await scene.snapshot('one', { web: 'quay.io/shop/web:2' });
      await scene.promote('b', 'one', 'dev');
      await scene.settle();
      await scene.deploys('dev');
      expect((await scene.told('b', 'dev')).reason).toBe('Rendering');

      await writes('one again', 1);
      await scene.deploys('dev');
      expect(await scene.stands('b')).toBe('Completed, Success, 1 dev success');
    });

    /** Two snapshots, an environment, and the controller that writes them to Git and says so. */
    async function renderedByOthers(): Promise<(snapshot: string, generation?: number) => Promise<void>> {
      const url = await scene.ownRepository('shop');
      await scene.application('shop', { gitOpsRepository: { url, renderedBy: 'External' } });
      await scene.component('web', images.web);
      await scene.environments('dev manual');
      await scene.snapshot('zero', { web: 'quay.io/shop/web:0' });
      await scene.snapshot('one', images);
      return async (snapshot, observedGeneration) => {
        await scene.world.git.commit(url, { 'web/dev/kustomization.yaml': `resources: [] # ${snapshot}\n` });
        const commitID = await scene.world.git.head(url);
        const gitOpsRepository = { url, branch: 'main', path: 'web/dev', commitID, generatedResources: [] };
        await scene.world.cluster.patch(
          bindings,
          { namespace: scene.namespace, name: 'shop-dev-binding' },
          {
            status: {
              components: [{ name: 'web', gitOpsRepository }],
              ...(observedGeneration !== undefined && { gitopsRepoConditions: refreshed(observedGeneration) }),
            },
          },
          { subresource: 'status' },
        );
        await scene.settle();
      };
    }
  });
}

/** What they say of the repository, and of the Binding that they looked at. */
function refreshed(observedGeneration: number) {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  return [
    { type: 'Refreshed', status: 'True', reason: 'Written', message: '', lastTransitionTime, observedGeneration },
  ];
}
