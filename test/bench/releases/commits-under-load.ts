import { skipped } from '../gitops/open-gitops-bench.ts';
import { scaled, scaleNote } from '../gitops/scale.ts';
import { databaseNow, stepTimes } from '../gitops/step-times.ts';
import { type Measure, round } from '../measure.ts';
import { openReleaseBench } from './open-release-bench.ts';

const bindings = 50;
const changes = 500;
const writers = 8;
/** What one git by hand does in a second on a repository: fewer changes than that would be a queue without an end. */
const least = 10;

export const commitsUnderLoad: Measure = {
  name: 'commits-under-load',
  asks: 'How many changes of Bindings a second reach one repository, and in how many commits?',
  async run(tell) {
    const bench = await openReleaseBench();
    if (bench === undefined) return skipped('commits-under-load', '1/s');
    try {
      const names = Array.from({ length: bindings }, (_each, at) => `environment-${at}`);
      tell('making Bindings');
      await bench.makeBindings(names);
      const first = await bench.head();
      const since = await databaseNow(bench.sql);
      const from = performance.now();
      let next = 0;
      tell('changing them');
      await Promise.all(
        Array.from({ length: writers }, async () => {
          for (let at = next++; at < scaled(changes); at = next++)
            await bench.change(names[at % bindings] ?? '', 2 + Math.floor(at / bindings));
        }),
      );
      await bench.quiet();
      const seconds = (performance.now() - from) / 1_000;
      const commits = await bench.commits(first);
      const rate = scaled(changes) / seconds;
      return {
        name: 'commits-under-load',
        unit: '1/s',
        ours: round(rate),
        p99: null,
        floor: null,
        ratio: null,
        target: `>= ${least}`,
        ok: rate >= least,
        note: `${scaled(changes)} changes of ${bindings} Bindings in ${round(seconds)} s: ${commits} commits, ${round(commits / seconds)} a second, until everybody was told${scaleNote()}`,
        steps: await stepTimes(bench.sql, since),
      };
    } finally {
      await bench.close();
    }
  },
};
