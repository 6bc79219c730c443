import type { Step } from '../core/step.ts';
import { chooseTarget, isSufficient, mayTakeFree } from './choose-target.ts';
import type { Claim } from './claim.ts';
import type { ClaimReason } from './claim-conditions.ts';
import { boundTarget } from './decide-bound.ts';
import { targetsOf } from './decide-claim-deletion.ts';
import type { LivingClaim, ObservedClaim } from './observed-claim.ts';

// What the rule has to know beside the claim and its targets. Each answer costs a request, so only what is needed is asked.

/** The classes that the rule will look for. */
export function neededClasses({ claim, targets }: Pick<LivingClaim, 'claim' | 'targets'>): readonly string[] {
  const { className, provisioner } = claim;
  if (claim.isDeleting) {
    if (!claim.isHeld) return [];
    const had = targetsOf(claim, targets).map((target) => target.className);
    return [...new Set([...had, ...(provisioner === undefined ? [] : [className])])].filter((name) => name !== '');
  }
  if (className === '') return [];
  const target = targetOf(claim, targets);
  if (target === undefined) return isAsked({ claim, targets }) ? [className] : [];
  return provisioner !== undefined || !isSufficient(target, claim) ? [className] : [];
}

/** Does it matter whether the namespace goes? Two pointers between what is there already are no beginning. */
export function needsNamespace({ claim, targets }: Pick<LivingClaim, 'claim' | 'targets'>): boolean {
  return claim.isDeleting ? claim.isHeld : claim.className !== '' && isAsked({ claim, targets });
}

/** Does it matter what the provisioner has made? */
export function needsProvision({ claim, targets }: Pick<LivingClaim, 'claim' | 'targets'>): boolean {
  if (!claim.isDeleting || !claim.isHeld || claim.provisioner === undefined) return false;
  return !targetsOf(claim, targets).some(({ provisionedBy }) => provisionedBy !== undefined);
}

function targetOf(claim: Claim, targets: ObservedClaim['targets']) {
  if (claim.isBindComplete) return boundTarget(claim, targets);
  const choice = chooseTarget(claim, targets);
  return choice.kind === 'bind' ? choice.target : undefined;
}

/** Would a provisioner be asked? */
function isAsked({ claim, targets }: Pick<LivingClaim, 'claim' | 'targets'>): boolean {
  return !claim.isBindComplete && chooseTarget(claim, targets).kind === 'none';
}

const waitsForTarget: readonly string[] = [
  'WaitingForTarget',
  'TargetNotFound',
  'TargetTaken',
  'TargetMismatch',
  'TargetNotReady',
  'TargetReleased',
  'ClassNotFound',
] satisfies readonly ClaimReason[];

/** Would it take a target that becomes free, or the one that it names? Then it has to be found by that one. */
export function isInLine(claim: Claim, { next }: Step): boolean {
  if (claim.isDeleting || claim.isBindComplete || next.kind === 'settled') return false;
  return (claim.targetName !== '' || mayTakeFree(claim)) && waitsForTarget.includes(next.wait.reason);
}
