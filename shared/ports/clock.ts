/** The only way to know the time. Tests step it. */
export interface Clock {
  /** Milliseconds since the epoch, for what is written down. */
  now(): number;
  /** Milliseconds that only ever grow, for how long something took. */
  elapsed(): number;
}
