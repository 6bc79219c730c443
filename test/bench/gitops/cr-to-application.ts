import { againstFloor, type Measure, quantile, round } from '../measure.ts';
import { openGitOpsBench, skipped } from './open-gitops-bench.ts';
import { scaled, scaleNote } from './scale.ts';
import type { Side } from './side.ts';
import { databaseNow, stepTimes } from './step-times.ts';
import { turnByTurn } from './turn-by-turn.ts';

const tenants = 10;
const warmUp = 60;
const turns = 300;
const newcomers = 30;

export const crToApplication: Measure = {
  name: 'cr-to-application',
  asks: 'How long from the create of a GitOpsDeployment until its Argo CD Application is seen?',
  async run(tell) {
    const bench = await openGitOpsBench({ floor: 'create' });
    if (bench === undefined) return skipped('cr-to-application', 'ms');
    try {
      const fresh = scaled(newcomers);
      for (const name of ['ours', 'floor'])
        await bench.makeNamespaces(Array.from({ length: tenants + fresh }, (_none, at) => `${name}-${at}`));
      const plan = { warmUp: scaled(warmUp), turns: scaled(turns), tell };
      let since = await databaseNow(bench.sql);
      const { ours, floor } = await turnByTurn(bench, plan, async (side, name, at) => {
        if (at === plan.warmUp && name === 'ours') since = await databaseNow(bench.sql);
        return time(side, `${name}-${at % tenants}`, `app-${at}`);
      });
      const steps = await stepTimes(bench.sql, since);
      tell('first of a namespace');
      const first = await turnByTurn(bench, { warmUp: 0, turns: fresh, tell }, (side, name, at) =>
        time(side, `${name}-${tenants + at}`, 'app'),
      );
      const measured = againstFloor('cr-to-application', ours, floor, 3.5);
      const spread = quantile(ours, 0.99) / quantile(ours, 0.5);
      return {
        ...measured,
        target: '<= 3.5, p99 <= 2 p50',
        ok: measured.ok && spread <= 2,
        note: `p99 is ${round(spread)} x p50, the floor's ${round(quantile(floor, 0.99))} ms; the first of a namespace ${round(quantile(first.ours, 0.5))} ms, the floor's ${round(quantile(first.floor, 0.5))} ms; the floor works on the same API server, with the same CRDs under other groups${scaleNote()}`,
        steps,
      };
    } finally {
      await bench.close();
    }
  },
};

async function time(side: Side, namespace: string, name: string): Promise<number> {
  const from = performance.now();
  const uid = await side.create(namespace, name);
  return (await side.applicationMade(uid)) - from;
}
