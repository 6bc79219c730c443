import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFront } from '../../../../infra/host/front.ts';
import { startWatching } from '../../../../infra/host/watching.ts';
import { openRecentObjects } from '../../../../shared/adapters/kubernetes/recent-objects.ts';
import { openServiceGauges } from '../../../../shared/adapters/postgres/gitops/service-gauges.ts';
import { publishServiceGauges } from '../../../../shared/adapters/telemetry/publish-service-gauges.ts';
import { argoApplications, gitOpsDeployments, operations } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { until } from '../../../support/until.ts';
import { aSpec, type DeploymentSteps, openDeploymentSteps } from './deployment-steps.ts';
import { foundAbout, keepKnocks, runPass, takeKnocks } from './drift-pass.ts';

const emptyPath = { source: { ...aSpec.source, path: '' } };

/** What an operator reads at /metrics. */
export function describeMetrics(open: () => Promise<GitOpsWorld>): void {
  describe('the metrics of the service', () => {
    let world: GitOpsWorld;
    let steps: DeploymentSteps;
    let front: Awaited<ReturnType<typeof startFront>>;
    let watching: ReturnType<typeof startWatching>;

    beforeAll(async () => {
      world = await open();
      steps = openDeploymentSteps(world);
      const { machine, sql, bare: connection, webhooks } = world;
      const { clock, log, metrics } = machine;
      publishServiceGauges({
        registry: metrics.registry,
        gauges: openServiceGauges(sql),
        clock,
        log,
        keptMs: 0,
        timeoutMs: 20_000,
      });
      // What the watch sees goes nowhere here: every change has been told already.
      const forwardEvent = webhooks.get('forward-event');
      const unheard = { ...machine, queue: { ...machine.queue, send: async () => {} } };
      watching = startWatching({ connection, recent: openRecentObjects(), machine: unheard, forwardEvent });
      const health = async () => ({ status: 200, body: {} });
      front = await startFront({ machine, functions: [], health, host: '127.0.0.1', port: 0 });
    });
    afterAll(async () => {
      await front.close(5_000);
      await watching.stop();
      await world.close();
    });

    /** Undefined: the gauge has no value. */
    async function gauge(name: string): Promise<number | undefined> {
      const text = await (await fetch(`${front.url}/metrics`)).text();
      const line = text.split('\n').find((one) => one.startsWith(`${name}{`));
      return line === undefined ? undefined : Number(line.split(' ').at(-1));
    }

    async function deployments(): Promise<{ active: number; failing: number }> {
      const active = await gauge('active_gitopsDeployments');
      const failing = await gauge('gitopsDeployments_failures');
      return { active: active ?? Number.NaN, failing: failing ?? Number.NaN };
    }

    it('MT-01 an invalid GitOpsDeployment is active and failing, and neither once it is deleted', async () => {
      const team = await world.namespace();
      const before = await deployments();

      await steps.create(team.name, 'shop', emptyPath);

      expect(await deployments()).toEqual({ active: before.active + 1, failing: before.failing + 1 });

      await steps.remove(team.name, 'shop');

      expect(await deployments()).toEqual(before);
    });

    it('MT-02 a valid GitOpsDeployment is active, and not once it is deleted', async () => {
      const team = await world.namespace();
      const before = await deployments();

      await steps.create(team.name, 'shop');

      expect(await deployments()).toEqual({ active: before.active + 1, failing: before.failing });

      await steps.remove(team.name, 'shop');

      expect(await deployments()).toEqual(before);
    });

    it('MT-01 one that works and then does not is one deployment; corrected, it fails no more', async () => {
      const team = await world.namespace();
      const before = await deployments();
      await steps.create(team.name, 'shop');

      await steps.change(team.name, 'shop', { spec: { source: { path: '' } } });

      expect(await deployments()).toEqual({ active: before.active + 1, failing: before.failing + 1 });

      await steps.change(team.name, 'shop', { spec: { source: { path: 'deploy' } } });

      expect(await deployments()).toEqual({ active: before.active + 1, failing: before.failing });
    });

    it('BM-01 a fault that changes, and a look at one that does not, leave one failing deployment', async () => {
      const team = await world.namespace();
      const before = await deployments();
      await steps.create(team.name, 'shop', emptyPath);

      await steps.change(team.name, 'shop', { spec: { source: { path: '/' } } });
      const written = await steps.rows();
      world.connection.asked.length = 0;
      await steps.look(team.name, 'shop');

      expect(await deployments()).toEqual({ active: before.active + 1, failing: before.failing + 1 });
      expect(await steps.rows()).toEqual(written);
      expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
    });

    it('a failed operation makes its deployment a failing one, until the next one is completed', async () => {
      const team = await world.namespace();
      const before = await deployments();
      const { metadata } = await steps.create(team.name, 'shop');

      await steps.endOperations(team.name, 'shop', metadata.uid, 'Failed', 'the Application is invalid');

      expect((await deployments()).failing).toBe(before.failing + 1);
      expect(await gauge('operationDB_failedState')).toBe(1);

      await steps.change(team.name, 'shop', { spec: { source: { path: 'elsewhere' } } });
      await steps.endOperations(team.name, 'shop', metadata.uid, 'Completed');

      expect((await deployments()).failing).toBe(before.failing);
    });

    it('a faulty one that was deleted while nobody looked is found by the drift pass, and counted no more', async () => {
      const team = await world.namespace();
      const before = await deployments();
      await steps.create(team.name, 'shop', emptyPath);
      await steps.unnoticed.remove(gitOpsDeployments, { namespace: team.name, name: 'shop' });
      takeKnocks(world);

      const report = await runPass(world);
      keepKnocks(world, team.name);
      await steps.settle();

      expect(foundAbout(report, team.name)).toEqual([`ResourceGone ${team.name}/shop`]);
      expect(await deployments()).toEqual(before);
    });

    it('BM-01 defect 34: no operation of a state is 0, and the totals are sums', async () => {
      await world.sql`update operation set state = 'Completed'`;

      expect(await gauge('operationDB_rows_in_waiting_state')).toBe(0);
      expect(await gauge('operationDB_rows_in_error_state')).toBe(0);
      expect(await gauge('operationDB_rows_in_non_complete_state')).toBe(0);
      expect(await gauge('total_operationDB_rows_in_complete_state')).toBeGreaterThan(0);
      expect(await gauge('total_number_of_operationDB_rows')).toBe(
        await gauge('total_operationDB_rows_in_complete_state'),
      );
    });

    it('CM-03 the Operation objects are counted as they come and go', async () => {
      const team = await world.namespace();
      const counted = await until('a complete picture', () => gauge('number_of_operationsCR'));
      const name = `operation-${randomUUID()}`;
      const key = { namespace: team.name, name };

      await steps.unnoticed.create(operations, { metadata: key, spec: { operationID: randomUUID() } });
      await until('one more', async () => (await gauge('number_of_operationsCR')) === counted + 1);

      await steps.unnoticed.remove(operations, key);
      await until('one less', async () => (await gauge('number_of_operationsCR')) === counted);
    });

    it('CM-08 CM-10 the share of reconciled Applications follows what Argo CD writes', async () => {
      const percent = () => gauge('gitops_argocd_apps_reconciled_percent');
      const namespace = argoNamespace;
      const names = [`metrics-${randomUUID()}`, `metrics-${randomUUID()}`];
      for (const name of names)
        await steps.unnoticed.create(argoApplications, {
          metadata: { name, namespace },
          spec: { project: 'nobody', destination: { name: 'in-cluster', namespace: 'nowhere' } },
        });
      await until('nothing is reconciled', async () => (await percent()) === 0);

      for (const [index, share] of [50, 100].entries()) {
        const status = { reconciledAt: new Date().toISOString() };
        await steps.unnoticed.patch(argoApplications, { namespace, name: names[index] ?? '' }, { status });
        await until(`${share} of 100`, async () => (await percent()) === share);
      }
    });
  });
}
