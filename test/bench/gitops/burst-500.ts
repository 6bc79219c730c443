import { type Measure, quantile, round } from '../measure.ts';
import { type GitOpsBench, inParallel, openGitOpsBench, skipped } from './open-gitops-bench.ts';
import { scaled, scaleNote } from './scale.ts';
import { databaseNow, stepTimes } from './step-times.ts';

const deployments = 500;
const tenants = 100;
const rounds = 3;

export const burst500: Measure = {
  name: 'burst-500',
  asks: 'How long from the first of 500 creates in 100 new namespaces until all Applications are seen?',
  async run(tell) {
    const bench = await openGitOpsBench({ floor: 'create' });
    if (bench === undefined) return skipped('burst-500', 's');
    try {
      await round500(bench, 'ours', 'warm', 100);
      await round500(bench, 'floor', 'warm', 100);
      const since = await databaseNow(bench.sql);
      const [ours, floor]: [number[], number[]] = [[], []];
      for (let at = 0; at < rounds; at += 1) {
        tell(`round ${at + 1} of ${rounds}`);
        ours.push(await round500(bench, 'ours', `${at}`, scaled(deployments)));
        floor.push(await round500(bench, 'floor', `${at}`, scaled(deployments)));
      }
      const ratio = quantile(ours, 0.5) / quantile(floor, 0.5);
      return {
        name: 'burst-500',
        unit: 's',
        ours: round(quantile(ours, 0.5)),
        p99: null,
        floor: round(quantile(floor, 0.5)),
        ratio: round(ratio),
        target: 'ratio <= 3.5',
        ok: ratio <= 3.5,
        note: `rounds ${ours.map(round).join(', ')} s, the floor's ${floor.map(round).join(', ')} s; the namespaces are new in every round, and ours makes their AppProjects as well${scaleNote()}`,
        steps: await stepTimes(bench.sql, since),
      };
    } finally {
      await bench.close();
    }
  },
};

/** Seconds until the last one, from a still machine and in namespaces that nobody has seen. */
async function round500(bench: GitOpsBench, name: 'ours' | 'floor', turn: string, count: number): Promise<number> {
  const namespaces = Array.from({ length: Math.min(tenants, count) }, (_none, at) => `${name}-${turn}-${at}`);
  await bench.makeNamespaces(namespaces);
  await bench.quiet();
  const side = bench[name];
  const seen: Promise<number>[] = [];
  const from = performance.now();
  await inParallel(count, async (at) => {
    const uid = await side.create(namespaces[at % namespaces.length] ?? '', `app-${at}`);
    seen.push(side.applicationMade(uid));
  });
  const last = Math.max(...(await Promise.all(seen)));
  await bench.quiet();
  return (last - from) / 1_000;
}
