import type { Claim } from '../claim/claim.ts';
import type { Orphan } from './orphan.ts';
import type { ProvisionEffect, SeenProvision } from './provision-effect.ts';

/**
 * What was made for a claim that is gone, and that no target stands for, belongs to nobody. It goes where the class that
 * asked for it says Delete; where it says otherwise, or can no longer be asked, it stays for a person to look at.
 */
export function decideOrphans({ claim, orphans }: SeenProvision): readonly ProvisionEffect[] {
  return orphans
    .filter((orphan) => isOrphan(orphan, claim) && !orphan.hasTarget)
    .map(({ id, name, reclaimPolicy }): ProvisionEffect => {
      if (reclaimPolicy === 'Delete') return { do: 'discard-orphan', id, name };
      return { do: 'keep-orphan', name, why: reclaimPolicy === undefined ? 'ClassNotFound' : 'Retain' };
    });
}

/** Is the claim that it was made for gone? Where it does not say whose it is, what is older than the claim is another's. */
export function isOrphan(orphan: Orphan, claim: Claim | undefined): boolean {
  if (claim === undefined) return true;
  return orphan.claimUid === undefined ? orphan.created < claim.created : orphan.claimUid !== claim.uid;
}
