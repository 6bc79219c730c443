/**
 * The seeds of the stories that are played: so many, unless told otherwise. `BINDER_SEEDS=5000` plays more of them, and
 * `BINDER_SEED=42` the one that failed.
 */
export function seedsOf(usually: number): readonly number[] {
  const one = process.env['BINDER_SEED'];
  if (one !== undefined) return [Number(one)];
  return Array.from({ length: Number(process.env['BINDER_SEEDS'] ?? usually) }, (_, index) => index + 1);
}
