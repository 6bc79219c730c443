import type { Condition } from '../core/condition.ts';
import { instantOf } from '../core/instant.ts';
import { type Moment, type Next, recheck, wakesAfterSeconds } from '../core/step.ts';
import type { Claim } from './claim.ts';
import { claimConditions } from './claim-conditions.ts';
import { endOfLife } from './time-to-live.ts';

const annotation = 'stagecoach.dev/ttl';
const livesUntil = 'LivesUntil';
/** No timer is set further ahead than this: who looks now and then also notices a clock that was wrong. */
const longestNapSeconds = 6 * 3_600;

export function isOverage(claim: Claim, { now }: Moment): boolean {
  const end = endOfLife(claim);
  return end !== undefined && now >= end;
}

export function tellLifetime(claim: Claim): readonly Condition[] {
  if (claim.timeToLive !== undefined && endOfLife(claim) === undefined)
    return [claimConditions.isMalformed(annotation)];
  return claimConditions.isUnderstood(claim);
}

/** Whatever else a claim waits for, it is looked at again when its time is over. */
export function untilEndOfLife(next: Next, claim: Claim, moment: Moment): Next {
  const end = endOfLife(claim);
  if (end === undefined) return next;
  const left = Math.max(1, Math.ceil((end - moment.now) / 1_000));
  if (next.kind !== 'settled')
    return (wakesAfterSeconds(next) ?? 0) <= left ? next : recheck(Math.min(left, longestNapSeconds), next.wait);
  // A deadline counts from the first time that the reason was given.
  const since = moment.waiting?.reason === livesUntil ? moment.waiting.since : moment.now;
  return recheck(Math.min(left, longestNapSeconds), {
    reason: livesUntil,
    message: `The claim lives until ${instantOf(end)} and is deleted then`,
    deadlineSeconds: Math.max(1, Math.ceil((end - since) / 1_000)),
  });
}
