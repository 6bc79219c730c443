import { isBefore } from '../binding/is-before.ts';
import { instantOf } from '../core/instant.ts';
import type { Knock } from '../core/step.ts';
import type { Run, SeenPromotion, StoredRun } from './promotion.ts';
import type { ToldWait } from './run-status.ts';

/** Whoever is first has deadlines of its own; a line that does not move for a day never will. */
const lineMs = 86_400_000;
/** Both are due at the time of the first: whoever waits must not look, and give up, before it has come to its end. */
const courtesyMs = 3_600_000;

/** Who goes before a run. */
interface First {
  readonly uid: string;
  readonly name: string;
  /** How long it may take for what it waits for. Undefined: nobody knows. */
  readonly until?: number | undefined;
}

/** Who goes before this one. Undefined: it is its turn. */
export function firstInLine({ open, line }: SeenPromotion, run: Run): First | undefined {
  const active = open.find(({ state, uid }) => state === 'Active' && uid !== run.uid);
  if (active !== undefined) return { uid: active.uid, name: active.name, until: active.waiting?.until };
  return line
    .filter((one) => one.uid !== run.uid && isBefore(one, run))
    .toSorted((one, other) => (isBefore(one, other) ? -1 : 1))[0];
}

export interface TurnWait extends ToldWait {
  readonly until: string;
  readonly isOver: boolean;
  /** It is not yet written down like this. */
  readonly isNew: boolean;
}

/** What a run says that waits for others. However long the line is: as long as it moves, its time is not over. */
export function waitForTurn(run: Run, first: First, stored: StoredRun | undefined, now: number): TurnWait {
  const reason = 'AnotherPromotionActive';
  const message = `PromotionRun ${first.name} of application ${run.application} goes first`;
  const before = stored?.waiting?.reason === reason ? stored.waiting : undefined;
  const since = before?.since ?? now;
  const isMoving = before === undefined || (before.message ?? message) !== message;
  const limit = isMoving ? now + lineMs : (before.until ?? since + lineMs);
  const until = Math.max(limit, first.until === undefined ? 0 : first.until + courtesyMs);
  return {
    reason,
    message,
    since: instantOf(since),
    until: instantOf(until),
    isOver: now >= until,
    isNew: isMoving || (before.until !== undefined && instantOf(before.until) !== instantOf(until)),
  };
}

/** Of those that wait, the first is woken when another one makes way. */
export function wakeNext({ namespace, open }: SeenPromotion, except: readonly string[]): Knock[] {
  const waiting = open.filter(({ uid, state }) => state === 'Waiting' && !except.includes(uid));
  const [next] = waiting.toSorted((one, other) => (isBefore(one, other) ? -1 : 1));
  return next === undefined ? [] : [knockAt(namespace, next.name, next.application)];
}

export function knockAt(namespace: string, name: string, application: string): Knock {
  return { type: 'promotion.changed.v1', subject: { namespace, name, application } };
}
