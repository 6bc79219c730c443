import { skipped } from '../gitops/open-gitops-bench.ts';
import { scaled, scaleNote } from '../gitops/scale.ts';
import { databaseNow, stepTimes } from '../gitops/step-times.ts';
import { againstFloor, type Measure, quantile, round } from '../measure.ts';
import { openBarePromoter } from './open-bare-promoter.ts';
import { openPromotionBench } from './open-promotion-bench.ts';
import { application, first } from './promotion-objects.ts';

const warmUp = 20;
const turns = 100;
const most = 4;
const namespace = 'promotions';

export const snapshotToBinding: Measure = {
  name: 'snapshot-to-binding',
  asks: 'How long from the create of a Snapshot until the Binding of the first environment has it?',
  async run(tell) {
    const bench = await openPromotionBench();
    if (bench === undefined) return skipped('snapshot-to-binding', 'ms');
    try {
      const bare = await openBarePromoter(bench);
      await bench.makeNamespaces([namespace]);
      await bench.makeEnvironments(namespace, [first]);
      await bench.makeApplication(namespace, application);
      const [ours, floor]: [number[], number[]] = [[], []];
      let since = await databaseNow(bench.sql);
      const all = scaled(warmUp) + scaled(turns);
      for (let at = 0; at < all; at += 1) {
        if (at % 20 === 0) tell(`${at} of ${all}`);
        if (at === scaled(warmUp)) since = await databaseNow(bench.sql);
        const name = `snapshot-${at}`;
        await bench.quiet();
        const seen = bench.promoted(namespace, application, first, name);
        const from = performance.now();
        await bench.createSnapshot(namespace, name, application);
        const took = (await seen) - from;
        // It has to come to its end: the next would wait for its turn.
        await bench.deploy(namespace, application, first);
        await bench.ended(namespace, name);
        await bench.quiet();
        const tookBare = await bare.fromSnapshot(name);
        if (at < scaled(warmUp)) continue;
        ours.push(took);
        floor.push(tookBare);
      }
      await bare.stop();
      return {
        ...againstFloor('snapshot-to-binding', ours, floor, most),
        note: `the floor's p99 ${round(quantile(floor, 0.99))} ms; it creates the PromotionRun, tells the Snapshot and changes the Binding, one after the other${scaleNote()}`,
        steps: await stepTimes(bench.sql, since),
      };
    } finally {
      await bench.close();
    }
  },
};
