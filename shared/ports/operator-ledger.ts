/** What a person did to a message, as the ledger keeps it. */
export interface OperatorLine {
  readonly who: string;
  readonly action: string;
  readonly subject: string;
  readonly tenant: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The message it was done to. */
  readonly cause: string;
  readonly correlation?: string | undefined;
}

export interface OperatorLedger {
  /** Writes all lines or none. */
  record(lines: readonly OperatorLine[]): Promise<void>;
}
