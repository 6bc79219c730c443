import { type Amounts, billionthsOf } from '../core/quantity.ts';
import { letIn, type Verdict } from '../gitops/admit.ts';
import type { Claim } from './claim.ts';

type WrittenClaim = Pick<Claim, 'phase' | 'className' | 'arch' | 'targetName' | 'resources'>;

/**
 * Of a bound claim only the resources may change, and only upwards: what it is bound to was chosen for the rest. The
 * rules are those of its CRD, in the same words. The binder fills in an empty targetName.
 */
export function admitClaim(written: WrittenClaim, stored: WrittenClaim | undefined): Verdict {
  if (stored?.phase !== 'Bound') return letIn;
  const problems = [
    written.className === stored.className ? undefined : 'deploymentTargetClassName of a bound claim cannot be updated',
    written.arch === stored.arch ? undefined : 'arch of a bound claim cannot be updated',
    stored.targetName === '' || written.targetName === stored.targetName
      ? undefined
      : 'targetName of a bound claim cannot be updated',
    ...(['requests', 'limits'] as const).map((amounts) =>
      hasGrown(written.resources?.[amounts], stored.resources?.[amounts])
        ? undefined
        : `resources.${amounts} of a bound claim may only grow`,
    ),
  ].filter((problem) => problem !== undefined);
  return problems.length === 0 ? letIn : { refused: problems.join('; '), warnings: [] };
}

function hasGrown(now: Amounts | undefined, before: Amounts | undefined): boolean {
  if (before === undefined) return true;
  // Asking for none of them is not the same as no longer asking: the list itself must stay.
  if (now === undefined) return false;
  return Object.entries(before).every(([name, amount]) => {
    const grown = Object.hasOwn(now, name) ? now[name] : undefined;
    return grown !== undefined && billionthsOf(grown) >= billionthsOf(amount);
  });
}
