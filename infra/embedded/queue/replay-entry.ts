import type { JournalEntry, MoveTaskRow } from './journal-entry.ts';
import { standUp } from './message.ts';
import { Queue } from './queue.ts';

/** The part of the broker that reading the journal fills. */
interface Replayed {
  readonly queues: Map<string, Queue>;
  readonly tasks: Map<string, MoveTaskRow>;
  nextSeq: number;
}

/** Does again what one entry says. Messages are only collected; they are put in their places when all is read. */
export function replayEntry(state: Replayed, entry: JournalEntry): void {
  switch (entry.t) {
    case 'next':
      state.nextSeq = Math.max(state.nextSeq, entry.seq);
      return;
    case 'queue':
      replayQueue(state, entry);
      return;
    case 'task':
      state.tasks.set(entry.task.id, entry.task);
      return;
    case 'gone':
      state.queues.delete(entry.q);
      return;
  }
  const queue = state.queues.get(entry.q);
  if (entry.t === 'put') state.nextSeq = Math.max(state.nextSeq, entry.m.seq + 1);
  if (queue !== undefined) replayMessages(queue, entry);
}

function replayQueue(state: Replayed, entry: JournalEntry & { t: 'queue' }): void {
  let queue = state.queues.get(entry.q);
  if (queue === undefined) {
    queue = new Queue(entry.q, entry.attributes, entry.createdAt);
    state.queues.set(entry.q, queue);
  }
  queue.setAttributes(entry.attributes);
  queue.tags = { ...entry.tags };
  queue.modifiedAt = entry.modifiedAt;
}

function replayMessages(
  queue: Queue,
  entry: JournalEntry & { t: 'purge' | 'put' | 'progress' | 'drop' | 'sent' },
): void {
  switch (entry.t) {
    case 'purge':
      queue.messages.clear();
      return;
    case 'put':
      queue.messages.set(entry.m.seq, standUp(entry.m));
      return;
    case 'drop':
      for (const seq of entry.s) queue.messages.delete(seq);
      return;
    case 'sent':
      queue.remembered.set(entry.key, { id: entry.id, seq: entry.seq, at: entry.at });
      return;
    case 'progress':
      for (const [seq, receives, handOuts, firstReceivedAt, visibleAt] of entry.p) {
        const message = queue.messages.get(seq);
        if (message !== undefined) Object.assign(message, { receives, handOuts, firstReceivedAt, visibleAt });
      }
  }
}
