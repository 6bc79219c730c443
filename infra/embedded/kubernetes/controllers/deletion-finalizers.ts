import type { DeleteOptions } from '../internal-api.ts';

export const orphanFinalizer = 'orphan';
export const foregroundFinalizer = 'foregroundDeletion';

/** The finalizers an object has after a DELETE: how its dependants go is written there for the garbage collector. */
export function deletionFinalizers(
  finalizers: readonly string[],
  policy: DeleteOptions['propagationPolicy'],
): string[] {
  if (policy === undefined) return [...finalizers];
  const others = finalizers.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer);
  if (policy === 'Orphan') return [...others, orphanFinalizer];
  if (policy === 'Foreground') return [...others, foregroundFinalizer];
  return others;
}
