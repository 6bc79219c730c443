import type { PendingKnock, WaitingSubject } from '../../shared/ports/step-reader.ts';
import { count, lengthInWords, momentInWords, stamp } from './in-words.ts';

/** What a subject waits for, since when, and until when. */
export function waitInWords({ reason, message, since, due, deadline, blockedOn }: WaitingSubject, now: number): string {
  const blocked = blockedOn === undefined ? '' : `blocked on ${blockedOn}, `;
  const overdue = overdueFor(due, now);
  const look = overdue === undefined ? `looks again ${momentInWords(due, now)}` : `a look has been due for ${overdue}`;
  const end =
    overdueFor(deadline, now) === undefined ? `gives up ${momentInWords(deadline, now)}` : 'gives up at the next look';
  return `${reason}: ${message}; ${blocked}since ${stamp(since)}, ${look}, ${end}`;
}

/** What the state of a pending knock means. */
export function knockInWords({ state, type, id, since, due, sends, serialKey }: PendingKnock, now: number): string {
  const overdue = overdueFor(due, now);
  const again =
    overdue === undefined
      ? `it is sent again ${momentInWords(due, now)} if nobody serves it`
      : `it has been due to be sent again for ${overdue}`;
  const meanings = {
    sent: `a message is on its way (sent ${count(sends, 'time')}); ${again}`,
    marked: `waits until the step that works under ${serialKey} is done`,
    aside: 'waits until its tenant has room again, because the tenant has had its share',
  };
  return `${type} since ${momentInWords(since, now)}, message ${id}: ${meanings[state]}`;
}

/** Undefined: its time has not come. What is behind us was not done then: nobody has got round to it. */
function overdueFor(moment: string, now: number): string | undefined {
  const ms = now - Date.parse(moment);
  return ms < 0 ? undefined : lengthInWords(ms);
}
