import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reconcileDrift } from '../../../../functions/reconcile-drift/index.ts';
import { gitOpsDeployments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { Transient } from '../../../../shared/ports/trouble.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { foundAbout, runPass, takeKnocks } from './drift-pass.ts';
import { makeApplication, makeApplicationRows, makeTenant, makeUnnoticed } from './drift-tenant.ts';

/** How a pass goes on over ticks, hosts and crashes. */
export function describeDriftTurns(open: () => Promise<GitOpsWorld>): void {
  describe('the ticks of a drift pass', () => {
    let world: GitOpsWorld;

    beforeAll(async () => {
      world = await open();
    });
    beforeEach(async () => {
      world.connection.trouble = undefined;
      world.queue.away = undefined;
      takeKnocks(world);
      await world.sql`update drift_pass set ended_at = now() where ended_at is null`;
    });
    afterAll(() => world.close());

    it('work on one pass, however many hosts tick at once', async () => {
      await world.world.driftPasses.begin('a test');

      const did = await Promise.all(Array.from({ length: 4 }, () => reconcileDrift.tick(world.machine)));

      expect(did.filter((one) => one.did === 'nothing was due')).toHaveLength(3);
    });

    it('begin a pass when its time has come, not before, and never with an interval of 0', async () => {
      const tick = (driftIntervalMinutes: number) =>
        reconcileDrift.tick({
          ...world.machine,
          world: { ...world.world, upkeep: { ...world.world.upkeep, driftIntervalMinutes } },
        });
      await runPass(world);
      const [last] = await world.world.driftPasses.latest(1);

      await tick(30);
      await world.sql`update drift_pass set began_at = now() - interval '31 minutes'`;
      await tick(0);
      expect((await world.world.driftPasses.latest(1))[0]?.id).toBe(last?.id);

      await tick(30);
      expect((await world.world.driftPasses.latest(1))[0]?.id).toBeGreaterThan(last?.id ?? 0);
    });

    it('go on where a worker that died had got to, when its time is over', async () => {
      const tenant = await makeTenant(world);
      for (const name of ['a', 'b'])
        await makeUnnoticed(world, gitOpsDeployments, {
          metadata: { name, namespace: tenant.namespace },
          spec: { source: { repoURL: 'https://git.example.test/team/app', path: 'deploy' }, type: 'automated' },
        });
      const whole = await runPass(world);
      const { driftPasses } = world.world;
      await driftPasses.begin('a test');
      const held = await driftPasses.take({ holder: 'the dead', seconds: 60, intervalMinutes: 0 });
      const deployments = { done: false, after: `${tenant.namespace}/a z`, looked: 0 };
      const parts = JSON.stringify({ next: 'deployments', parts: { ...held?.state.parts, deployments } });
      await world.sql`update drift_pass set parts = ${parts}::text::jsonb where id = ${held?.id ?? 0}`;

      const early = await reconcileDrift.tick(world.machine);
      await world.sql`update drift_pass set held_until = now() - interval '1 second' where id = ${held?.id ?? 0}`;
      await reconcileDrift.tick(world.machine);

      expect(early.did).toBe('nothing was due');
      const [report] = await driftPasses.latest(1);
      expect(report?.endedAt).toBeDefined();
      // At least the first of the two was compared before the worker died.
      expect(report?.state.parts.deployments.looked).toBeLessThan(whole.state.parts.deployments.looked);
      expect(report?.state.parts.deployments.looked).toBeGreaterThan(0);
    });

    it('lose no knock when the queue is away, and make no finding twice', async () => {
      const tenant = await makeTenant(world);
      await makeApplication(world, tenant, await makeApplicationRows(world, tenant, { name: 'gone' }));
      await world.world.driftPasses.begin('a test');
      world.queue.away = new Transient('queue', 'the queue is away');
      await expect(reconcileDrift.tick(world.machine)).rejects.toThrow('the queue is away');
      world.queue.away = undefined;

      const report = await runPass(world);

      expect(foundAbout(report, tenant.namespace)).toEqual([`ResourceGone ${tenant.namespace}/gone`]);
      expect(takeKnocks(world).filter((knock) => knock.includes(tenant.namespace))).toEqual([
        `gitops-deployment.changed.v1 ${tenant.namespace}/gone`,
      ]);
    });

    it('look at everything else where one part cannot look, and say so', async () => {
      const tenant = await makeTenant(world);
      await makeApplication(world, tenant, await makeApplicationRows(world, tenant, { name: 'gone' }));
      world.connection.trouble = ({ path }) =>
        path.includes('/applications') ? new Transient('cluster', 'Argo CD is away') : undefined;

      const report = await runPass(world);

      expect(report.state.parts.applications.trouble).toContain('Argo CD is away');
      expect(foundAbout(report, tenant.namespace)).toEqual([`ResourceGone ${tenant.namespace}/gone`]);
      expect(report.state.parts.mappings).toMatchObject({ done: true });
    });
  });
}
