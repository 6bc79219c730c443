import type { PendingKnock, WaitingSubject } from '../../shared/ports/step-reader.ts';
import { count, momentInWords, stamp } from './in-words.ts';

/** What a subject waits for, since when, and until when. */
export function waitInWords({ reason, message, since, due, deadline, blockedOn }: WaitingSubject, now: number): string {
  const blocked = blockedOn === undefined ? '' : `blocked on ${blockedOn}, `;
  return `${reason}: ${message}; ${blocked}since ${stamp(since)}, looks again ${momentInWords(due, now)}, gives up ${momentInWords(deadline, now)}`;
}

/** What the state of a pending knock means. */
export function knockInWords({ state, type, id, since, due, sends, serialKey }: PendingKnock, now: number): string {
  const meanings = {
    sent: `a message is on its way (sent ${count(sends, 'time')}); it is sent again ${momentInWords(due, now)} if nobody serves it`,
    marked: `waits until the step that works under ${serialKey} is done`,
    aside: 'waits until its tenant has room again, because the tenant has had its share',
  };
  return `${type} since ${momentInWords(since, now)}, message ${id}: ${meanings[state]}`;
}
