import type { Claim } from '../../../shared/domain/claim/claim.ts';
import type { ClaimEffect, LivingClaim, ObservedClaim } from '../../../shared/domain/claim/observed-claim.ts';
import type { Condition, Said } from '../../../shared/domain/core/condition.ts';
import type { Moment, Step } from '../../../shared/domain/core/step.ts';
import type { Target, TargetClass } from '../../../shared/domain/target/target.ts';

export const now = Date.parse('2026-07-01T12:00:00Z');
/** A moment without a past. */
export const today: Moment = { now };

/** A claim without a class that the binder has seen before, with what the test says otherwise. */
export function aClaim(but: Partial<Claim> = {}): Claim {
  return {
    namespace: 'team',
    name: 'web',
    uid: 'web-uid',
    version: '10',
    created: now - 60_000,
    isDeleting: false,
    isHeld: true,
    className: '',
    targetName: '',
    resources: undefined,
    arch: '',
    phase: '',
    isBindComplete: false,
    isBoundByController: false,
    provisioner: undefined,
    timeToLive: undefined,
    owner: undefined,
    said: [],
    ...but,
  };
}

/** A claim that has the target t1. */
export function aBoundClaim(but: Partial<Claim> = {}): Claim {
  return aClaim({
    targetName: 't1',
    isBindComplete: true,
    isBoundByController: true,
    phase: 'Bound',
    said: [said('Bound', 'True', 'Bound', 'It has DeploymentTarget t1')],
    ...but,
  });
}

/** A free target without a class. */
export function aTarget(name: string, but: Partial<Target> = {}): Target {
  return {
    namespace: 'team',
    name,
    uid: `${name}-uid`,
    version: '5',
    created: now - 120_000,
    isDeleting: false,
    isHeld: false,
    className: '',
    claim: undefined,
    phase: 'Available',
    provisionedBy: undefined,
    resources: undefined,
    arch: '',
    access: {
      defaultNamespace: 'team-web',
      apiURL: 'https://api.example.com',
      clusterCredentialsSecret: 'opens-it',
      allowInsecureSkipTLSVerify: false,
    },
    said: [],
    ...but,
  };
}

export const nowhere = {
  defaultNamespace: '',
  apiURL: '',
  clusterCredentialsSecret: '',
  allowInsecureSkipTLSVerify: false,
};

/** The target of aBoundClaim. */
export function aBoundTarget(but: Partial<Target> = {}): Target {
  return aTarget('t1', { claim: { name: 'web', uid: 'web-uid' }, phase: 'Bound', ...but });
}

export function aClass(name: string, but: Partial<TargetClass> = {}): TargetClass {
  return {
    name,
    uid: `${name}-uid`,
    provisioner: 'appstudio.redhat.com/devsandbox',
    parameters: {},
    reclaimPolicy: 'Delete',
    allowsExpansion: false,
    ...but,
  };
}

export function aClaimSight(but: Partial<ObservedClaim> & { readonly claim?: Claim } = {}): LivingClaim {
  return {
    namespace: 'team',
    name: 'web',
    isNamespaceGoing: false,
    targets: [],
    classes: [],
    environments: [],
    provision: undefined,
    ...but,
    claim: but.claim ?? aClaim(),
  };
}

export function said(type: string, status: Said['status'], reason: string, message: string): Said {
  return { type, status, reason, message, lastTransitionTime: '2026-07-01T11:59:30Z' };
}

/** The same, in words: what is done, to whom. */
export function does({ effects }: Step<ClaimEffect>): string[] {
  return effects.map((effect) => {
    if (effect.do === 'tell-claim') return `tell-claim ${effect.phase}`;
    if (effect.do === 'mark-claim') return `mark-claim ${effect.provisioner}`;
    return 'target' in effect ? `${effect.do} ${effect.target}` : effect.do;
  });
}

export function knocksOf({ knocks }: Step<ClaimEffect>): string[] {
  return knocks.map(({ type, subject }) => `${type} ${subject.name}`);
}

export function conditionOf({ conditions }: Step<ClaimEffect>, type: string): Condition | undefined {
  return conditions.find((one) => one.type === type);
}

/** What the step waits for, in one word; undefined: nothing. */
export function waitsFor({ next }: Step<ClaimEffect>): string | undefined {
  return next.kind === 'settled' ? undefined : next.wait.reason;
}
