import { serveConsole } from '../../functions/serve-console/index.ts';
import { startFront } from '../../infra/host/front.ts';
import { openMetrics } from '../../shared/adapters/telemetry/metrics.ts';
import { type Machine, standUp } from '../../shared/runtime/machine.ts';
import type { World } from '../../shared/runtime/world.ts';

export const consoleToken = 'a-token-of-somebody-who-looks';

/** The console behind the front of a host, on a world that the test brings; as open as a page on stand-ins. */
export async function openConsole(world: World, but: Partial<Machine> = {}, port = 0) {
  const draining = new AbortController();
  const lines: string[] = [];
  const said = (line: string): void => void lines.push(line);
  const machine = {
    world,
    clock: { now: () => Date.now(), elapsed: () => performance.now() },
    log: { error: said, warn: said, info: said, debug: said },
    metrics: openMetrics(),
    tokens: ['a-token-of-the-webhooks-alone'],
    viewers: { tokens: [consoleToken], openTo: 'loopback' },
    bodyLimitBytes: 1_000,
    draining: draining.signal,
    ...but,
  } as Machine;
  standUp(machine);
  const front = await startFront({
    machine,
    functions: [serveConsole.name],
    pages: new Map([[serveConsole.at, serveConsole.name]]),
    health: async () => ({ status: 200, body: {} }),
    host: '127.0.0.1',
    port,
  });
  return {
    url: front.url,
    /** What the log says. */
    lines,
    /** As a host ends: whoever keeps a connection is let go first. */
    async drain(limitMs = 10_000): Promise<void> {
      draining.abort();
      await front.close(limitMs);
    },
  };
}
