import { skipped } from '../gitops/open-gitops-bench.ts';
import { scaled, scaleNote } from '../gitops/scale.ts';
import { type Measure, quantile, round } from '../measure.ts';
import { openClaimsBench } from './open-claims-bench.ts';

const few = 1_000;
const many = 10_000;
const claims = 100;
const rounds = 3;
/** Ten times the targets may cost a claim this much more; what is linear would cost ten times as much. */
const most = 1.5;

export const bindGrowth: Measure = {
  name: 'bind-growth',
  asks: 'What does a claim cost where its namespace has 10,000 free targets, compared with 1,000?',
  async run(tell) {
    const bench = await openClaimsBench();
    if (bench === undefined) return skipped('bind-growth', 'ms each');
    try {
      const places = { few: ['growth-few'], many: ['growth-many'] };
      await bench.makeNamespaces([...places.few, ...places.many]);
      tell('making targets');
      await bench.ours.makeTargets(places.few, 0, scaled(few));
      await bench.ours.makeTargets(places.many, 0, scaled(many));
      await bench.quiet();
      const took: Record<'few' | 'many', number[]> = { few: [], many: [] };
      const each = scaled(claims);
      for (let turn = 0; turn <= rounds; turn += 1)
        for (const size of ['few', 'many'] as const) {
          tell(`round ${turn} of ${rounds}`);
          const ms = await bench.ours.bind(places[size], turn * each, (turn + 1) * each);
          await bench.quiet();
          // The first round warms up.
          if (turn > 0) took[size].push(ms / each);
        }
      const [cheap, dear] = [quantile(took.few, 0.5), quantile(took.many, 0.5)];
      return {
        name: 'bind-growth',
        unit: 'ms each',
        ours: round(dear),
        p99: null,
        floor: round(cheap),
        ratio: round(dear / cheap),
        target: `ratio <= ${most}`,
        ok: dear / cheap <= most,
        note: `the floor is the same with a tenth of the targets${scaleNote()}`,
      };
    } finally {
      await bench.close();
    }
  },
};
