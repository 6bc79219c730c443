export interface BackoffLimits {
  readonly baseSeconds: number;
  readonly capSeconds: number;
}

/**
 * How long to wait before another attempt: doubling, capped, and spread over the upper
 * half of the interval, so that what failed together does not come back together.
 *
 * `luck` is a random number in [0, 1) that the caller draws.
 */
export function backoffSeconds(attempt: number, luck: number, { baseSeconds, capSeconds }: BackoffLimits): number {
  // Beyond 2^20 the cap has long won; the bound keeps the power finite.
  const whole = Math.min(capSeconds, baseSeconds * 2 ** Math.min(Math.max(attempt - 1, 0), 20));
  return whole * (0.5 + luck / 2);
}
