import type { Moment } from './step.ts';

const shortestSeconds = 15;
const longestSeconds = 600;

/**
 * When to look again at something that tells nobody when it changes: soon at first, then after a quarter of the time that
 * was waited already, at most every ten minutes.
 */
export function patienceSeconds({ now, waiting }: Moment, reason: string): number {
  const waited = waiting?.reason === reason ? (now - waiting.since) / 1_000 : 0;
  return Math.round(Math.min(longestSeconds, Math.max(shortestSeconds, waited / 4)));
}

/**
 * How long a thing waits in all until a certain moment. It is counted from when the reason was first given: counted from
 * now, the deadline would come nearer with every look.
 */
export function deadlineSecondsUntil(until: number, { now, waiting }: Moment, reason: string): number {
  const since = waiting?.reason === reason ? waiting.since : now;
  return Math.max(1, Math.ceil((until - since) / 1_000));
}
