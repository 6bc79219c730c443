import { offers } from '../core/quantity.ts';
import type { Target } from '../target/target.ts';
import type { Claim } from './claim.ts';

export const mismatchTexts = {
  class: 'deploymentTargetClassName does not match',
  phase: 'it is not in Available phase',
  credentials: 'it has no cluster credentials',
  arch: 'arch does not match',
  resources: 'its resources are less than the claim asks for',
  /** The words of the reference around the reason. */
  error: (target: string, { namespace, name }: Claim, why: string): string =>
    `DeploymentTarget does not match the specified DeploymentTargetClaim: DeploymentTarget ${target} does not match DeploymentTargetClaim ${name} in namespace ${namespace}: ${why}`,
} as const;

/** Why a target that nobody has would not do for the claim. Undefined: it would. */
export function findMismatch(target: Target, claim: Claim): string | undefined {
  if (target.className !== claim.className) return mismatchTexts.class;
  if (target.phase === 'Bound' || target.phase === 'Released' || target.phase === 'Failed') return mismatchTexts.phase;
  if (claim.arch !== '' && target.arch !== claim.arch) return mismatchTexts.arch;
  return offers(target.resources, claim.resources) ? undefined : mismatchTexts.resources;
}
