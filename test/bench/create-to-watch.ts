import { type BenchCluster, openEmbeddedCluster, openRealCluster } from './cluster.ts';
import { againstFloor, type Measure, quantile, round } from './measure.ts';

const rounds = 400;
const warmUp = 40;

export const createToWatch: Measure = {
  name: 'create-to-watch',
  asks: 'How long from sending a create to its watch event, on the embedded API server and on a real one?',
  async run(tell) {
    const embedded = await openEmbeddedCluster();
    const real = await openRealCluster();
    try {
      const [ours, theirs] = [await timer(embedded), real && (await timer(real))];
      const [own, floor]: [number[], number[]] = [[], []];
      for (let at = 0; at < rounds + warmUp; at += 1) {
        if (at % 20 === 0) tell(`${at} of ${rounds + warmUp}`);
        const [one, other] = [await ours(at), await theirs?.(at)];
        if (at < warmUp) continue;
        own.push(one);
        if (other !== undefined) floor.push(other);
      }
      if (real !== undefined) return againstFloor('create-to-watch', own, floor, 1.5);
      return {
        name: 'create-to-watch',
        unit: 'ms',
        ours: round(quantile(own, 0.5)),
        p99: round(quantile(own, 0.99)),
        floor: null,
        ratio: null,
        target: 'no Go: no real one',
        ok: true,
      };
    } finally {
      await embedded.close();
      await real?.close();
    }
  },
};

async function timer(cluster: BenchCluster): Promise<(at: number) => Promise<number>> {
  const watch = await cluster.follow();
  return async (at) => {
    const name = `bench-${at}`;
    const seen = watch.seen(name);
    const from = performance.now();
    const [until] = await Promise.all([seen, cluster.create(name)]);
    return until - from;
  };
}
