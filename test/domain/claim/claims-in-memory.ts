import type { Claim } from '../../../shared/domain/claim/claim.ts';
import { decideClaim } from '../../../shared/domain/claim/decide-claim.ts';
import type { ClaimEffect, ObservedClaim } from '../../../shared/domain/claim/observed-claim.ts';
import type { Step } from '../../../shared/domain/core/step.ts';
import { withConditions } from '../../../shared/domain/core/with-conditions.ts';
import type { Target } from '../../../shared/domain/target/target.ts';
import { aClaim, aTarget, now } from './claim-sight.ts';

/** A namespace in memory: writes carry the version that was seen, as on an API server. */
export interface Place {
  readonly claims: Map<string, Claim>;
  readonly targets: Map<string, Target>;
  born: number;
}

export function aPlace(): Place {
  return { claims: new Map(), targets: new Map(), born: 0 };
}

export function createClaim(place: Place, name: string, but: Partial<Claim>): void {
  if (place.claims.has(name)) return;
  place.born += 1;
  const stamp = { uid: `${name}-${place.born}`, version: String(place.born), created: now + place.born * 1_000 };
  place.claims.set(name, aClaim({ name, isHeld: false, ...stamp, ...but }));
}

export function createTarget(place: Place, name: string, but: Partial<Target>): void {
  if (place.targets.has(name)) return;
  place.born += 1;
  const stamp = { uid: `${name}-${place.born}`, version: String(place.born), created: now + place.born * 1_000 };
  place.targets.set(name, aTarget(name, { ...stamp, ...but }));
}

export function observe(place: Place, name: string): ObservedClaim {
  return {
    namespace: 'team',
    name,
    claim: place.claims.get(name),
    isNamespaceGoing: false,
    targets: [...place.targets.values()],
    classes: [],
    environments: [],
    provision: undefined,
  };
}

export function decide(place: Place, name: string): Step<ClaimEffect> {
  return decideClaim(observe(place, name), { now: now + place.born * 1_000 });
}

/** Does as many of the effects as `most` says. False: somebody wrote first, or it died half way. */
export function apply(
  place: Place,
  seen: ObservedClaim,
  step: Step<ClaimEffect>,
  most = Number.POSITIVE_INFINITY,
): boolean {
  const fresh = new Set([seen.name, ...seen.targets.map(({ name }) => name)]);
  const isStale = (name: string, is: { version: string } | undefined, was: { version: string } | undefined): boolean =>
    fresh.delete(name) && is?.version !== was?.version;
  for (const [index, effect] of step.effects.entries()) {
    if (index >= most) return false;
    const claim = place.claims.get(seen.name);
    const target = 'target' in effect ? place.targets.get(effect.target) : undefined;
    if (target !== undefined || 'target' in effect) {
      const was = seen.targets.find(({ name }) => 'target' in effect && name === effect.target);
      if (effect.do !== 'point-claim' && isStale(was?.name ?? '', target, was)) return false;
    }
    const isOfClaim = !['reserve-target', 'tell-target', 'release-target', 'free-target', 'delete-target'].includes(
      effect.do,
    );
    if (claim === undefined || (isOfClaim && isStale(seen.name, claim, seen.claim))) return false;
    write(place, effect, claim, target, step);
  }
  return true;
}

function write(
  place: Place,
  effect: ClaimEffect,
  claim: Claim,
  target: Target | undefined,
  step: Step<ClaimEffect>,
): void {
  place.born += 1;
  const version = String(place.born);
  const setClaim = (but: Partial<Claim>) => place.claims.set(claim.name, { ...claim, ...but, version });
  const setTarget = (but: Partial<Target>) =>
    target === undefined ? undefined : place.targets.set(target.name, { ...target, ...but, version });
  switch (effect.do) {
    case 'reserve-target':
      setTarget({ claim: { name: claim.name, uid: claim.uid } });
      break;
    case 'hold-claim':
      setClaim({ isHeld: true });
      break;
    case 'point-claim':
      setClaim({ targetName: effect.target, isBindComplete: true });
      break;
    case 'mark-claim':
      setClaim({ provisioner: effect.provisioner });
      break;
    case 'unmark-claim':
      setClaim({ provisioner: undefined });
      break;
    case 'tell-target':
      setTarget({ phase: 'Bound' });
      break;
    case 'tell-claim':
      setClaim({ phase: effect.phase, said: withConditions(claim.said, step.conditions, effect.at) ?? claim.said });
      break;
    case 'release-target':
      setTarget({ phase: 'Released', claim: undefined });
      break;
    case 'free-target':
      setTarget({ claim: undefined });
      break;
    case 'delete-target':
      place.targets.delete(effect.target);
      break;
    case 'let-claim-go':
      place.claims.delete(claim.name);
      break;
    case 'delete-claim':
      setClaim({ isDeleting: true });
      break;
    default:
      effect satisfies never;
  }
}
