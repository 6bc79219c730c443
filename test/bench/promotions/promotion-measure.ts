import { skipped } from '../gitops/open-gitops-bench.ts';
import { scaled, scaleNote } from '../gitops/scale.ts';
import { databaseNow, stepTimes } from '../gitops/step-times.ts';
import { againstFloor, type Measure, quantile, round } from '../measure.ts';
import { type BarePromoter, openBarePromoter } from './open-bare-promoter.ts';
import { openPromotionBench, type PromotionBench } from './open-promotion-bench.ts';
import { application } from './promotion-objects.ts';

const warmUp = 20;
const turns = 100;
export const namespace = 'promotions';

interface Way extends Pick<Measure, 'name' | 'asks'> {
  /** How many times what the bare client takes it may take. */
  readonly most: number;
  readonly environments: readonly string[];
  /** What the bare client does. */
  readonly floorDoes: string;
  /** The milliseconds of one snapshot; the promotion of it is at its end afterwards, as the next waits for its turn. */
  ours(bench: PromotionBench, snapshot: string): Promise<number>;
  floor(bare: BarePromoter, snapshot: string): Promise<number>;
}

/** One snapshot after the other, with the product and with the bare client in turn; each begins when everything is still. */
export function promotionMeasure({ name, asks, most, environments, floorDoes, ...way }: Way): Measure {
  return {
    name,
    asks,
    async run(tell) {
      const bench = await openPromotionBench();
      if (bench === undefined) return skipped(name, 'ms');
      try {
        const bare = await openBarePromoter(bench);
        await bench.makeNamespaces([namespace]);
        await bench.makeEnvironments(namespace, environments);
        await bench.makeApplication(namespace, application);
        const [ours, floor]: [number[], number[]] = [[], []];
        let since = await databaseNow(bench.sql);
        const all = scaled(warmUp) + scaled(turns);
        for (let at = 0; at < all; at += 1) {
          if (at % 20 === 0) tell(`${at} of ${all}`);
          if (at === scaled(warmUp)) since = await databaseNow(bench.sql);
          const snapshot = `snapshot-${at}`;
          await bench.quiet();
          const took = await way.ours(bench, snapshot);
          await bench.ended(namespace, snapshot);
          await bench.quiet();
          const tookBare = await way.floor(bare, snapshot);
          if (at < scaled(warmUp)) continue;
          ours.push(took);
          floor.push(tookBare);
        }
        await bare.stop();
        return {
          ...againstFloor(name, ours, floor, most),
          note: `the floor's p99 ${round(quantile(floor, 0.99))} ms; it ${floorDoes}${scaleNote()}`,
          steps: await stepTimes(bench.sql, since),
        };
      } finally {
        await bench.close();
      }
    },
  };
}
