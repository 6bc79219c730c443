import { skipped } from '../gitops/open-gitops-bench.ts';
import { scaled, scaleNote } from '../gitops/scale.ts';
import { databaseNow, stepTimes } from '../gitops/step-times.ts';
import { type Measure, round } from '../measure.ts';
import { type Binding, type ClaimsBench, openClaimsBench } from './open-claims-bench.ts';

const claims = 1_000;
const tenants = 10;
const most = 4;

export const bind1000: Measure = {
  name: 'bind-1000',
  asks: 'How long from the first of 1,000 claims in 10 namespaces until all have one of 1,000 targets?',
  async run(tell) {
    const bench = await openClaimsBench();
    if (bench === undefined) return skipped('bind-1000', 's');
    try {
      await round1000(bench, bench.ours, 'warm', scaled(100));
      await round1000(bench, bench.floor, 'warm-floor', scaled(100));
      const since = await databaseNow(bench.sql);
      tell('ours');
      const ours = await round1000(bench, bench.ours, 'ours', scaled(claims));
      tell('the floor');
      const floor = await round1000(bench, bench.floor, 'floor', scaled(claims));
      return {
        name: 'bind-1000',
        unit: 's',
        ours: round(ours),
        p99: null,
        floor: round(floor),
        ratio: round(ours / floor),
        target: `ratio <= ${most}`,
        ok: ours / floor <= most,
        note: `the floor knows which target each claim gets, and only writes it${scaleNote()}`,
        steps: await stepTimes(bench.sql, since),
      };
    } finally {
      await bench.close();
    }
  },
};

/** Seconds until the last one is Bound, from a still machine with all targets Available. */
async function round1000(bench: ClaimsBench, side: Binding, turn: string, count: number): Promise<number> {
  const namespaces = Array.from({ length: tenants }, (_none, at) => `${turn}-${at}`);
  await bench.makeNamespaces(namespaces);
  await side.makeTargets(namespaces, 0, count);
  await bench.quiet();
  const took = await side.bind(namespaces, 0, count);
  await bench.quiet();
  return took / 1_000;
}
