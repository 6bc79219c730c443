import type { Link } from './chain.ts';
import type { Lane } from './lanes.ts';

export interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue?: string;
  readonly BinaryValue?: string;
}

export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;

/** What a message is from the moment it is sent. */
export interface MessageContent {
  readonly seq: number;
  readonly id: string;
  readonly body: string;
  readonly bodyMd5: string;
  readonly attributes?: MessageAttributes | undefined;
  readonly attributesMd5?: string | undefined;
  readonly traceHeader?: string | undefined;
  readonly group?: string | undefined;
  readonly deduplicationId?: string | undefined;
  readonly sentAt: number;
  /** The queue from which it came to this dead-letter queue. */
  readonly deadFrom?: string | undefined;
}

/** What happens to a message while it is in the queue. */
interface MessageProgress {
  receives: number;
  /** Counts every hand-out, also those taken back, so that no two hand-outs share a receipt handle. */
  handOuts: number;
  firstReceivedAt: number;
  visibleAt: number;
}

export interface Message extends MessageContent, MessageProgress, Link<Message> {
  state: 'unplaced' | 'ready' | 'delayed' | 'in-flight';
  lane: Lane | undefined;
  /** Its place in the queue's heap of times; -1 when it waits for no time. */
  heapIndex: number;
}

export type MessageRow = MessageContent & MessageProgress;

export function standUp(row: MessageRow): Message {
  return { ...row, state: 'unplaced', lane: undefined, heapIndex: -1, before: undefined, after: undefined };
}

export function toRow(message: Message): MessageRow {
  const { state: _state, lane: _lane, heapIndex: _index, before: _before, after: _after, ...row } = message;
  return row;
}

/** The receipt handle of a message's latest hand-out. */
export function handleOf(message: Message): string {
  return `${message.seq}-${message.handOuts}-${message.id}`;
}

const Handle = /^([1-9]\d{0,15})-([1-9]\d{0,9})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function readHandle(handle: string): { seq: number; handOuts: number } | undefined {
  const match = Handle.exec(handle);
  return match === null ? undefined : { seq: Number(match[1]), handOuts: Number(match[2]) };
}
