import type { Moment } from '../core/step.ts';

const shortestSeconds = 2;
const longestSeconds = 600;

/**
 * When to look again at what a cluster does by itself and tells nobody: at once nearly, because a token is made in a
 * moment and an empty namespace goes in seconds; then after a quarter of the time that was waited already.
 */
export function secondsToLook({ now, waiting }: Moment, reason: string): number {
  const waited = waiting?.reason === reason ? (now - waiting.since) / 1_000 : 0;
  return Math.round(Math.min(longestSeconds, Math.max(shortestSeconds, waited / 4)));
}
