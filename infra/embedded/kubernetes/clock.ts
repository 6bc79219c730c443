/** Time as the server sees it, so that a simulation may step it. */
export interface Clock {
  now(): number;
  /** Runs once, `milliseconds` from now. Returns what cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    // Nothing that waits inside the server keeps its process alive: the listening socket does that.
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** A time as the API writes it: to the second. */
export function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** A time with microseconds, as Leases, Events and the audit log write it. */
export function preciseInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
