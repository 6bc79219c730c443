import type { Effect, Next, Waiting } from '../domain/core/step.ts';
import type { Subject } from '../domain/core/subject.ts';

/** A knock on its way to one function's queue. */
export interface Message {
  readonly id: string;
  readonly function: string;
  readonly type: string;
  readonly subject: Subject;
  readonly tenant: string;
  readonly serialKey: string;
  /** The message whose step sent this one. */
  readonly cause?: string | undefined;
  readonly correlation?: string | undefined;
  readonly traceparent?: string | undefined;
  /** It is on its way for so long. A row that it stands behind is there at once. */
  readonly delaySeconds?: number | undefined;
}

export interface Begin {
  /** The id of the step that wants to begin; it becomes the holder of the lease. */
  readonly step: string;
  readonly message: Message;
  /** A row of the knock table stood behind the message when it was sent. */
  readonly pending: boolean;
  readonly leaseSeconds: number;
}

export type Begun =
  /** Ours. `pending` names the state of the knock row that this step will serve, if there is one. */
  | { readonly state: 'go'; readonly pending?: string; readonly waiting?: Waiting }
  /** Somebody looked later than this message was sent: nothing is left to do. */
  | { readonly state: 'served' }
  /** Somebody works under the same serial key; they will send the message on when they are done. */
  | { readonly state: 'busy' };

declare const opaque: unique symbol;
/** A write of a store's own rows, made by its adapter, done in the step's own transaction or not at all. */
export interface RowWrite {
  readonly [opaque]: true;
}

/** One handled message, as the step log keeps it. */
export interface StepRecord {
  readonly step: string;
  readonly message: Message;
  readonly begun?: Extract<Begun, { state: 'go' }>;
  /** True where the message has been dealt with; false where it will come again. */
  readonly done: boolean;
  /** True where it will not come again though nothing was done: it lies with the dead letters. */
  readonly buried?: boolean | undefined;
  readonly outcome: string;
  readonly reason?: string | undefined;
  readonly effects: readonly Effect[];
  readonly next?: Next | undefined;
  readonly knocks: readonly Message[];
  /** The cluster revision that was observed. */
  readonly version?: string | undefined;
  readonly attempt: number;
  readonly covered: number;
  readonly retrySeconds?: number | undefined;
  readonly waitedMs?: number | undefined;
  readonly ms: number;
}

/** The memory of steps: two round trips for each, whatever it does. */
export interface Journal {
  /** Takes the lease on the message's serial key, unless there is nothing to do or somebody has it. */
  begin(begin: Begin): Promise<Begun>;
  /**
   * Writes rows, ledger, step log, wake-up and outgoing knocks in one transaction and gives back the lease.
   * Returns the messages to send now. Throws Conflict if the lease was lost or a row had moved.
   */
  finish(record: StepRecord, rows?: readonly RowWrite[]): Promise<readonly Message[]>;
  /** Drops the row behind a message that nobody can read, so that the sweeper does not send it for ever. */
  forget(functionName: string, messageId: string): Promise<void>;
  /** Keeps the lease of a step that takes long. False: it was lost. */
  renew(step: string, serialKey: string, leaseSeconds: number): Promise<boolean>;
}
