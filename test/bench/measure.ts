/** One measure, in the one form that all of them have, now and later. */
export interface Measured {
  readonly name: string;
  readonly unit: string;
  /** The median, or the figure itself. */
  readonly ours: number;
  readonly p99: number | null;
  /** The same round trips and nothing else, in the same run, turn by turn. */
  readonly floor: number | null;
  readonly ratio: number | null;
  readonly target: string;
  readonly ok: boolean;
  /** What else the run showed, in words. */
  readonly note?: string;
  /** Where the time went, a line for each function, from the step log. Shown with --steps. */
  readonly steps?: readonly string[];
}

export interface Measure {
  readonly name: string;
  readonly asks: string;
  run(tell: (progress: string) => void): Promise<Measured>;
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** A measure whose ratio to its floor is the number that counts. */
export function againstFloor(name: string, ours: readonly number[], floor: readonly number[], most: number): Measured {
  const ratio = quantile(ours, 0.5) / quantile(floor, 0.5);
  return {
    name,
    unit: 'ms',
    ours: round(quantile(ours, 0.5)),
    p99: round(quantile(ours, 0.99)),
    floor: round(quantile(floor, 0.5)),
    ratio: round(ratio),
    target: `ratio <= ${most}`,
    ok: ratio <= most,
  };
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
