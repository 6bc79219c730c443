/** A message that lies with the dead letters of a function, because it was buried or because the queue gave up on it. */
export interface Letter {
  readonly function: string;
  /** The id of the event it holds; the queue's own where the body cannot be read. */
  readonly id: string;
  /** The queue's own id, which tells two letters with the same event apart. */
  readonly queueId: string;
  readonly body: string;
  /** The body and what travelled beside it. Absent where the body is no JSON object. */
  readonly event?: Readonly<Record<string, unknown>> | undefined;
  /** What travelled beside the body: for a buried letter function, why, step, traceparent and buriedat. */
  readonly attributes: Readonly<Record<string, string>>;
  /** When it was put into a queue, in milliseconds since the epoch. */
  readonly sentAt: number;
}

export interface Looked {
  readonly letters: readonly Letter[];
  /** There are letters that were not seen: beyond the limit, or in somebody else's hands. */
  readonly more: boolean;
}

export interface DeadLetters {
  /** Looks at letters of a function, `most` at the most, and leaves them where they are. */
  look(functionName: string, most: number): Promise<Looked>;
  /**
   * Takes these letters, by the queue's own ids, one at a time. One for which `deal` returns 'done' is removed, any
   * other stays. Returns those that were removed. A letter that somebody else holds is not found.
   */
  take(
    functionName: string,
    queueIds: ReadonlySet<string>,
    deal: (letter: Letter) => Promise<'done' | 'keep'>,
  ): Promise<ReadonlySet<string>>;
}
