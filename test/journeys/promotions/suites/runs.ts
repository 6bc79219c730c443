import { describe, expect, it } from 'vitest';
import { bindings, promotionRuns, snapshots } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { Refused } from '../../../../shared/ports/trouble.ts';
import { listObjects } from '../../../support/list-objects.ts';
import type { ReleaseWorld } from '../../../support/release-world.ts';
import { inPromotionScenes, type TimedScene } from './promotion-scene.ts';

/** What a run is made for, what it makes of it, and what it says where it cannot. */
export function describeRuns(open: () => Promise<ReleaseWorld>): void {
  describe('a PromotionRun', () => {
    let scene: TimedScene;
    inPromotionScenes(open, async (fresh) => {
      scene = fresh;
      await scene.shop('web', 'api');
      await scene.environments('dev manual', 'prod manual');
      await scene.snapshot('one', { web: 'quay.io/shop/web:1', api: 'quay.io/shop/api:1' });
      await scene.settle();
    });

    const metadata = (name: string) => ({ namespace: scene.namespace, name });

    async function make(spec: object): Promise<unknown> {
      return scene.world.cluster.create(promotionRuns, {
        metadata: metadata('a'),
        spec: { application: 'shop', snapshot: 'one', ...spec },
      });
    }

    async function fails(reason: string, message: string): Promise<void> {
      expect(await scene.stands('a')).toBe('Completed, Failure');
      expect(await scene.condition('a', 'Promoted')).toBe(`False ${reason}: ${message}`);
      expect(await scene.condition('a', 'ErrorOccurred')).toBe(`True ErrorOccurred: ${message}`);
      expect(await scene.bound()).toEqual({});
    }

    it('AP-08 AP-13 AP-16 makes the Binding that is missing, with defaults, and says that it waits for its deployments', async () => {
      await scene.promote('a', 'one', 'dev');
      await scene.settle();

      const made = await scene.read('shop-dev-binding');
      expect(made.metadata.labels).toMatchObject({ 'appstudio.application': 'shop', 'appstudio.environment': 'dev' });
      expect(made.spec).toEqual({
        application: 'shop',
        environment: 'dev',
        snapshot: 'one',
        components: [{ name: 'api' }, { name: 'web' }],
      });
      const { status, metadata: own } = await scene.run('a');
      expect(own.labels).toMatchObject({ 'appstudio.application': 'shop', 'appstudio.environment': 'dev' });
      expect(status?.activeBindings).toEqual(['shop-dev-binding']);
      expect(await scene.told('a', 'dev')).toMatchObject({ step: 1, status: 'in-progress', reason: 'NotReported' });
      expect(await scene.waits('a')).toMatch(/^NotReported for 300 s: dev: Argo CD has said nothing of component api /);
    });

    it('AP-17 AP-18 names the deployments that it waits for, and succeeds when the last of them is well', async () => {
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      await scene.argoSays('dev', {}, 'web');
      await scene.argoSays('dev', { health: 'Progressing' }, 'api');
      await scene.settle();
      expect((await scene.told('a', 'dev')).displayStatus).toBe(
        'Waiting for following GitOpsDeployments to be Synced/Healthy: shop-dev-binding-shop-dev-api',
      );

      await scene.argoSays('dev', {}, 'api');
      await scene.settle();

      const [head] = await scene.commits();
      expect(await scene.told('a', 'dev')).toMatchObject({
        status: 'success',
        displayStatus: 'All GitOpsDeployments are Synced/Healthy',
        commit: head?.id,
        components: ['api', 'web'].map((name) => ({ name, sync: 'Synced', health: 'Healthy', revision: head?.id })),
      });
      const { status } = await scene.run('a');
      expect(status).toMatchObject({ state: 'Completed', completionResult: 'Success' });
      expect(status?.activeBindings).toEqual(['shop-dev-binding']);
      expect(status?.waiting).toBeUndefined();
      expect(Date.parse(status?.completionTime ?? '')).toBeGreaterThanOrEqual(
        Date.parse(status?.promotionStartTime ?? ''),
      );
      expect(await scene.condition('a', 'ErrorOccurred')).toBe('False : ');
      expect(await scene.condition('a', 'Promoted')).toBe('True Success: ');
    });

    it('AP-10 P03 P07 uses the Binding that is there, whatever its name, and keeps what a person wrote into it', async () => {
      const configured = [{ name: 'web', configuration: { replicas: 4, env: [{ name: 'LEVEL', value: 'debug' }] } }];
      await scene.snapshot('zero', { web: 'quay.io/shop/web:0' });
      await scene.bind('dev', 'zero', { name: 'by-hand', components: configured });
      await scene.settle();
      const { uid } = (await scene.read('by-hand')).metadata;

      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      await scene.deploys('dev');

      expect(await scene.stands('a')).toBe('Completed, Success, 1 dev success');
      const all = await listObjects(scene.world.cluster, bindings, scene.namespace);
      expect(all.map(({ metadata: { name } }) => name)).toEqual(['by-hand']);
      expect(all[0]?.metadata.uid).toBe(uid);
      expect(all[0]?.spec).toMatchObject({ snapshot: 'one', components: configured });
      expect(await scene.deployments()).toHaveLength(2);
      expect((await scene.run('a')).status?.activeBindings).toEqual(['by-hand']);
    });

    it('AP-11 AP-12 makes its own beside Bindings of another environment and of another application', async () => {
      await scene.application('bank');
      await scene.snapshot('gold', { vault: 'quay.io/bank/vault:1' }, 'bank');
      await scene.bind('prod', 'one');
      await scene.bind('dev', 'gold', { application: 'bank' });
      await scene.settle();

      await scene.promote('a', 'one', 'dev');
      await scene.settle();

      const all = await listObjects(scene.world.cluster, bindings, scene.namespace);
      expect(all.map(({ metadata: { name } }) => name).toSorted()).toEqual([
        'bank-dev-binding',
        'shop-dev-binding',
        'shop-prod-binding',
      ]);
    });

    it('gives its Binding another name where the Binding of another pair has the usual one', async () => {
      await scene.bind('prod', 'one', { name: 'shop-dev-binding' });
      await scene.settle();
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      await scene.deploys('dev');

      expect(await scene.stands('a')).toBe('Completed, Success, 1 dev success');
      const [made] = (await scene.run('a')).status?.activeBindings ?? [];
      expect(made).toMatch(/^shop-dev-binding-[\da-f]{10}$/);
      expect((await scene.read(made ?? '')).spec.environment).toBe('dev');
      expect((await scene.read('shop-dev-binding')).spec.environment).toBe('prod');
    });

    it('fails with the words of the API server where it may make no Binding, and lets the next run go', async () => {
      await scene.bind('prod', 'one');
      await scene.settle();
      scene.world.connection.trouble = ({ method, path }, when) =>
        when === 'before' && method === 'POST' && path.includes('/snapshotenvironmentbindings')
          ? new Refused('Forbidden', 'exceeded quota: bindings')
          : undefined;
      await scene.promote('a', 'one', 'dev');
      await scene.promote('b', 'one', 'prod');
      await scene.settle();
      scene.world.connection.trouble = undefined;

      expect(await scene.stands('a')).toBe('Completed, Failure, 1 dev failed');
      expect(await scene.condition('a', 'Promoted')).toBe(
        'False BindingRefused: dev: SnapshotEnvironmentBinding shop-dev-binding was refused: exceeded quota: bindings',
      );
      expect(await scene.stands('b')).toBe('Active, 1 prod in-progress');
    });

    it('that a Snapshot would start may be refused: the Snapshot says so, and nobody tries again', async () => {
      await scene.environments('root');
      scene.world.connection.trouble = ({ method, path }, when) =>
        method === 'POST' && path.endsWith('/promotionruns') && when === 'before'
          ? new Refused('Forbidden', 'exceeded quota: promotionruns')
          : undefined;
      await scene.snapshot('refused', { web: 'quay.io/shop/web:2' });
      await scene.settle();
      scene.world.connection.trouble = undefined;
      await scene.pass(3_600);

      const told = await scene.world.cluster.read(snapshots, { namespace: scene.namespace, name: 'refused' });
      expect(told?.status?.conditions).toMatchObject([
        {
          type: 'AutomatedPromotion',
          status: 'False',
          reason: 'Refused',
          message: 'The PromotionRun for it was refused: exceeded quota: promotionruns',
        },
      ]);
      expect((await scene.runs()).map(({ spec }) => spec.snapshot)).not.toContain('refused');
    });

    it('that is forbidden to look for a while still ends at its deadline', async () => {
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      scene.world.connection.trouble = ({ path }, when) =>
        when === 'before' && path.includes('/environments') ? new Refused('Forbidden', 'May not list') : undefined;
      await scene.pass(200);
      expect(await scene.stands('a')).toBe('Active, 1 dev in-progress');
      scene.world.connection.trouble = undefined;

      await scene.pass(200);

      expect(await scene.stands('a')).toBe('Completed, Failure, 1 dev failed');
    });

    it('ends well where the run that would follow it is refused, says so, and lets the next run go', async () => {
      await scene.environments('next<dev');
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      scene.world.connection.trouble = ({ method, path }, when) =>
        method === 'POST' && path.endsWith('/promotionruns') && when === 'before'
          ? new Refused('Forbidden', 'exceeded quota: promotionruns')
          : undefined;
      await scene.deploys('dev');
      scene.world.connection.trouble = undefined;

      expect(await scene.stands('a')).toBe('Completed, Success, 1 dev success');
      expect(await scene.condition('a', 'AutomatedPromotion')).toBe(
        'False Refused: The PromotionRun for the environments that follow was refused: exceeded quota: promotionruns',
      );
      await scene.promote('b', 'one', 'prod');
      await scene.settle();
      expect(await scene.stands('b')).toBe('Active, 1 prod in-progress');
    });

    it('AP-09 goes with names that are as long as they may be', async () => {
      const application = `shop-${'x'.repeat(58)}`;
      const environment = `dev-${'y'.repeat(58)}`;
      await scene.application(application);
      await scene.component('till', 'quay.io/shop/till:1', {}, application);
      await scene.environments(`${environment} manual`);
      await scene.snapshot('long', { till: 'quay.io/shop/till:1' }, application);
      await scene.promote('a', 'long', environment, application);
      await scene.settle();
      await scene.deploys(environment);

      expect(await scene.stands('a')).toBe(`Completed, Success, 1 ${environment} success`);
      expect((await scene.run('a')).status?.activeBindings).toEqual([`${application}-${environment}-binding`]);
    });

    it.each([
      ['both', { manualPromotion: { targetEnvironment: 'dev' }, automatedPromotion: { initialEnvironment: 'dev' } }],
      ['neither', {}],
    ])('is refused with %s of manualPromotion and automatedPromotion', async (_which, goal) => {
      await expect(make(goal)).rejects.toThrow(/manualPromotion/);
      expect(await scene.runs()).toEqual([]);
    });

    it.each([
      { snapshot: 'two' },
      { application: 'bank' },
      { manualPromotion: { targetEnvironment: 'prod' } },
      { automatedPromotion: { initialEnvironment: 'dev' } },
    ])('AW-03 is made for one thing: %o is refused', async (change) => {
      await make({ manualPromotion: { targetEnvironment: 'dev' } });
      const changed = scene.world.cluster.patch(promotionRuns, metadata('a'), { spec: change });
      await expect(changed).rejects.toThrow(/spec/);
    });

    it('AP-07 fails at once without a target environment', async () => {
      await make({ manualPromotion: { targetEnvironment: '' } });
      await scene.settle();

      await fails('TargetEnvironmentInvalid', 'Target Environment has invalid value.');
    });

    it.each([
      [
        'AP-15 a Snapshot',
        { snapshot: 'nine' },
        'SnapshotNotFound',
        'Snapshot nine does not exist: create it, or promote another one',
      ],
      [
        'an Environment',
        { manualPromotion: { targetEnvironment: 'moon' } },
        'EnvironmentNotFound',
        'Environment moon does not exist: create it, or promote to another one',
      ],
      [
        'an Application',
        { application: 'none' },
        'ApplicationNotFound',
        'Application none does not exist: create it, or correct spec.application',
      ],
      [
        'a Snapshot with a character that no database keeps',
        { snapshot: 'ni\0ne' },
        'SnapshotNotFound',
        'Snapshot ni\ufffdne does not exist: create it, or promote another one',
      ],
      [
        'an Environment with such a character',
        { manualPromotion: { targetEnvironment: 'mo\0on' } },
        'EnvironmentNotFound',
        'Environment mo\ufffdon does not exist: create it, or promote to another one',
      ],
      [
        'an Application with such a character',
        { application: 'no\0ne' },
        'ApplicationNotFound',
        'Application no\ufffdne does not exist: create it, or correct spec.application',
      ],
      [
        'an Application without a name',
        { application: '' },
        'ApplicationNotFound',
        'Application  does not exist: create it, or correct spec.application',
      ],
    ])('%s that is not there is waited for a moment, and then it fails', async (_what, spec, reason, message) => {
      await make({ manualPromotion: { targetEnvironment: 'dev' }, ...spec });
      await scene.settle();
      expect(await scene.waits('a')).toBe(`${reason} for 15 s: ${message}`);

      await scene.pass(20);

      await fails(reason, message);
    });

    it('goes on when what it names is applied a moment after it', async () => {
      await make({ snapshot: 'late', manualPromotion: { targetEnvironment: 'dev' } });
      await scene.settle();
      await scene.snapshot('late', { web: 'quay.io/shop/web:2' });

      await scene.pass(16);

      expect(await scene.stands('a')).toBe('Active, 1 dev in-progress');
    });

    it('fails at once with the Snapshot of another application', async () => {
      await scene.application('bank');
      await scene.snapshot('gold', { vault: 'quay.io/bank/vault:1' }, 'bank');
      await make({ snapshot: 'gold', manualPromotion: { targetEnvironment: 'dev' } });
      await scene.settle();

      await fails('SnapshotOfOtherApplication', 'Snapshot gold belongs to application bank, not to shop');
    });

    it('fails at once where an automated one is to start in a manual environment', async () => {
      await scene.promoteAlong('a', 'one', 'dev');
      await scene.settle();

      await fails(
        'EnvironmentNotAutomated',
        'Environment dev has the deploymentStrategy Manual: use manualPromotion to promote to it',
      );
    });
  });
}
