import { readFileSync } from 'node:fs';
import { mapFile } from '../../infra/map.ts';
import { type Measure, round } from './measure.ts';
import { openBenchWorld, startBenchHost } from './world.ts';

const idleMs = 5_000;

export const hostMemory: Measure = {
  name: 'host-memory',
  asks: 'How much memory does an idle host hold?',
  async run() {
    const world = await openBenchWorld(mapFile);
    try {
      const host = await startBenchHost('host', world.environment);
      await new Promise((resolve) => setTimeout(resolve, idleMs));
      const kilobytes = Number(
        /VmRSS:\s+(?<kb>\d+)/.exec(readFileSync(`/proc/${host.pid}/status`, 'utf8'))?.groups?.['kb'],
      );
      await host.stop();
      const ours = round(kilobytes / 1_024);
      return {
        name: 'host-memory',
        unit: 'MB',
        ours,
        p99: null,
        floor: null,
        ratio: null,
        target: '< 150',
        ok: ours < 150,
      };
    } finally {
      await world.close();
    }
  },
};
