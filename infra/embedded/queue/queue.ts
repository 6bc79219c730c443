import { DueHeap } from './due-heap.ts';
import { Lanes } from './lanes.ts';
import type { Message } from './message.ts';
import { type QueueAttributes, type QueueSettings, settingsOf } from './queue-settings.ts';

/** How often the messages of one queue are looked through for those that are too old, at most. */
const RetentionCheckMs = 1000;

export interface Remembered {
  readonly id: string;
  readonly seq: number;
  readonly at: number;
}

/** One queue in memory: which messages are there, and which of them may be handed out now. */
export class Queue {
  readonly name: string;
  readonly createdAt: number;
  readonly messages = new Map<number, Message>();
  /** FIFO only: what was sent in the last five minutes, oldest first. */
  readonly remembered = new Map<string, Remembered>();
  tags: Record<string, string> = {};
  modifiedAt: number;
  inFlight = 0;
  delayed = 0;
  private fields: QueueAttributes;
  private parsed: QueueSettings;
  private lanes: Lanes;
  private due = new DueHeap();
  private nextRetentionCheck = 0;

  constructor(name: string, attributes: QueueAttributes, createdAt: number) {
    this.name = name;
    this.createdAt = createdAt;
    this.modifiedAt = createdAt;
    this.fields = attributes;
    this.parsed = settingsOf(attributes);
    this.lanes = new Lanes(this.parsed.fifo);
  }

  get settings(): QueueSettings {
    return this.parsed;
  }

  get attributes(): QueueAttributes {
    return this.fields;
  }

  get ready(): number {
    return this.messages.size - this.inFlight - this.delayed;
  }

  /** When the next message becomes visible by itself. */
  get nextDue(): number | undefined {
    return this.due.next?.visibleAt;
  }

  setAttributes(attributes: QueueAttributes): void {
    this.fields = attributes;
    this.parsed = settingsOf(attributes);
    this.nextRetentionCheck = 0;
  }

  /** Puts a message where its time says: ready, delayed, or in flight since before a restart. */
  place(message: Message, now: number): void {
    this.messages.set(message.seq, message);
    this.nextRetentionCheck = Math.min(this.nextRetentionCheck, message.sentAt + this.parsed.retentionSeconds * 1000);
    if (message.visibleAt <= now) this.makeReady(message);
    else if (message.handOuts > 0) this.fly(message);
    else this.delay(message);
  }

  /** Makes ready what has waited long enough. */
  advance(now: number): void {
    for (;;) {
      const message = this.due.next;
      if (message === undefined || message.visibleAt > now) return;
      this.land(message);
      this.makeReady(message);
    }
  }

  /** Takes messages out of the ready ones. The caller sends them off with `fly` or removes them. */
  take(max: number): Message[] {
    const taken = this.lanes.take(max);
    for (const message of taken) message.state = 'unplaced';
    return taken;
  }

  fly(message: Message): void {
    message.state = 'in-flight';
    this.inFlight += 1;
    this.due.add(message);
    message.lane = this.lanes.laneOf(message);
    this.lanes.flew(message.lane);
  }

  /** Gives a message in flight a new end of its invisibility. */
  setVisibleAt(message: Message, visibleAt: number): void {
    this.due.remove(message);
    message.visibleAt = visibleAt;
    this.due.add(message);
  }

  remove(message: Message): void {
    this.land(message);
    this.messages.delete(message.seq);
    if (message.lane !== undefined && message.state === 'ready') this.lanes.remove(message.lane, message);
    message.state = 'unplaced';
  }

  clear(): void {
    this.messages.clear();
    this.lanes = new Lanes(this.parsed.fifo);
    this.due = new DueHeap();
    this.inFlight = 0;
    this.delayed = 0;
  }

  /** The messages that are older than the retention period allows. */
  expired(now: number): Message[] {
    if (now < this.nextRetentionCheck) return [];
    const retention = this.parsed.retentionSeconds * 1000;
    let oldest = Number.POSITIVE_INFINITY;
    const found: Message[] = [];
    for (const message of this.messages.values()) {
      if (message.sentAt + retention <= now) found.push(message);
      else if (message.sentAt < oldest) oldest = message.sentAt;
    }
    this.nextRetentionCheck = Math.max(oldest + retention, now + RetentionCheckMs);
    return found;
  }

  private delay(message: Message): void {
    message.state = 'delayed';
    this.delayed += 1;
    this.due.add(message);
  }

  private makeReady(message: Message): void {
    message.state = 'ready';
    // Asked for anew each time: a lane without messages is forgotten, and a new one of its name may stand in its place.
    message.lane = this.lanes.laneOf(message);
    this.lanes.add(message.lane, message);
  }

  /** Takes a message out of the heap of times, and out of the count it stood in. */
  private land(message: Message): void {
    if (message.state === 'delayed') this.delayed -= 1;
    else if (message.state === 'in-flight') this.inFlight -= 1;
    else return;
    this.due.remove(message);
    if (message.state === 'in-flight' && message.lane !== undefined) this.lanes.landed(message.lane);
    message.state = 'unplaced';
  }
}
