import type { Claim } from '../../../shared/domain/claim/claim.ts';
import type { Provision } from '../../../shared/domain/target/provision.ts';
import type { SeenOrphan, SeenProvision } from '../../../shared/domain/target/provision-effect.ts';
import type { Target, TargetClass } from '../../../shared/domain/target/target.ts';

export const sandbox = 'appstudio.redhat.com/devsandbox';
export const now = Date.parse('2026-11-16T12:00:00Z');

const access: Target['access'] = {
  defaultNamespace: 'team-staging',
  apiURL: 'https://member.example',
  clusterCredentialsSecret: 'opens-it',
  allowInsecureSkipTLSVerify: false,
};

const standing = { what: 'SpaceRequest staging-dtc-0b1c2', target: undefined, wakesUs: true } as const;

export const absent: Provision = { state: 'absent' };
export const underway: Provision = {
  ...standing,
  state: 'underway',
  reason: 'ProvisioningPending',
  message: 'no cluster has room',
  isUnfinished: false,
};
export const ready: Extract<Provision, { state: 'ready' }> = {
  ...standing,
  state: 'ready',
  access,
  resources: undefined,
  isUnfinished: false,
};
export const refused: Provision = {
  ...standing,
  state: 'refused',
  reason: 'UnableToProvision',
  message: 'the tier does not exist',
};
export const leaving: Extract<Provision, { state: 'leaving' }> = {
  ...standing,
  state: 'leaving',
  since: now - 5_000,
  isStuck: false,
  complaint: '',
};

export function aClaim(given: Partial<Claim> = {}): Claim {
  return {
    namespace: 'team',
    name: 'staging-dtc',
    uid: '0b1c2d3e-0000-4000-8000-000000000001',
    version: '10',
    created: now - 60_000,
    isDeleting: false,
    isHeld: true,
    className: 'isolation-level-namespace',
    targetName: '',
    resources: undefined,
    arch: '',
    phase: 'Pending',
    isBindComplete: false,
    isBoundByController: false,
    provisioner: sandbox,
    timeToLive: undefined,
    owner: undefined,
    said: [],
    ...given,
  };
}

export function aClass(given: Partial<TargetClass> = {}): TargetClass {
  return {
    name: 'isolation-level-namespace',
    uid: 'c1a55',
    provisioner: sandbox,
    parameters: {},
    reclaimPolicy: 'Delete',
    allowsExpansion: false,
    ...given,
  };
}

export function aTarget(given: Partial<Target> = {}): Target {
  return {
    namespace: 'team',
    name: 'staging-dtc-dt',
    uid: 'd7',
    version: '20',
    created: now - 30_000,
    isDeleting: false,
    isHeld: true,
    className: 'isolation-level-namespace',
    claim: { name: 'staging-dtc', uid: aClaim().uid },
    phase: '',
    provisionedBy: sandbox,
    resources: undefined,
    arch: '',
    access,
    said: [],
    ...given,
  };
}

export function anOrphan(given: Partial<SeenOrphan> = {}): SeenOrphan {
  return {
    id: 'request-uid',
    namespace: 'team',
    name: 'staging-dtc-ffff0',
    claimUid: 'ffff0000-0000-4000-8000-000000000001',
    created: now - 3_600_000,
    className: 'isolation-level-namespace',
    target: undefined,
    provisioner: sandbox,
    reclaimPolicy: 'Delete',
    hasTarget: false,
    ...given,
  };
}

/** A claim that was marked for the sandbox, and nothing yet. */
export function sight(given: Partial<SeenProvision> = {}): SeenProvision {
  return {
    namespace: 'team',
    name: 'staging-dtc',
    claim: aClaim(),
    class: aClass(),
    provisioner: sandbox,
    provision: absent,
    target: undefined,
    targetName: 'staging-dtc-dt',
    isNamespaceGoing: false,
    orphans: [],
    ...given,
  };
}
