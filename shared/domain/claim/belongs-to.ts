import type { Target } from '../target/target.ts';
import type { Claim } from './claim.ts';

type Named = Pick<Claim, 'name' | 'uid'>;

/** Does the target name this very claim? Without a UID a person wrote the name, and means whoever is called so. */
export function belongsTo({ claim: reference }: Pick<Target, 'claim'>, { name, uid }: Named): boolean {
  return reference?.name === name && (reference.uid === undefined || reference.uid === uid);
}

/** Was it kept for another claim of the same name? That one must be gone: there cannot be two. */
export function belongsToPredecessor({ claim: reference }: Pick<Target, 'claim'>, { name, uid }: Named): boolean {
  return reference?.name === name && reference.uid !== undefined && reference.uid !== uid;
}

/**
 * The targets that are kept for a claim. What the binder itself or a provisioner kept bears its UID, and goes before what
 * a person has written.
 */
export function keptFor(targets: readonly Target[], claim: Named): readonly Target[] {
  const kept = targets.filter((target) => belongsTo(target, claim));
  const surest = kept.filter(({ claim: reference }) => reference?.uid !== undefined);
  return surest.length > 0 ? surest : kept;
}
