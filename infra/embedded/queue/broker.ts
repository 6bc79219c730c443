import { randomUUID } from 'node:crypto';
import { Journal } from '../journal.ts';
import type { JournalEntry, MoveTaskRow } from './journal-entry.ts';
import { LongPolls } from './long-polls.ts';
import { type Message, type MessageContent, type MessageRow, standUp, toRow } from './message.ts';
import { Queue, type Remembered } from './queue.ts';
import type { QueueAttributes } from './queue-settings.ts';
import { replayEntry } from './replay-entry.ts';
import { SqsError } from './sqs-error.ts';

interface BrokerOptions {
  readonly folder: string;
  readonly now: () => number;
  readonly compactAboveBytes?: number | undefined;
}

/** What a sender gives; the rest of a message is made here. */
export type Draft = Omit<MessageContent, 'seq' | 'id' | 'sentAt'> & Partial<Pick<MessageContent, 'id' | 'sentAt'>>;

/** All queues, with the one rule that a change of memory and its entry in the journal are made together. */
export class Broker {
  readonly now: () => number;
  readonly journal: Journal<JournalEntry>;
  readonly polls: LongPolls;
  readonly queues = new Map<string, Queue>();
  readonly tasks = new Map<string, MoveTaskRow>();
  nextSeq = 1;

  constructor(options: BrokerOptions) {
    this.now = options.now;
    this.polls = new LongPolls(this);
    this.journal = new Journal<JournalEntry>({
      folder: options.folder,
      owner: 'the embedded queue',
      compactAboveBytes: options.compactAboveBytes,
      snapshot: () => this.snapshot(),
      beforeWrite: () => this.polls.serve(),
    });
    this.journal.load((entry) => replayEntry(this, entry));
    const now = this.now();
    for (const queue of this.queues.values()) {
      for (const message of [...queue.messages.values()].sort((a, b) => a.seq - b.seq)) queue.place(message, now);
    }
  }

  /** The queue with its times brought up to now. */
  queue(name: string): Queue {
    const queue = this.queues.get(name);
    if (queue === undefined) throw new SqsError('QueueDoesNotExist', 'The specified queue does not exist.');
    this.refresh(queue);
    return queue;
  }

  refresh(queue: Queue): void {
    const now = this.now();
    const expired = queue.expired(now);
    if (expired.length > 0) this.drop(queue, expired);
    queue.advance(now);
  }

  declare(name: string, attributes: QueueAttributes, tags: Record<string, string>): Queue {
    const queue = new Queue(name, attributes, this.now());
    queue.tags = tags;
    this.queues.set(name, queue);
    this.recordQueue(queue);
    return queue;
  }

  recordQueue(queue: Queue): void {
    queue.modifiedAt = this.now();
    this.journal.append(queueEntry(queue));
  }

  forget(queue: Queue): void {
    queue.clear();
    this.queues.delete(queue.name);
    this.journal.append({ t: 'gone', q: queue.name });
    this.polls.abandon(queue);
  }

  purge(queue: Queue): void {
    queue.clear();
    this.journal.append({ t: 'purge', q: queue.name });
  }

  put(queue: Queue, draft: Draft, delaySeconds: number): Message {
    const now = this.now();
    const row: MessageRow = {
      ...draft,
      seq: this.nextSeq,
      id: draft.id ?? randomUUID(),
      sentAt: draft.sentAt ?? now,
      receives: 0,
      handOuts: 0,
      firstReceivedAt: 0,
      visibleAt: now + delaySeconds * 1000,
    };
    return this.enter(queue, row);
  }

  /** Hands out up to `max` messages. Those that were received often enough go to the dead letters instead. */
  receive(queue: Queue, max: number, visibilitySeconds: number): Message[] {
    const now = this.now();
    const given: Message[] = [];
    while (given.length < max) {
      const taken = queue.take(max - given.length);
      if (taken.length === 0) break;
      for (const message of taken) {
        if (this.bury(queue, message)) continue;
        message.receives += 1;
        message.handOuts += 1;
        if (message.firstReceivedAt === 0) message.firstReceivedAt = now;
        message.visibleAt = now + visibilitySeconds * 1000;
        queue.fly(message);
        given.push(message);
      }
    }
    if (given.length > 0) this.recordProgress(queue, given);
    return given;
  }

  /** Takes back a hand-out that reached nobody, as if it had never been. */
  takeBack(queue: Queue, messages: readonly Message[], handOuts: readonly number[]): void {
    const now = this.now();
    const back = messages.filter((message, index) => {
      return message.state === 'in-flight' && message.handOuts === handOuts[index] && queue.messages.has(message.seq);
    });
    for (const message of back) {
      message.receives -= 1;
      if (message.receives === 0) message.firstReceivedAt = 0;
      queue.setVisibleAt(message, now);
    }
    if (back.length === 0) return;
    this.recordProgress(queue, back);
    this.polls.wake(queue);
  }

  setVisibility(queue: Queue, message: Message, seconds: number): void {
    queue.setVisibleAt(message, this.now() + seconds * 1000);
    this.recordProgress(queue, [message]);
    this.polls.wake(queue);
  }

  drop(queue: Queue, messages: readonly Message[]): void {
    for (const message of messages) queue.remove(message);
    this.journal.append({ t: 'drop', q: queue.name, s: messages.map((message) => message.seq) });
    // In a FIFO queue, deleting a message sets the rest of its group free.
    if (queue.settings.fifo) this.polls.wake(queue);
  }

  /** Notes that a FIFO queue has taken this message, for the time in which it is not taken again. */
  remember(queue: Queue, key: string, sent: Remembered): void {
    queue.remembered.set(key, sent);
    this.journal.append({ t: 'sent', q: queue.name, key, ...sent });
  }

  recordTask(task: MoveTaskRow): void {
    this.tasks.set(task.id, task);
    this.journal.append({ t: 'task', task });
  }

  private bury(queue: Queue, message: Message): boolean {
    const { redrive } = queue.settings;
    if (redrive === undefined || message.receives < redrive.maxReceiveCount) return false;
    const target = this.queues.get(redrive.deadLetterQueue);
    if (target === undefined || target === queue) return false;
    const now = this.now();
    // A FIFO queue counts a dead letter's age anew; a standard queue goes on from the first sending. Its message id
    // takes the place of the deduplication id, which two dead letters may share.
    const renewed = queue.settings.fifo ? { sentAt: now, deduplicationId: message.id } : {};
    const row: MessageRow = { ...toRow(message), seq: this.nextSeq, deadFrom: queue.name, visibleAt: now, ...renewed };
    this.drop(queue, [message]);
    this.enter(target, row);
    return true;
  }

  private enter(queue: Queue, row: MessageRow): Message {
    this.nextSeq += 1;
    const message = standUp(row);
    queue.place(message, this.now());
    this.journal.append({ t: 'put', q: queue.name, m: row });
    this.polls.wake(queue);
    return message;
  }

  private recordProgress(queue: Queue, messages: readonly Message[]): void {
    this.journal.append({
      t: 'progress',
      q: queue.name,
      p: messages.map((m) => [m.seq, m.receives, m.handOuts, m.firstReceivedAt, m.visibleAt]),
    });
  }

  private *snapshot(): Generator<JournalEntry> {
    yield { t: 'next', seq: this.nextSeq };
    for (const queue of this.queues.values()) yield queueEntry(queue);
    for (const task of this.tasks.values()) yield { t: 'task', task };
    for (const queue of this.queues.values()) {
      for (const [key, sent] of queue.remembered) yield { t: 'sent', q: queue.name, key, ...sent };
      for (const message of queue.messages.values()) yield { t: 'put', q: queue.name, m: toRow(message) };
    }
  }
}

function queueEntry(queue: Queue): JournalEntry {
  const { name: q, attributes, tags, createdAt, modifiedAt } = queue;
  return { t: 'queue', q, attributes, tags, createdAt, modifiedAt };
}
