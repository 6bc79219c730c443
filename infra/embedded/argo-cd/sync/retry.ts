import type { Retry } from '../application.ts';

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration as Argo CD writes it: `5s`, `3m`, `1h30m`, or a number of seconds. Undefined where it is none. */
export function readDuration(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitsMs[unit] ?? 0), 0);
}

/** How long to wait before the next attempt; an Error where the strategy cannot be read. */
export function retryDelay({ backoff = {} }: Retry, retries: number): number | Error {
  const duration = readDuration(backoff.duration || '5s');
  const most = readDuration(backoff.maxDuration || '3m');
  if (duration === undefined || most === undefined)
    return new Error(`time: invalid duration "${duration === undefined ? backoff.duration : backoff.maxDuration}"`);
  const wait = duration * (backoff.factor ?? 2) ** retries;
  return most > 0 ? Math.min(most, wait) : wait;
}

/** As Argo CD writes a strategy down: a limit of none is left out. */
export function writeRetry({ limit, ...retry }: Retry): Retry {
  return limit === undefined || limit === 0 ? retry : { limit, ...retry };
}

/** The time of day as Argo CD says it in its messages: 3:04PM. */
export function kitchenTime(ms: number): string {
  const at = new Date(ms);
  const hours = at.getUTCHours();
  return `${hours % 12 || 12}:${String(at.getUTCMinutes()).padStart(2, '0')}${hours < 12 ? 'AM' : 'PM'}`;
}
