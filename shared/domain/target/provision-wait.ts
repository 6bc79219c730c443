import type { Condition } from '../core/condition.ts';
import { patienceSeconds } from '../core/patience.ts';
import { blockedOn, type Moment, type Next, recheck } from '../core/step.ts';

/** Longer than a namespace takes, and about as long as a cluster. */
const deadlineSeconds = 3_600;

interface WaitedFor {
  readonly reason: string;
  readonly message: string;
  readonly what: string;
  /** Its changes knock. */
  readonly wakesUs: boolean;
}

/** Looks again when it changes, or by itself where nobody would tell; when the time is over, more and more seldom. */
export function waitFor({ reason, message, what, wakesUs }: WaitedFor, moment: Moment): Next {
  const wait = { reason, message: inTime(reason, message, moment), deadlineSeconds };
  if (wakesUs && !isOverdue(reason, moment)) return blockedOn(what, wait);
  return recheck(patienceSeconds(moment, reason), wait);
}

/** The user is told when it takes longer than it should. */
export function inTime(reason: string, message: string, moment: Moment): string {
  return isOverdue(reason, moment) ? `${message}; this takes longer than it should` : message;
}

function isOverdue(reason: string, { now, waiting }: Moment): boolean {
  return waiting?.reason === reason && now >= waiting.deadline;
}

/** What others call a reason may be no word for a condition. */
export function conditionOf(type: string, reason: string, message: string): Condition {
  const word = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason) ? reason : 'ProvisioningFailed';
  return { type, status: 'False', reason: word, message };
}

export const provisioned: Condition = {
  type: 'Provisioned',
  status: 'True',
  reason: 'Provisioned',
  message: '',
};

export const expanded: Condition = { type: 'Expanded', status: 'True', reason: 'Expanded', message: '' };
