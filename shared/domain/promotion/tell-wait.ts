import { instantOf } from '../core/instant.ts';
import type { Beginning } from './begin-steps.ts';
import type { Considered } from './consider-promotion.ts';
import type { HandOver } from './hand-over.ts';
import type { ToldWait } from './run-status.ts';

type Waited = Pick<HandOver, 'reason' | 'message' | 'since' | 'until'>;

export function toldWait({ reason, message, since, until }: Waited): ToldWait {
  return { reason, message, since: instantOf(since), until: instantOf(until) };
}

/** What an environment waits for that nobody has looked at since its turn came. */
export function waitAtFirst({ isClaiming, until }: Beginning, now: number): Waited {
  return isClaiming
    ? { reason: 'Begun', message: 'Whether its target is ready is looked at', since: now, until }
    : { reason: 'Rendering', message: 'The GitOps repository is being written', since: now, until };
}

/** Of several waits the one that ends first. */
export function waitOf({ steps, holdUp, begin }: Considered, now: number): ToldWait | undefined {
  const waits = [
    ...steps.map(({ environment, wait }) => ({ environment, wait })),
    ...(holdUp === undefined ? begin.filter(isBegun) : []).map((one) => ({
      environment: one.environment,
      wait: waitAtFirst(one, now),
    })),
  ].flatMap(({ environment, wait }) => (wait === undefined ? [] : [{ environment, wait }]));
  const [first] = waits.toSorted((one, other) => one.wait.until - other.wait.until);
  if (first !== undefined) return toldWait({ ...first.wait, message: `${first.environment}: ${first.wait.message}` });
  return holdUp && toldWait(holdUp);
}

/** It has not failed before it could begin. */
export function isBegun({ failure }: Beginning): boolean {
  return failure === undefined;
}
