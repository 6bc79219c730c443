const scale = Number(process.env['BENCH_SCALE'] ?? 1);

/** A count of a measure. BENCH_SCALE=0.1 makes a run short, to see that it works; its figures are worth nothing. */
export function scaled(count: number): number {
  return Math.max(1, Math.round(count * scale));
}

export function scaleNote(): string {
  return scale === 1 ? '' : `; AT SCALE ${scale}, NOT A MEASUREMENT`;
}
