import type { Message } from './journal.ts';

/** A message with what its journey needs. */
export interface Delivery {
  readonly message: Message;
  /** The function that sends it. */
  readonly from: string;
  /** A row of the knock table stands behind it. */
  readonly pending: boolean;
  /** How often a step for it has been put off. */
  readonly attempt?: number;
  readonly delaySeconds?: number;
}

/** A message that nobody can handle, with what an operator needs to decide about it. */
export interface DeadLetter {
  readonly function: string;
  readonly body: string;
  readonly why: string;
  readonly step?: string | undefined;
  readonly traceparent?: string | undefined;
}

export interface Queue {
  /** Returns when the queue has all of them; throws Transient if it does not take even one. */
  send(deliveries: readonly Delivery[]): Promise<void>;
  bury(letter: DeadLetter): Promise<void>;
}
