/**
 * forward-due: sends what is due, so that no intent depends on one message.
 *
 *   wakes on   a schedule, every few seconds
 *   observes   wake-ups whose time has come, and knocks that nobody served in time
 *   decides    nothing: what is due is due
 *   commits    the same knocks again, later each time
 *   if down    what waits for a time stays waiting, and a message lost in a crash is not sent again
 */
import { defineSchedule } from '../../shared/runtime/define-schedule.ts';

/** One round takes no more than this, so that a long backlog is sent in turns and not in one breath. */
const most = 500;

export const forwardDue = defineSchedule({
  name: 'forward-due',
  emits: [],

  async run({ upkeep, queue, metrics, routes, log }) {
    const due = await upkeep.takeDue(most);
    // A round that was not full has taken everything there was.
    metrics.oldestDueSeconds.set(due.length < most ? 0 : await upkeep.overdueSeconds());
    // A function that left the map has no queue. Its knocks must not stand in the way of the others.
    const messages = due.filter(({ function: name }) => routes.some((route) => route.function === name));
    if (messages.length < due.length)
      log.warn('knocks of functions that are not on the map', { count: due.length - messages.length });
    await queue.send(messages.map((message) => ({ message, from: 'forward-due', pending: true })));
    metrics.resent.inc(messages.length);
    return { count: messages.length, did: 'sent what was due' };
  },
});
