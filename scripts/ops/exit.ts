/** What the shell is told. They stand in the help text; scripts rely on them. */
export const exits = { ok: 0, failed: 1, wrongUsage: 2, notFound: 3, promotionFailed: 4, timeIsUp: 5 } as const;

export type ExitCode = (typeof exits)[keyof typeof exits];

/** Ends a verb with a sentence for the operator and a code for the shell. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly code: Exclude<ExitCode, 0>;

  constructor(code: Exclude<ExitCode, 0>, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
