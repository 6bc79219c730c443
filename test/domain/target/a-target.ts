import type { Claim } from '../../../shared/domain/claim/claim.ts';
import type { SeenTarget } from '../../../shared/domain/target/decide-target.ts';
import type { Target } from '../../../shared/domain/target/target.ts';

/** A target that a person made, that can be reached, and that nobody has looked at yet. */
export function aTarget(given: Partial<Target> = {}): Target {
  return {
    namespace: 'team',
    name: 'dt',
    uid: 'dt-uid',
    version: '10',
    created: 1_000,
    isDeleting: false,
    isHeld: false,
    className: '',
    claim: undefined,
    phase: '',
    provisionedBy: undefined,
    resources: undefined,
    arch: '',
    access: {
      defaultNamespace: 'there',
      apiURL: 'https://cluster.example',
      clusterCredentialsSecret: 'opens-it',
      allowInsecureSkipTLSVerify: false,
    },
    said: [],
    ...given,
  };
}

export const nowhere: Target['access'] = {
  defaultNamespace: '',
  apiURL: '',
  clusterCredentialsSecret: '',
  allowInsecureSkipTLSVerify: false,
};

/** A claim that has just been made. */
export function aClaim(given: Partial<Claim> = {}): Claim {
  return {
    namespace: 'team',
    name: 'dtc',
    uid: 'dtc-uid',
    version: '11',
    created: 1_000,
    isDeleting: false,
    isHeld: false,
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
    ...given,
  };
}

/** A claim that the binder is done with. */
export function aBoundClaim(given: Partial<Claim> = {}): Claim {
  return aClaim({ isBindComplete: true, targetName: 'dt', phase: 'Bound', isHeld: true, ...given });
}

/** A target for the first time, and what a test says differently. */
export function seen(given: Partial<SeenTarget> = {}): SeenTarget {
  return {
    namespace: 'team',
    name: 'dt',
    target: aTarget(),
    claim: undefined,
    policy: undefined,
    known: undefined,
    waiting: [],
    environments: [],
    ...given,
  };
}
