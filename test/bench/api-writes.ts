import { type BenchCluster, openEmbeddedCluster, openRealCluster } from './cluster.ts';
import { type Measure, round } from './measure.ts';

const inFlight = 16;
const perTurn = 1_000;
const turns = 3;

export const apiWrites: Measure = {
  name: 'api-writes',
  asks: 'How many creates a second does the embedded API server take, and how many a real one, sixteen at a time?',
  async run(tell) {
    const embedded = await openEmbeddedCluster();
    const real = await openRealCluster();
    try {
      const best = { embedded: 0, real: 0 };
      for (let turn = 0; turn < turns; turn += 1) {
        tell(`turn ${turn + 1} of ${turns}`);
        best.embedded = Math.max(best.embedded, await writesPerSecond(embedded, turn));
        if (real !== undefined) best.real = Math.max(best.real, await writesPerSecond(real, turn));
      }
      const ratio = real === undefined ? null : round(best.embedded / best.real);
      return {
        name: 'api-writes',
        unit: '1/s',
        ours: Math.round(best.embedded),
        p99: null,
        floor: real === undefined ? null : Math.round(best.real),
        ratio,
        target: real === undefined ? 'no Go: no real one' : 'ratio >= 0.67',
        ok: ratio === null || ratio >= 0.67,
      };
    } finally {
      await embedded.close();
      await real?.close();
    }
  },
};

async function writesPerSecond(cluster: BenchCluster, turn: number): Promise<number> {
  let next = 0;
  const from = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (next < perTurn) {
        next += 1;
        await cluster.create(`bench-${turn}-${next}`);
      }
    }),
  );
  return (perTurn * 1_000) / (performance.now() - from);
}
