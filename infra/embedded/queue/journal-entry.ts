import type { MessageRow } from './message.ts';
import type { QueueAttributes } from './queue-settings.ts';

export interface MoveTaskRow {
  readonly id: string;
  readonly source: string;
  readonly destination?: string | undefined;
  readonly perSecond?: number | undefined;
  readonly startedAt: number;
  readonly toMove: number;
  moved: number;
  status: 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
  failure?: string | undefined;
}

/** Where a message stands after a hand-out, a change of visibility, or a hand-out taken back. */
type ProgressRow = readonly [
  seq: number,
  receives: number,
  handOuts: number,
  firstReceivedAt: number,
  visibleAt: number,
];

/**
 * One line of the journal. Every entry says how things are afterwards, never by how much they changed, so that reading
 * one twice, or reading one about something that is gone, does no harm. Compaction relies on it.
 */
export type JournalEntry =
  | { readonly t: 'next'; readonly seq: number }
  | {
      readonly t: 'queue';
      readonly q: string;
      readonly attributes: QueueAttributes;
      readonly tags: Readonly<Record<string, string>>;
      readonly createdAt: number;
      readonly modifiedAt: number;
    }
  | { readonly t: 'gone'; readonly q: string }
  | { readonly t: 'purge'; readonly q: string }
  | { readonly t: 'put'; readonly q: string; readonly m: MessageRow }
  | { readonly t: 'progress'; readonly q: string; readonly p: readonly ProgressRow[] }
  | { readonly t: 'drop'; readonly q: string; readonly s: readonly number[] }
  | {
      readonly t: 'sent';
      readonly q: string;
      readonly key: string;
      readonly id: string;
      readonly seq: number;
      readonly at: number;
    }
  | { readonly t: 'task'; readonly task: MoveTaskRow };
