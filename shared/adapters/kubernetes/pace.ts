import type { BackoffLimits } from '../../domain/core/backoff.ts';

/** Time and luck, so that a test can step the one and fix the other. */
export interface Pace {
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** Resolves early, and never rejects, when the signal ends it. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly backoff: BackoffLimits;
}

/** The pace of a living host, but for the clock, which is the caller's. */
export const usualPace: Omit<Pace, 'now'> = {
  random: Math.random,
  sleep,
  // Half a minute is long enough to let a server recover, and short enough that nobody waits for us when it is back.
  backoff: { baseSeconds: 0.25, capSeconds: 30 },
};

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
