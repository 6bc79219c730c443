import { billionthsOf, offers, type Resources } from '../core/quantity.ts';
import { isBindable, isReachable } from '../target/is-bindable.ts';
import type { Target } from '../target/target.ts';
import { belongsTo, keptFor } from './belongs-to.ts';
import type { Claim } from './claim.ts';
import { findMismatch, mismatchTexts } from './find-mismatch.ts';

/** How many free targets are looked at for one claim: as many as may be taken by others between the question and the look. */
export const mostCandidates = 8;

/** Why a claim stays without a target although one is named or kept for it. */
type Obstacle =
  | 'TargetNotFound'
  | 'TargetTaken'
  | 'TargetMismatch'
  | 'TargetNotReady'
  | 'TargetReleased'
  | 'TargetAmbiguous';

export interface Obstructed {
  readonly kind: 'obstacle';
  readonly reason: Obstacle;
  readonly message: string;
  /** What the condition ErrorOccurred says; undefined: it is no error, only too early. */
  readonly error?: string;
}

export type Choice =
  | { readonly kind: 'bind'; readonly target: Target }
  | Obstructed
  /** Nothing that is there would do. */
  | { readonly kind: 'none' };

/**
 * Decides which target a claim gets that has none yet.
 *
 * A target that is kept for the claim goes before a free one, because it may be a binding that stopped half way: whoever
 * took another one then would have two.
 */
export function chooseTarget(claim: Claim, targets: readonly Target[]): Choice {
  if (claim.targetName !== '') return chooseNamed(claim, targets);

  const kept = targets.filter((target) => belongsTo(target, claim) && !target.isDeleting);
  const ofItsClass = kept.filter(({ className }) => className === claim.className);
  const usable = ofItsClass.filter((target) => !isUsedUp(target));
  const matching = keptFor(usable.length > 0 ? usable : ofItsClass, claim);
  // OBSERVED: persons kept several for it. What bears its UID is work of the binder's own that stopped half way, perhaps
  // more than once: any of it will do, and bind-target lets go of the rest.
  const ours = matching.filter(({ claim: reference }) => reference?.uid !== undefined).toSorted(compareTargets);
  if (ours.length === 0 && matching.length > 1) return obstructedBy(matching);
  const [one] = [...ours, ...matching];
  if (one !== undefined) return chooseKept(one);

  const best = mayTakeFree(claim)
    ? targets.filter((target) => fits(target, claim)).toSorted(compareTargets)[0]
    : undefined;
  if (best !== undefined) return { kind: 'bind', target: best };

  // OBSERVED: somebody kept one for it that is of another class, and no class would make a better one.
  const [odd] = kept;
  return odd !== undefined && claim.className === '' ? mismatch(odd, claim) : { kind: 'none' };
}

/** A claim that a provisioner works for waits for what is made for it: with a free one, that would be left over. */
export function mayTakeFree({ targetName, provisioner, className }: Claim): boolean {
  return targetName === '' && (provisioner === undefined || className === '');
}

/** Could the claim have this target without anybody having named either to the other? */
export function fits(target: Target, claim: Claim): boolean {
  return isBindable(target) && findMismatch(target, claim) === undefined;
}

/** The smallest first, then the oldest, then by name: the order in which shared/adapters/postgres/claims asks for them. */
export function compareTargets(one: Target, other: Target): number {
  for (const amount of [cpuRequest, memoryRequest, cpuLimit, memoryLimit]) {
    const [size, otherSize] = [amount(one.resources), amount(other.resources)];
    if (size !== otherSize) return size < otherSize ? -1 : 1;
  }
  if (one.created !== other.created) return one.created - other.created;
  return one.name < other.name ? -1 : Number(one.name > other.name);
}

const cpuRequest = (resources: Resources | undefined): bigint => billionthsOf(resources?.requests?.['cpu']);
const memoryRequest = (resources: Resources | undefined): bigint => billionthsOf(resources?.requests?.['memory']);
const cpuLimit = (resources: Resources | undefined): bigint => billionthsOf(resources?.limits?.['cpu']);
const memoryLimit = (resources: Resources | undefined): bigint => billionthsOf(resources?.limits?.['memory']);

function chooseNamed(claim: Claim, targets: readonly Target[]): Choice {
  const target = targets.find(({ name }) => name === claim.targetName);
  if (target === undefined)
    return {
      kind: 'obstacle',
      reason: 'TargetNotFound',
      message: `DeploymentTarget ${claim.targetName} does not exist`,
    };
  if (target.isDeleting)
    return { kind: 'obstacle', reason: 'TargetNotReady', message: `DeploymentTarget ${target.name} is being deleted` };

  // OBSERVED: it names another claim, or one of the same name that is gone.
  if (target.claim !== undefined && !belongsTo(target, claim))
    return {
      kind: 'obstacle',
      reason: 'TargetTaken',
      message: `DeploymentTarget ${target.name} belongs to another claim`,
      error: 'DeploymentTargetClaim wants to claim a DeploymentTarget that is already claimed',
    };
  if (isUsedUp(target)) return usedUp(target);

  // OBSERVED: they name each other. Whoever wrote that has decided.
  if (target.claim !== undefined) return { kind: 'bind', target };
  if (!isReachable(target)) return notReady(target, claim);
  return findMismatch(target, claim) === undefined ? { kind: 'bind', target } : mismatch(target, claim);
}

function chooseKept(target: Target): Choice {
  if (isUsedUp(target)) return usedUp(target);
  return isReachable(target) ? { kind: 'bind', target } : notReady(target);
}

/** A claim has had it before. It is not given away again by itself. */
function isUsedUp({ phase }: Target): boolean {
  return phase === 'Released' || phase === 'Failed';
}

function usedUp({ name }: Target): Choice {
  return {
    kind: 'obstacle',
    reason: 'TargetReleased',
    message: `DeploymentTarget ${name} was used by a claim that is gone: make it available again with npm run ops -- claims recycle`,
  };
}

/** `claim` only where the reference takes it for an error: a target without credentials that was named. */
function notReady({ name }: Target, claim?: Claim): Choice {
  return {
    kind: 'obstacle',
    reason: 'TargetNotReady',
    message: `Nothing in kubernetesCredentials of DeploymentTarget ${name} says how to reach it`,
    ...(claim !== undefined && { error: mismatchTexts.error(name, claim, mismatchTexts.credentials) }),
  };
}

function mismatch(target: Target, claim: Claim): Choice {
  const why = findMismatch(target, claim) ?? mismatchTexts.phase;
  const error = mismatchTexts.error(target.name, claim, why);
  return { kind: 'obstacle', reason: 'TargetMismatch', message: `DeploymentTarget ${target.name}: ${why}`, error };
}

/** Several name the claim, and it does not say which one it wants: a person has to. */
export function obstructedBy(targets: readonly Target[]): Obstructed {
  const names = targets
    .map(({ name }) => name)
    .toSorted()
    .join(', ');
  const message = `More than one DeploymentTarget names this claim: ${names}. Remove claimRef from all but one, or say in targetName which one it is`;
  return { kind: 'obstacle', reason: 'TargetAmbiguous', message, error: message };
}

/** Does the target give everything that the claim asks for? */
export function isSufficient(target: Target, claim: Claim): boolean {
  return offers(target.resources, claim.resources);
}
