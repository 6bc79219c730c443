import type { Claim } from '../claim/claim.ts';
import { targetNames } from './made-names.ts';
import type { Provision } from './provision.ts';
import type { Target } from './target.ts';

/** Was this target made of what stands for this claim? The name tells where nobody had the time to say so. */
export function isMadeOf(provision: Provision, target: Target, claim: Claim, provisioner: string): boolean {
  if (provision.state === 'absent') return false;
  if (provision.target !== undefined) return provision.target === target.name;
  return target.provisionedBy === provisioner && targetNames(claim).includes(target.name);
}
