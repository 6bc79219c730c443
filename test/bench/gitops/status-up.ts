import { againstFloor, type Measure, quantile, round } from '../measure.ts';
import { inParallel, openGitOpsBench, skipped } from './open-gitops-bench.ts';
import { scaled, scaleNote } from './scale.ts';
import { databaseNow, stepTimes } from './step-times.ts';
import { turnByTurn } from './turn-by-turn.ts';

const deployments = 20;
const tenants = 4;
const warmUp = 60;
const turns = 300;

export const statusUp: Measure = {
  name: 'status-up',
  asks: 'How long from what Argo CD says about an Application until the status of its GitOpsDeployment says it?',
  async run(tell) {
    const bench = await openGitOpsBench({ floor: 'status' });
    if (bench === undefined) return skipped('status-up', 'ms');
    try {
      const uids: Record<'ours' | 'floor', string[]> = { ours: [], floor: [] };
      for (const name of ['ours', 'floor'] as const) {
        await bench.makeNamespaces(Array.from({ length: tenants }, (_none, at) => `${name}-${at}`));
        await inParallel(deployments, async (at) => {
          const uid = await bench[name].create(`${name}-${at % tenants}`, `app-${at}`);
          await bench[name].applicationMade(uid);
          uids[name].push(uid);
        });
      }
      const plan = { warmUp: scaled(warmUp), turns: scaled(turns), tell };
      let since = await databaseNow(bench.sql);
      const { ours, floor } = await turnByTurn(bench, plan, async (side, name, at) => {
        if (at === plan.warmUp && name === 'ours') since = await databaseNow(bench.sql);
        const uid = uids[name][at % deployments] ?? '';
        const revision = at.toString(16).padStart(40, '0');
        const told = side.statusTold(uid, revision);
        const from = performance.now();
        const [until] = await Promise.all([told, side.report(uid, revision)]);
        return until - from;
      });
      const measured = againstFloor('status-up', ours, floor, 4);
      return {
        ...measured,
        target: 'ratio <= 4, < 200 ms',
        ok: measured.ok && measured.ours < 200,
        note: `the floor's p99 ${round(quantile(floor, 0.99))} ms; it patches the same status, on the same API server${scaleNote()}`,
        steps: await stepTimes(bench.sql, since),
      };
    } finally {
      await bench.close();
    }
  },
};
