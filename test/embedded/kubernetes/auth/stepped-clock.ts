import type { Clock } from '../../../../infra/embedded/kubernetes/clock.ts';

export interface SteppedClock extends Clock {
  /** Goes forward and runs what is due on the way, in order. */
  step(milliseconds: number): Promise<void>;
  readonly pending: number;
}

/** Lets promises that are ready go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

export function createSteppedClock(start = Date.parse('2026-11-16T10:00:00Z')): SteppedClock {
  const timers = new Set<{ at: number; run: () => void }>();
  let now = start;
  return {
    now: () => now,
    after(milliseconds, run) {
      const timer = { at: now + milliseconds, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    get pending() {
      return timers.size;
    },
    async step(milliseconds) {
      const end = now + milliseconds;
      await settle();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((left, right) => left.at - right.at);
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.run();
        await settle();
      }
      now = end;
    },
  };
}
