import { againstFloor, type Measure, quantile, round } from '../measure.ts';
import { inParallel, openGitOpsBench, skipped } from './open-gitops-bench.ts';
import { scaled, scaleNote } from './scale.ts';
import { databaseNow, stepTimes } from './step-times.ts';
import { turnByTurn } from './turn-by-turn.ts';

const tenants = 10;
const warmUp = 40;
const turns = 200;

export const crDeleted: Measure = {
  name: 'cr-deleted',
  asks: 'How long from the deletion of a GitOpsDeployment until its Argo CD Application is gone?',
  async run(tell) {
    const bench = await openGitOpsBench({ floor: 'delete' });
    if (bench === undefined) return skipped('cr-deleted', 'ms');
    try {
      const plan = { warmUp: scaled(warmUp), turns: scaled(turns), tell };
      const uids: Record<'ours' | 'floor', string[]> = { ours: [], floor: [] };
      for (const name of ['ours', 'floor'] as const) {
        tell(`makes what is to be deleted, ${name}`);
        await bench.makeNamespaces(Array.from({ length: tenants }, (_none, at) => `${name}-${at}`));
        await inParallel(plan.warmUp + plan.turns, async (at) => {
          const uid = await bench[name].create(`${name}-${at % tenants}`, `app-${at}`);
          await bench[name].applicationMade(uid);
          uids[name][at] = uid;
        });
      }
      let since = await databaseNow(bench.sql);
      const { ours, floor } = await turnByTurn(bench, plan, async (side, name, at) => {
        if (at === plan.warmUp && name === 'ours') since = await databaseNow(bench.sql);
        const gone = side.applicationGone(uids[name][at] ?? '');
        const from = performance.now();
        const [until] = await Promise.all([gone, side.remove(`${name}-${at % tenants}`, `app-${at}`)]);
        return until - from;
      });
      return {
        ...againstFloor('cr-deleted', ours, floor, 3.5),
        note: `the floor's p99 ${round(quantile(floor, 0.99))} ms; both wait for Argo CD to take its finalizer away, and the floor's Applications have it from the start${scaleNote()}`,
        steps: await stepTimes(bench.sql, since),
      };
    } finally {
      await bench.close();
    }
  },
};
