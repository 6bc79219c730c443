import type { Measure } from './measure.ts';
import { event, openBenchWorld, startBenchHost } from './world.ts';

const tenants = 50;
const warmUp = 500;
const errands = 4_000;

/** An errand is two full steps, each with its rows and its log; the first one with a follow-up. */
export const stepsPerSecond: Measure = {
  name: 'steps-per-second',
  asks: 'How many full steps a second, with Postgres, queue and host on the cores of this machine?',
  async run(tell) {
    const world = await openBenchWorld();
    try {
      const host = await startBenchHost('host', world.environment);
      const pass = async (prefix: string, count: number): Promise<number> => {
        const from = performance.now();
        for (let sent = 0; sent < count; sent += 100) {
          await host.post(
            Array.from({ length: 100 }, (_none, index) =>
              event(`untold-${index % tenants}`, `${prefix}-${sent + index}`, 1),
            ),
          );
        }
        for (let done = 0; done < count; ) {
          await new Promise((resolve) => setTimeout(resolve, 200));
          const [row] = await world.sql<
            { done: number }[]
          >`select count(*)::int as done from errand where reports > 0 and subject like ${`%/${prefix}-%`}`;
          done = row?.done ?? 0;
          tell(`${done} of ${count}`);
        }
        return (performance.now() - from) / 1_000;
      };
      await pass('warm', warmUp);
      const seconds = await pass('run', errands);
      await host.stop();
      const ours = Math.round((2 * errands) / seconds);
      return {
        name: 'steps-per-second',
        unit: 'steps/s',
        ours,
        p99: null,
        floor: null,
        ratio: null,
        target: '>= 500',
        ok: ours >= 500,
      };
    } finally {
      await world.close();
    }
  },
};
