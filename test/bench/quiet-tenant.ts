import { type Measure, quantile, round } from './measure.ts';
import { event, openBenchWorld, startBenchHost } from './world.ts';

const idleKnocks = 400;
const backlog = 10_000;

/** The quiet tenant's own idle p99 is its floor; under a neighbour's backlog its knock may wait three times that. */
export const quietTenant: Measure = {
  name: 'quiet-tenant',
  asks: 'How long does a single knock wait while another tenant has 10,000 pending?',
  async run(tell) {
    const world = await openBenchWorld();
    try {
      const host = await startBenchHost('host', world.environment);
      let knocks = 0;
      const knock = (): Promise<number> => {
        knocks += 1;
        return host.time('started', 'quiet', `k-${knocks}`, 1);
      };
      for (let warm = 0; warm < 100; warm += 1) await knock();
      const idle: number[] = [];
      while (idle.length < idleKnocks) idle.push(await knock());

      for (let sent = 0; sent < backlog; sent += 500) {
        await host.post(Array.from({ length: 500 }, (_none, index) => event('untold-noisy', `n-${sent + index}`, 1)));
      }
      const busy: number[] = [];
      for (;;) {
        const [row] = await world.sql<
          { done: number }[]
        >`select count(*)::int as done from errand where subject like 'untold-noisy/%'`;
        const left = backlog - (row?.done ?? 0);
        tell(`${left} pending, ${busy.length} knocks`);
        // Only knocks that met a real backlog count.
        if (left < backlog / 10) break;
        for (let some = 0; some < 10; some += 1) busy.push(await knock());
      }
      await host.stop();
      const floor = quantile(idle, 0.99);
      const waited = quantile(busy, 0.99);
      return {
        name: 'quiet-tenant',
        unit: 'ms',
        ours: round(quantile(busy, 0.5)),
        p99: round(waited),
        floor: round(floor),
        ratio: round(waited / floor),
        target: 'p99 <= 3 x idle p99',
        ok: waited <= 3 * floor,
      };
    } finally {
      await world.close();
    }
  },
};
