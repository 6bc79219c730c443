import { Cron } from 'croner';
import type { StagecoachSchedule } from '../../shared/runtime/define-schedule.ts';
import type { Machine } from '../../shared/runtime/machine.ts';
import type { MapEntry } from '../map.ts';

/** Ticks every schedule of the map. Of several hosts on one database, the one that claims a slot does the round. */
export function startTicking(
  schedules: readonly { readonly entry: MapEntry; readonly door: StagecoachSchedule }[],
  machine: Machine,
) {
  const { clock, log, upkeep } = machine;
  const rounds = schedules.map(({ entry, door }) => {
    const state = {
      schedule: entry.name,
      tickedAt: clock.now(),
      intervalMs: 0,
    };
    const cron = new Cron(entry.schedule ?? '', { protect: true, unref: true, timezone: 'UTC' }, async (self: Cron) => {
      const slot = self.currentRun()?.getTime() ?? clock.now();
      try {
        if (await upkeep.claimTick(entry.name, Math.floor(slot / 1_000) * 1_000)) await door.tick(machine);
        state.tickedAt = clock.now();
      } catch (error) {
        // The next slot tries again; /healthz tells when slots keep failing.
        log.warn('tick failed', { fn: entry.name, error: String(error) });
      }
    });
    const [first, second] = cron.nextRuns(2);
    state.intervalMs = (second?.getTime() ?? 0) - (first?.getTime() ?? 0);
    return { cron, state };
  });
  return {
    state: () => rounds.map(({ state }) => state),
    stop(): void {
      for (const { cron } of rounds) cron.stop();
    },
  };
}
