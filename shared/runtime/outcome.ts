import type { Next, Step } from '../domain/core/step.ts';

/** How an invocation ended: one word for the log line, and what an HTTP caller is told. */
export type Outcome =
  | { readonly kind: 'stepped'; readonly next: Next['kind']; readonly effects: number }
  /** There was nothing to look at. */
  | { readonly kind: 'skipped'; readonly why: string }
  /** Another step serves, or has served, this message. */
  | { readonly kind: 'coalesced'; readonly why: 'served' | 'busy' }
  | { readonly kind: 'conflict' | 'transient' | 'uncertain'; readonly why: string; readonly retrySeconds: number }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'poison'; readonly why: string };

/** What a function would do, and has not done. */
export interface Rehearsal {
  readonly function: string;
  readonly subject: string;
  /** Undefined: what it looks at is gone. */
  readonly step: Step | undefined;
}
