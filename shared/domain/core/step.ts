import type { Condition } from './condition.ts';
import type { Subject } from './subject.ts';

/**
 * What a decision hands back: what to do, what to tell the user, whom to wake, and
 * when to look again. A step is plain data. Nothing in it can fail, wait or be awaited,
 * and no secret may stand in it: steps are written to the log and shown to operators.
 */
export interface Step<E extends Effect = Effect> {
  readonly effects: readonly E[];
  readonly conditions: readonly Condition[];
  readonly knocks: readonly Knock[];
  readonly next: Next;
}

/** Something to be done to the world, named by an imperative. Each becomes a line of the ledger. */
export interface Effect {
  readonly do: string;
}

/** A message to follow: look at this subject. The type is one of shared/contracts/catalog.ts. */
export interface Knock {
  readonly type: string;
  readonly subject: Subject;
  /** Not before so many seconds. Whoever knocks at the same door meanwhile is served along with it. */
  readonly afterSeconds?: number | undefined;
}

/** Why a thing waits, in one word for machines and one sentence for people, and for how long it may. */
export interface Wait {
  readonly reason: string;
  readonly message: string;
  /** Seconds from the first time this reason was given until the wait has failed. */
  readonly deadlineSeconds: number;
}

/** What a subject has waited for until now. Times are milliseconds since the epoch. */
export interface Waiting {
  readonly reason: string;
  readonly since: number;
  readonly deadline: number;
}

/** When a rule is asked. Time is observed, like everything else. */
export interface Moment {
  readonly now: number;
  readonly waiting?: Waiting | undefined;
}

export type Next =
  | { readonly kind: 'settled' }
  | { readonly kind: 'recheck'; readonly afterSeconds: number; readonly wait: Wait }
  | { readonly kind: 'blocked'; readonly on: string; readonly wait: Wait };

export const settled: Next = { kind: 'settled' };

/** Nothing will wake us: look again by ourselves. */
export function recheck(afterSeconds: number, wait: Wait): Next {
  return { kind: 'recheck', afterSeconds, wait };
}

/** The change of what it is blocked on wakes it; the deadline does, if nothing else. */
export function blockedOn(on: string, wait: Wait): Next {
  return { kind: 'blocked', on, wait };
}

/** The moment to look again by ourselves, or undefined for a thing that is settled. */
export function wakesAfterSeconds(next: Next): number | undefined {
  if (next.kind === 'settled') return undefined;
  return next.kind === 'recheck' ? Math.min(next.afterSeconds, next.wait.deadlineSeconds) : next.wait.deadlineSeconds;
}
