import type { Finding } from '../../shared/domain/upkeep/drift.ts';
import type { PartState } from '../../shared/domain/upkeep/pass.ts';
import type { Machine } from '../../shared/runtime/machine.ts';

/** What a part may use up before the next one has its turn. */
export interface Turn {
  readonly machine: Pick<Machine, 'world' | 'routes'>;
  /** When the pass looks, in milliseconds since the epoch. */
  readonly now: number;
  /** Where it stopped the last time; empty at the beginning. */
  readonly after: string;
  readonly signal: AbortSignal;
  /** Is it time for this part, which looks so often at most? */
  isDue(everySeconds: number): Promise<boolean>;
  /** Has it had its share, having looked at so many? */
  isUp(looked: number): boolean;
  /** Keeps findings and knocks for them. */
  tell(findings: readonly Finding[]): Promise<void>;
}

/** How far a part came in one turn. */
export type Came = PartState;

/** Rows of one page. Objects come in pages of the same size. */
export const pageSize = 500;
