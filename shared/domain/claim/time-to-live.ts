import type { Claim } from './claim.ts';

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600 };
/** A hundred years: longer is a slip of the hand, and nobody has to count with such numbers. */
const longestSeconds = 100 * 365 * 24 * 3_600;

/** How long "72h", "1h30m" or "90s" is. Undefined: it cannot be read, is nothing at all or longer than a hundred years. */
export function timeToLiveSeconds(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const seconds = parts.reduce(
    (sum, [, amount = '0', unit = 's']) => sum + Number(amount) * (unitSeconds[unit] ?? 0),
    0,
  );
  return seconds > 0 && seconds <= longestSeconds ? seconds : undefined;
}

/** When a claim has lived as long as it may, in milliseconds since the epoch. Undefined: it has no end, or none that can be read. */
export function endOfLife({ created, timeToLive }: Pick<Claim, 'created' | 'timeToLive'>): number | undefined {
  const seconds = timeToLive === undefined ? undefined : timeToLiveSeconds(timeToLive);
  return seconds === undefined ? undefined : created + Math.round(seconds * 1_000);
}
