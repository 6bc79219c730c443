import type { Condition, Said } from '../core/condition.ts';
import type { Claim } from './claim.ts';

/** Everything that a claim may wait for, in one word for machines. */
export type ClaimReason =
  | 'WaitingForTarget'
  | 'TargetNotFound'
  | 'TargetTaken'
  | 'TargetMismatch'
  | 'TargetNotReady'
  | 'TargetReleased'
  | 'TargetAmbiguous'
  | 'WaitingForProvisioner'
  | 'ClassNotFound'
  | 'TargetLost'
  | 'Terminating';

const types = {
  bound: 'Bound',
  error: 'ErrorOccurred',
  sufficient: 'ResourcesSufficient',
  timeToLive: 'TimeToLive',
} as const;

/** Where one of these was said, ErrorOccurred beside it was said by the binder, too. */
const errors: readonly string[] = [
  'TargetTaken',
  'TargetMismatch',
  'TargetNotReady',
  'TargetAmbiguous',
  'ClassNotFound',
  'TargetLost',
  'Terminating',
] satisfies readonly ClaimReason[];

export const claimConditions = {
  isBound: (target: string): Condition => yes(types.bound, 'Bound', `It has DeploymentTarget ${target}`),
  isNotBound: (reason: ClaimReason, message: string): Condition => no(types.bound, reason, message),
  error: (message: string): Condition => ({ type: types.error, status: 'True', reason: types.error, message }),

  /** An error that is over. Nothing is said where there was none. */
  resolved(claim: Claim): readonly Condition[] {
    const error = saidOf(claim, types.error);
    return error === undefined || error.status === 'False' ? [] : [no(types.error, 'Success', '')];
  },

  /** The same, while a provisioner works for the claim: what that has complained about is not ours to take back. */
  resolvedByUs(claim: Claim): readonly Condition[] {
    return errors.includes(saidOf(claim, types.bound)?.reason ?? '') ? claimConditions.resolved(claim) : [];
  },

  isExpanding: (message: string): Condition => no(types.sufficient, 'Expanding', message),
  mayNotExpand: (target: string): Condition =>
    no(
      types.sufficient,
      'ExpansionNotAllowed',
      `DeploymentTarget ${target} has less than the claim asks for, and its class does not allow to enlarge it`,
    ),
  /** Said only where the opposite was. */
  isSufficient(claim: Claim): readonly Condition[] {
    const said = saidOf(claim, types.sufficient);
    return said?.status === 'False' ? [yes(types.sufficient, 'Sufficient', '')] : [];
  },
  isMalformed: (key: string): Condition =>
    no(
      types.timeToLive,
      'Malformed',
      `Annotation ${key} is not understood, so the claim lives on: write hours, minutes and seconds like 72h, 1h30m or 90s, at most a hundred years`,
    ),
  /** Said only where the opposite was. */
  isUnderstood(claim: Claim): readonly Condition[] {
    const said = saidOf(claim, types.timeToLive);
    return said?.status === 'False' ? [yes(types.timeToLive, 'Understood', '')] : [];
  },
} as const;

/** When the binding of a claim was last said to stand, in milliseconds since the epoch. */
export function boundSince(claim: Claim): number | undefined {
  const said = saidOf(claim, types.bound);
  return said?.status === 'True' ? Date.parse(said.lastTransitionTime) : undefined;
}

function saidOf({ said }: Claim, type: string): Said | undefined {
  return said.find((one) => one.type === type);
}

function yes(type: string, reason: string, message: string): Condition {
  return { type, status: 'True', reason, message };
}

function no(type: string, reason: string, message: string): Condition {
  return { type, status: 'False', reason, message };
}
