import { fitsLabel } from '../core/object-name.ts';
import { deadlineSecondsUntil, patienceSeconds } from '../core/patience.ts';
import { type Moment, recheck, type Step, settled } from '../core/step.ts';
import { advanceRun } from './advance-run.ts';
import { describeEnded, describeForeign, describeWaiting, isSaid } from './describe-run.ts';
import { type HandOver, handOver } from './hand-over.ts';
import { firstInLine, knockAt, waitForTurn, wakeNext } from './line-up.ts';
import type { Run, SeenPromotion, StoredRun } from './promotion.ts';
import type { PromotionEffect } from './promotion-effect.ts';

export const turnNeverCame = 'TurnNeverCame';
/** What knocks at itself looks again at once; this is for the case that the knock gets lost. */
const momentSeconds = 60;

/**
 * Decides the next step of a promotion. Of the runs of one application one is active, the others wait in the order in
 * which they were made. The turn is taken in the rows, which let only one have it, before anything in the cluster is
 * touched; whoever ends wakes the next.
 */
export function decidePromotion(seen: SeenPromotion, moment: Moment): Step<PromotionEffect> {
  const { run, isNamespaceGoing } = seen;
  const left = leavePredecessors(seen, moment);
  if (run === undefined || run.isDeleting || isNamespaceGoing) return { ...left, conditions: [], next: settled };
  // OBSERVED: one of before had its name, and may have the turn. It makes way first.
  if (left.effects.length > 0) return makeRoom(seen, run, left, moment);
  if (run.status.state === 'Completed') return close(seen, run, moment);
  if (seen.end !== undefined)
    return {
      effects: [{ do: 'tell-user', at: moment.now }],
      conditions: [],
      knocks: wakeNext(seen, [run.uid]),
      next: settled,
    };
  const stored = seen.open.find(({ uid }) => uid === run.uid);
  if (stored?.state === 'Active') return advanceRun(seen, run, stored, moment);
  const handedOver = handOver(seen, stored, moment.now);
  return handedOver === undefined
    ? lineUp(seen, run, stored, moment)
    : leaveToOthers(seen, run, stored, handedOver, moment);
}

type Part = Pick<Step<PromotionEffect>, 'effects' | 'knocks'>;

/** Rows of runs that are gone, whatever goes by their name now. Whoever waited behind them is woken. */
function leavePredecessors(seen: SeenPromotion, { now }: Moment): Part {
  const { run, named } = seen;
  const isHere = (uid: string): boolean => run !== undefined && run.uid === uid && !run.isDeleting;
  const gone = named
    .map(({ uid }) => uid)
    .filter((uid) => !isHere(uid))
    .toSorted();
  return {
    effects: gone.map((uid) => ({ do: 'end-run', uid, result: 'Deleted', reason: 'Deleted', at: now })),
    knocks: gone.length === 0 ? [] : wakeNext(seen, gone),
  };
}

function makeRoom({ namespace }: SeenPromotion, run: Run, left: Part, moment: Moment): Step<PromotionEffect> {
  const wait = { reason: 'PredecessorLeaving', message: 'One of before had its name', deadlineSeconds: momentSeconds };
  return {
    effects: left.effects,
    conditions: [],
    knocks: [...left.knocks, knockAt(namespace, run.name, run.application)],
    next: recheck(patienceSeconds(moment, wait.reason), wait),
  };
}

/** Its end was told; the rows may not know yet. */
function close(seen: SeenPromotion, run: Run, { now }: Moment): Step<PromotionEffect> {
  const stored = seen.open.find(({ uid }) => uid === run.uid);
  const { completionResult: result = 'Failure', conditions } = run.status;
  const reason = conditions.find(({ type }) => type === 'Promoted')?.reason ?? '';
  return {
    effects: stored === undefined ? [] : [{ do: 'end-run', uid: run.uid, result, reason, at: now }],
    conditions: [],
    knocks: stored === undefined ? [] : wakeNext(seen, [run.uid]),
    next: settled,
  };
}

/** A run that never stood in line is only told. If this service is asked again while it waits, it goes on. */
function leaveToOthers(
  seen: SeenPromotion,
  run: Run,
  stored: StoredRun | undefined,
  handedOver: HandOver,
  moment: Moment,
): Step<PromotionEffect> {
  const { now, waiting } = moment;
  const { reason, message, since, until } = handedOver;
  if (stored !== undefined && now >= until) return giveUp(seen, run, handedOver, moment);
  const isNews = !isSaid(run, describeForeign(run, handedOver, stored !== undefined, now));
  const wait = { reason, message, deadlineSeconds: (until - since) / 1_000 };
  const isOver = stored === undefined && waiting?.reason === reason && now >= waiting.deadline;
  return {
    effects: [
      ...(stored === undefined || stored.waiting?.reason === reason
        ? []
        : [{ do: 'keep-run', reason, at: now } as const]),
      ...(isNews ? [{ do: 'tell-user', at: now } as const] : []),
    ],
    conditions: [],
    knocks: [],
    next: isOver ? settled : recheck(patienceSeconds(moment, reason), wait),
  };
}

function lineUp(seen: SeenPromotion, run: Run, stored: StoredRun | undefined, moment: Moment): Step<PromotionEffect> {
  const { namespace, open } = seen;
  const { now } = moment;
  const label: PromotionEffect[] = runLabels(run) === undefined ? [] : [{ do: 'label-run' }];
  const first = firstInLine(seen, run);
  if (first === undefined) {
    return {
      effects: [...label, { do: 'take-turn', snapshot: run.snapshot, at: now }],
      conditions: [],
      knocks: [knockAt(namespace, run.name, run.application)],
      next: recheck(patienceSeconds(moment, 'TurnTaken'), {
        reason: 'TurnTaken',
        message: 'Its turn has come',
        deadlineSeconds: momentSeconds,
      }),
    };
  }
  const wait = waitForTurn(run, first, stored, now);
  if (wait.isOver) return giveUp(seen, run, { reason: turnNeverCame, message: wait.message }, moment);
  const isNews = !isSaid(run, describeWaiting(run, wait, now));
  return {
    effects: [
      ...label,
      ...(wait.isNew ? [{ do: 'keep-run', reason: wait.reason, at: now } as const] : []),
      ...(isNews ? [{ do: 'tell-user', at: now } as const] : []),
    ],
    conditions: [],
    // Its end may have been told to nobody.
    knocks:
      moment.waiting?.reason === wait.reason || open.some(({ uid }) => uid === first.uid) === false
        ? [knockAt(namespace, first.name, run.application)]
        : [],
    next: recheck(patienceSeconds(moment, wait.reason), {
      reason: wait.reason,
      message: wait.message,
      deadlineSeconds: deadlineSecondsUntil(Date.parse(wait.until), moment, wait.reason),
    }),
  };
}

/** Those before it have deadlines of their own, so this is a line that somebody has stopped. */
function giveUp(
  seen: SeenPromotion,
  run: Run,
  { reason, message }: { readonly reason: string; readonly message: string },
  { now }: Moment,
): Step<PromotionEffect> {
  const end = { result: 'Failure', reason } as const;
  return {
    effects: [
      { do: 'end-run', uid: run.uid, ...end, at: now },
      ...(isSaid(run, describeEnded(run, { ...end, message }, now)) ? [] : [{ do: 'tell-user', at: now } as const]),
    ],
    conditions: [],
    knocks: wakeNext(seen, [run.uid]),
    next: settled,
  };
}

/** The labels that a run should have and has not. Undefined: none. */
export function runLabels({ labels, application, goal }: Run): Readonly<Record<string, string>> | undefined {
  const environment = goal.kind === 'manual' ? goal.target : goal.initial.length === 1 ? goal.initial[0] : undefined;
  const wanted = {
    'appstudio.application': application,
    ...(environment !== undefined && { 'appstudio.environment': environment }),
  };
  const missing = Object.entries(wanted).filter(
    ([key, value]) => value !== '' && fitsLabel(value) && labels[key] !== value,
  );
  return missing.length === 0 ? undefined : Object.fromEntries(missing);
}
