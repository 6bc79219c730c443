import { skipped } from '../gitops/open-gitops-bench.ts';
import { scaled, scaleNote } from '../gitops/scale.ts';
import { databaseNow, stepTimes } from '../gitops/step-times.ts';
import { againstFloor, type Measure, quantile, round } from '../measure.ts';
import { openReleaseBench } from './open-release-bench.ts';

const warmUp = 20;
const turns = 100;
const most = 1.5;

export const bindingToCommit: Measure = {
  name: 'binding-to-commit',
  asks: 'How long from the change of a Binding until its commit is pushed?',
  async run(tell) {
    const bench = await openReleaseBench();
    if (bench === undefined) return skipped('binding-to-commit', 'ms');
    try {
      await bench.makeBindings(['development']);
      const byHand = await bench.openBareGit();
      const ours: number[] = [];
      const floor: number[] = [];
      let since = await databaseNow(bench.sql);
      const all = scaled(warmUp) + scaled(turns);
      for (let at = 0; at < all; at += 1) {
        if (at % 20 === 0) tell(`${at} of ${all}`);
        if (at === scaled(warmUp)) since = await databaseNow(bench.sql);
        await bench.quiet();
        const before = await bench.head();
        const from = performance.now();
        const moved = bench.moved(before);
        // One replica is what it has from the start: a change to that would be none, and no commit would come.
        await bench.change('development', 2 + (at % 2));
        const took = (await moved) - from;
        await bench.quiet();
        const bare = performance.now();
        await byHand(at);
        const tookBare = performance.now() - bare;
        if (at < scaled(warmUp)) continue;
        ours.push(took);
        floor.push(tookBare);
      }
      return {
        ...againstFloor('binding-to-commit', ours, floor, most),
        note: `bare git has a warm clone with a working tree: git commit and git push, p99 ${round(quantile(floor, 0.99))} ms; ours begins with the write to the API server${scaleNote()}`,
        steps: await stepTimes(bench.sql, since),
      };
    } finally {
      await bench.close();
    }
  },
};
