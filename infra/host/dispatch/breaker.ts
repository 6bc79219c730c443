import { setTimeout as pause } from 'node:timers/promises';
import { backoffSeconds } from '../../../shared/domain/core/backoff.ts';

/** So many steps in a row that found something away mean that it is away. */
const enough = 10;

/**
 * While a dependency is away, the host tries with one step at a time, ever more slowly, and leaves the rest where it
 * is safest: in the queue. The first step that gets through opens everything again.
 */
export function openBreaker(random: () => number) {
  let away = 0;
  return {
    saw(transient: boolean): void {
      away = transient ? away + 1 : 0;
    },
    atOnce: (usual: number): number => (away >= enough ? 1 : usual),
    async pause(signal: AbortSignal): Promise<void> {
      if (away < enough) return;
      const seconds = backoffSeconds(away - enough + 1, random(), { baseSeconds: 0.5, capSeconds: 10 });
      await pause(seconds * 1_000, undefined, { signal, ref: false }).catch(() => undefined);
    },
  };
}
