import { skipped } from '../gitops/open-gitops-bench.ts';
import { scaled, scaleNote } from '../gitops/scale.ts';
import { databaseNow, stepTimes } from '../gitops/step-times.ts';
import { againstFloor, type Measure, quantile, round } from '../measure.ts';
import { openBarePromoter } from './open-bare-promoter.ts';
import { openPromotionBench } from './open-promotion-bench.ts';
import { application, first, second } from './promotion-objects.ts';

const warmUp = 20;
const turns = 100;
const most = 3;
const namespace = 'promotions';

export const promotionStep: Measure = {
  name: 'promotion-step',
  asks: 'How long from what Argo CD says of the last component until the Binding of the next environment has the snapshot?',
  async run(tell) {
    const bench = await openPromotionBench();
    if (bench === undefined) return skipped('promotion-step', 'ms');
    try {
      const bare = await openBarePromoter(bench);
      await bench.makeNamespaces([namespace]);
      await bench.makeEnvironments(namespace, [first, second]);
      await bench.makeApplication(namespace, application);
      const [ours, floor]: [number[], number[]] = [[], []];
      let since = await databaseNow(bench.sql);
      const all = scaled(warmUp) + scaled(turns);
      for (let at = 0; at < all; at += 1) {
        if (at % 20 === 0) tell(`${at} of ${all}`);
        if (at === scaled(warmUp)) since = await databaseNow(bench.sql);
        const name = `snapshot-${at}`;
        await bench.createSnapshot(namespace, name, application);
        const seen = bench.promoted(namespace, application, second, name);
        const from = await bench.deploy(namespace, application, first);
        const took = (await seen) - from;
        await bench.deploy(namespace, application, second);
        await bench.ended(namespace, name);
        await bench.quiet();
        const tookBare = await bare.fromReport(name);
        if (at < scaled(warmUp)) continue;
        ours.push(took);
        floor.push(tookBare);
      }
      await bare.stop();
      return {
        ...againstFloor('promotion-step', ours, floor, most),
        note: `the floor's p99 ${round(quantile(floor, 0.99))} ms; it tells the GitOpsDeployment and changes the Binding; both begin with the write of what Argo CD says${scaleNote()}`,
        steps: await stepTimes(bench.sql, since),
      };
    } finally {
      await bench.close();
    }
  },
};
