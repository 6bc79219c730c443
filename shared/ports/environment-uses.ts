import type { ObjectKey } from './cluster.ts';
import type { RowWrite } from './journal.ts';

/** What an Environment looks at, so that a change there wakes it. */
export interface EnvironmentUse {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The claim that it names. */
  readonly claimName: string | undefined;
  /** The Secret that opens its target, where it was found out. */
  readonly secretName: string | undefined;
}

export interface EnvironmentUses {
  /** The Environments whose target is opened by this Secret. */
  openedBy(secret: ObjectKey): Promise<readonly string[]>;
  remember(use: EnvironmentUse): RowWrite;
  forget(environment: ObjectKey): RowWrite;
}
