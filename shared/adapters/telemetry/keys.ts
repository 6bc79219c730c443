/** Every key a log line may have. Variables are keys, messages are constant: that is what makes lines countable. */
export interface LogFields {
  readonly fn?: string | undefined;
  readonly stage?: string | undefined;
  readonly trace?: string | undefined;
  readonly span?: string | undefined;
  readonly cause?: string | undefined;
  readonly correlation?: string | undefined;
  readonly message?: string | undefined;
  readonly kind?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly attempt?: number | undefined;
  readonly outcome?: string | undefined;
  readonly reason?: string | undefined;
  readonly next?: string | undefined;
  readonly effects?: readonly string[] | undefined;
  readonly covered?: number | undefined;
  readonly waited?: number | undefined;
  readonly ms?: number | undefined;
  readonly count?: number | undefined;
  readonly queue?: string | undefined;
  readonly url?: string | undefined;
  readonly part?: string | undefined;
  readonly retry?: number | undefined;
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  readonly stack?: string | undefined;
  readonly audit?: boolean | undefined;
  readonly action?: 'VIEW' | 'ADD' | 'UPDATE' | 'DELETE' | undefined;
  readonly who?: string | undefined;
}
