import { describe, expect, it } from 'vitest';
import { environments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { ReleaseWorld } from '../../../support/release-world.ts';
import { until } from '../../../support/until.ts';
import { inPromotionScenes, type TimedScene } from './promotion-scene.ts';

/** Success is what Argo CD said of the commit that was written for the snapshot, and nothing else. */
export function describeEvidence(open: () => Promise<ReleaseWorld>): void {
  describe('the evidence of a promotion', () => {
    let scene: TimedScene;
    /** Of the snapshot before. */
    let older = '';
    inPromotionScenes(open, async (fresh) => {
      scene = fresh;
      await scene.shop('web', 'api');
      await scene.environments('dev manual', 'prod<dev manual');
      await scene.snapshot('zero', { web: 'quay.io/shop/web:0', api: 'quay.io/shop/api:0' });
      await scene.snapshot('one', { web: 'quay.io/shop/web:1', api: 'quay.io/shop/api:1' });
      await scene.bind('dev', 'zero');
      await scene.settle();
      older = await head();
      await scene.deploys('dev');
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      expect(await head()).not.toBe(older);
    });

    const head = async (): Promise<string> => scene.world.git.head(await scene.repository());
    const short = async (): Promise<string> => (await head()).slice(0, 10);
    const isUnderWay = async (reason: string): Promise<void> => {
      expect(await scene.stands('a')).toBe('Active, 1 dev in-progress');
      expect((await scene.told('a', 'dev')).reason).toBe(reason);
    };
    const isDone = async (): Promise<void> => expect(await scene.stands('a')).toBe('Completed, Success, 1 dev success');

    it('is not what Argo CD says of the snapshot before, however often and however healthy', async () => {
      await isUnderWay('OlderRevision');
      for (const health of ['Progressing', 'Healthy']) {
        await scene.argoSays('dev', { health, revision: older });
        await scene.settle();
      }
      await isUnderWay('OlderRevision');
      expect(await scene.waits('a')).toBe(
        `OlderRevision for 300 s: dev: Argo CD has component api at revision ${older.slice(0, 10)}, not at commit ${await short()}`,
      );

      await scene.deploys('dev');
      await isDone();
    });

    it('is not said to be missing altogether where Argo CD has spoken of the snapshot before', async () => {
      const said = await scene.world.sql<{ reason: string }[]>`
        select distinct e ->> 'reason' as reason from step_log, jsonb_array_elements(effects) e
        where function = 'advance-promotion' and subject = ${`${scene.namespace}/a`} and e ->> 'do' = 'keep-step'`;

      expect(said.map(({ reason }) => reason)).toContain('OlderRevision');
      expect(said.map(({ reason }) => reason)).not.toContain('NotReported');
    });

    it('counts at a later commit of our own that has it inside', async () => {
      const ours = await head();
      await scene.bind('prod', 'one');
      await scene.settle();
      expect(await head()).not.toBe(ours);

      await scene.deploys('dev');

      await isDone();
      expect(await scene.told('a', 'dev')).toMatchObject({
        commit: ours,
        components: [{ revision: await head() }, {}],
      });
    });

    it('does not count at a later commit of our own where somebody took the one out that it is about', async () => {
      const ours = await head();
      await scene.world.git.reset(await scene.repository(), older);
      await scene.bind('prod', 'one');
      await scene.settle();
      expect([ours, older]).not.toContain(await head());

      await scene.deploys('dev');

      await isUnderWay('OlderRevision');
      expect(await scene.waits('a')).toContain(`at revision ${await short()}, not at commit ${ours.slice(0, 10)}`);
    });

    it("counts at a later commit of somebody else's that has it inside", async () => {
      await scene.world.git.commit(await scene.repository(), { 'README.md': 'ours\n' });

      await scene.deploys('dev');

      await isDone();
    });

    it('does not count at a commit of somebody else that has it not inside', async () => {
      const url = await scene.repository();
      await scene.world.git.commit(url, { 'README.md': 'aside\n' }, 'aside');
      const aside = await scene.world.git.head(url, 'aside');

      await scene.argoSays('dev', { revision: aside });
      await scene.pass(60);

      expect(await scene.stands('a')).toBe('Active, 1 dev in-progress');
      await scene.deploys('dev');
      await isDone();
    });

    it('is kept when it was seen: what flaps afterwards does not undo it', async () => {
      await scene.argoSays('dev', {}, 'web');
      await scene.settle();
      await scene.argoSays('dev', { sync: 'OutOfSync', health: 'Degraded' }, 'web');
      await scene.settle();
      await isUnderWay('OlderRevision');

      await scene.argoSays('dev', {}, 'api');
      await scene.settle();

      await isDone();
      const [found] = await scene.world.sql`select e.revision, e.sync_status, e.health, e.operation,
          e.application_id = m.application_id as is_ours, e.observed_at is not null as is_dated
        from promotion_evidence e join deployment_to_application_mapping m
          on m.namespace = e.namespace and m.name = e.deployment
        where e.namespace = ${scene.namespace} and e.component = 'web'`;
      expect(found).toEqual({
        revision: await head(),
        sync_status: 'Synced',
        health: 'Healthy',
        operation: 'Succeeded',
        is_ours: true,
        is_dated: true,
      });
    });

    it.each([
      ['OutOfSync', { sync: 'OutOfSync' }, 'NotSynced'],
      ['Synced and Degraded', { health: 'Degraded' }, 'NotHealthy'],
      [
        'Healthy while a sync still runs',
        { operation: { phase: 'Running', startedAt: '2026-01-01T00:00:00Z', operation: {} } },
        undefined,
      ],
    ])('is missing where a component is %s at the commit', async (_what, said, reason) => {
      await scene.argoSays('dev', {}, 'web');
      await scene.argoSays('dev', said, 'api');
      await scene.settle();

      expect(await scene.stands('a')).toBe('Active, 1 dev in-progress');
      if (reason !== undefined) await isUnderWay(reason);
    });

    it('AP-19 that is missing at the deadline makes it fail, and names the component, what Argo CD says and the commit', async () => {
      await scene.argoSays('dev', {}, 'web');
      await scene.argoSays('dev', { health: 'Degraded', message: 'CrashLoopBackOff' }, 'api');
      await scene.settle();
      await scene.pass(280);
      await isUnderWay('NotHealthy');

      await scene.pass(25);

      const why = `Component api is Degraded at commit ${await short()}: CrashLoopBackOff`;
      expect(await scene.stands('a')).toBe('Completed, Failure, 1 dev failed');
      expect(await scene.condition('a', 'Promoted')).toBe(`False NotHealthy: dev: ${why}`);
      expect(await scene.condition('a', 'ErrorOccurred')).toBe(`True ErrorOccurred: dev: ${why}`);
      expect((await scene.told('a', 'dev')).displayStatus).toBe(
        `Promotion Failed. Could not be completed in 5 Minutes. ${why}`,
      );
    });

    it('that came while the whole service was away is heard of, though the time of the step is over', async () => {
      const { sent } = scene.world.queue;
      await scene.argoSays('dev');
      await until('both reports to be in the queue', async () => {
        const reports = sent.filter(({ message }) => message.type === 'argo-application.changed.v1');
        return reports.length > 1 || undefined;
      });
      // The wake-up for the deadline is served before them.
      const held = sent.splice(0);
      await scene.leap(400);
      sent.push(...held);
      await scene.settle();

      await isDone();
    });

    it('that is missing brings nothing back: the Binding keeps the new snapshot, and so does Git', async () => {
      await scene.argoSays('dev', { health: 'Degraded' });
      const before = await head();
      await scene.pass(305);
      expect(await scene.stands('a')).toBe('Completed, Failure, 1 dev failed');
      await scene.pass(3_600);

      expect(await scene.bound()).toEqual({ dev: 'one' });
      expect(await head()).toBe(before);
    });

    it('names a sync that failed, in the words of Argo CD', async () => {
      const operation = { phase: 'Failed', message: 'one or more objects failed to apply', operation: {} };
      await scene.argoSays('dev', { sync: 'OutOfSync', operation }, 'api');
      await scene.argoSays('dev', {}, 'web');
      await scene.settle();

      await isUnderWay('SyncFailed');
      expect(await scene.waits('a')).toContain(
        `Argo CD could not sync component api to commit ${await short()}: one or more objects failed to apply`,
      );
    });

    it('has as long as the Environment says', async () => {
      const key = { namespace: scene.namespace, name: 'dev' };
      await scene.world.cluster.patch(environments, key, { spec: { promotion: { stepDeadline: '20m' } } });
      await scene.argoSays('dev', { health: 'Progressing' });
      await scene.settle();
      expect(await scene.waits('a')).toContain('NotHealthy for 1200 s');

      await scene.pass(1_100);
      await isUnderWay('NotHealthy');

      await scene.deploys('dev');
      await isDone();
    });

    it.each(['zero', 'ze\0ro'])(
      'fails when somebody else changes the Binding on the way, and says so: %j',
      async (other) => {
        await scene.change('shop-dev-binding', { snapshot: other });
        await scene.pass(60);

        expect(await scene.condition('a', 'Promoted')).toBe(
          `False BindingChanged: dev: SnapshotEnvironmentBinding shop-dev-binding was changed to snapshot ${other.replace('\0', '\ufffd')} by somebody else`,
        );
      },
    );
  });
}
