import type { Claim } from '../claim/claim.ts';
import type { Target } from '../target/target.ts';
import type { Environment, Place } from './environment.ts';

/** What is wrong, in the words that clients of the original know. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
}

/** Why there is no place, or none yet. */
export interface Lack {
  readonly reason: string;
  readonly message: string;
  /** Told as an error, too. Undefined: it only takes its time. */
  readonly problem?: Problem | undefined;
  /** What has to change. Undefined: the Environment itself. */
  readonly on?: string | undefined;
}

export type Choice =
  /** It deploys to the namespace that it is in. */
  | { readonly kind: 'own-namespace' }
  | { readonly kind: 'place'; readonly place: Place; readonly isClaimed: boolean }
  /** The place is on its way out: what is there stays as it is until it is gone. */
  | ({ readonly kind: 'leaving' } & Lack)
  /** It has no place, so nothing may be deployed from here to where it once was. */
  | ({ readonly kind: 'none' } & Lack);

const both = 'Environment is invalid since it cannot have both DeploymentTargetClaim and credentials configuration set';

/** A label of Kubernetes has no more, and names of other objects are made of this one. */
const longestName = 63;

/**
 * Chooses where an Environment deploys to. A place that came by a claim is given only while the claim says that it has
 * its target and the target says that it is this very claim's: anything less may be somebody else's place.
 */
export function choosePlace(
  { name, claimName, credentials }: Pick<Environment, 'name' | 'claimName' | 'credentials'>,
  claim: Claim | undefined,
  target: Target | undefined,
): Choice {
  if (name.length > longestName)
    return invalid(
      `invalid environment name: ${name}, an environment resource name must start with a lower case alphabetical character, be under 63 characters, and can only consist of lower case alphanumeric characters or '-'`,
    );
  if (claimName !== undefined && credentials !== undefined) return invalid(both);
  if (claimName === undefined)
    return credentials === undefined
      ? { kind: 'own-namespace' }
      : { kind: 'place', place: credentials, isClaimed: false };

  const on = `DeploymentTargetClaim ${claimName}`;
  if (claim === undefined)
    return {
      kind: 'none',
      reason: 'ClaimNotFound',
      message: `The claim ${claimName} does not exist`,
      problem: {
        reason: 'DeploymentTargetClaimNotFound',
        message: 'DeploymentTargetClaim not found while generating the desired Environment resource',
      },
      on,
    };
  if (claim.phase !== 'Bound') return { kind: 'none', ...notBound(claim), on };
  if (target === undefined || !isOf(target, claim)) return { kind: 'none', ...withoutTarget(claim, target), on };
  if (claim.isDeleting || target.isDeleting)
    return {
      kind: 'leaving',
      reason: 'TargetLeaving',
      message: claim.isDeleting
        ? `The claim ${claim.name} is being deleted`
        : `The target ${target.name} is being deleted`,
      on,
    };
  const { apiURL, clusterCredentialsSecret, allowInsecureSkipTLSVerify, defaultNamespace } = target.access;
  return {
    kind: 'place',
    isClaimed: true,
    place: {
      apiURL,
      secretName: clusterCredentialsSecret,
      allowInsecureSkipTLSVerify,
      namespaces: defaultNamespace === '' ? [] : [defaultNamespace],
      clusterResources: false,
    },
  };
}

function invalid(message: string): Choice {
  const problem = { reason: 'InvalidEnvironment', message };
  return { kind: 'none', ...problem, problem };
}

function notBound({ name, phase, said }: Claim): Lack {
  const why = said.find(({ type, status }) => type === 'Bound' && status !== 'True')?.message ?? '';
  const because = why === '' ? '' : `: ${why}`;
  return phase === 'Lost'
    ? { reason: 'ClaimLost', message: `The claim ${name} has lost its target${because}` }
    : { reason: 'ClaimNotBound', message: `The claim ${name} is not bound yet${because}` };
}

function withoutTarget({ name, targetName }: Claim, target: Target | undefined): Lack {
  const reason = 'DeploymentTargetNotFound';
  if (target !== undefined)
    return {
      reason: 'TargetNotFound',
      message: `The claim ${name} is bound, but the target ${target.name} is not its own`,
      problem: { reason, message: 'Unable to find the DeploymentTarget for DeploymentTargetClaim' },
    };
  return targetName === ''
    ? {
        reason: 'TargetNotFound',
        message: `The claim ${name} is bound, but no target is its own`,
        problem: { reason, message: 'DeploymentTarget not found for DeploymentTargetClaim' },
      }
    : {
        reason: 'TargetNotFound',
        message: `The claim ${name} is bound to the target ${targetName}, which does not exist`,
        problem: { reason, message: 'DeploymentTargetClaim references a DeploymentTarget that does not exist' },
      };
}

/** Without a UID a person wrote it down, and any claim of that name is meant. */
function isOf({ claim }: Target, { name, uid }: Claim): boolean {
  return claim?.name === name && (claim.uid === undefined || claim.uid === uid);
}
