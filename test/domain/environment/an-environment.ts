import type { Claim } from '../../../shared/domain/claim/claim.ts';
import type { Condition, Said } from '../../../shared/domain/core/condition.ts';
import type {
  Environment,
  ManagedSpec,
  Place,
  SeenCopy,
  SeenEnvironment,
  SeenManaged,
  Sibling,
} from '../../../shared/domain/environment/environment.ts';
import type { Target } from '../../../shared/domain/target/target.ts';

const lastTransitionTime = '2026-01-01T00:00:00Z';

export function said(type: string, status: Said['status'], reason: string, message = ''): Said {
  return { type, status, reason, message, lastTransitionTime };
}

export function aSibling(name: string, given: Partial<Sibling> = {}): Sibling {
  return { name, parent: '', isDeleting: false, isHeld: false, said: [], ...given };
}

export function anEnvironment(given: Partial<Environment> = {}): Environment {
  return {
    ...aSibling('dev'),
    uid: 'uid-of-dev',
    version: '7',
    claimName: undefined,
    credentials: undefined,
    targetDeadline: '1h',
    ...given,
  };
}

export function aClaim(given: Partial<Claim> = {}): Claim {
  return {
    namespace: 'team',
    name: 'dev-dtc',
    uid: 'uid-of-claim',
    version: '5',
    created: 0,
    isDeleting: false,
    isHeld: true,
    className: '',
    targetName: 'dev-dt',
    resources: undefined,
    arch: '',
    phase: 'Bound',
    isBindComplete: true,
    isBoundByController: true,
    provisioner: undefined,
    timeToLive: undefined,
    owner: undefined,
    said: [],
    ...given,
  };
}

export function aTarget(given: Partial<Target> = {}): Target {
  return {
    namespace: 'team',
    name: 'dev-dt',
    uid: 'uid-of-target',
    version: '6',
    created: 0,
    isDeleting: false,
    isHeld: false,
    className: '',
    claim: { name: 'dev-dtc', uid: 'uid-of-claim' },
    phase: 'Bound',
    provisionedBy: undefined,
    resources: undefined,
    arch: '',
    access: {
      defaultNamespace: 'team-dev',
      apiURL: 'https://there.example',
      clusterCredentialsSecret: 'dev-secret',
      allowInsecureSkipTLSVerify: false,
    },
    said: [],
    ...given,
  };
}

/** What a managed environment of the target above looks like, with a copy of its Secret. */
export const specOfTarget: ManagedSpec = {
  apiURL: 'https://there.example',
  credentialsSecret: 'managed-environment-secret-dev',
  allowInsecureSkipTLSVerify: false,
  createNewServiceAccount: false,
  namespaces: ['team-dev'],
  clusterResources: false,
};

/** How to reach a cluster, as a user wrote it down, and the managed environment of that. */
export const credentials: Place = {
  apiURL: 'https://own.example',
  secretName: 'own-secret',
  allowInsecureSkipTLSVerify: true,
  namespaces: ['one', 'two'],
  clusterResources: true,
};
export const ownSpec: ManagedSpec = {
  apiURL: 'https://own.example',
  credentialsSecret: 'own-secret',
  allowInsecureSkipTLSVerify: true,
  createNewServiceAccount: false,
  namespaces: ['one', 'two'],
  clusterResources: true,
};

const owned = { uid: 'uid', version: '9', isDeleting: false, owner: 'this', isOwnedWell: true } as const;

export function aManaged(given: Partial<SeenManaged> = {}): SeenManaged {
  return { ...owned, spec: specOfTarget, connection: undefined, ...given };
}

export function aCopy(given: Partial<SeenCopy> = {}): SeenCopy {
  return { ...owned, isOfRightType: true, isSame: true, ...given };
}

export const works: Condition = {
  type: 'ConnectionInitializationSucceeded',
  status: 'True',
  reason: 'Succeeded',
  message: '',
};

/** An Environment alone in its namespace, with nothing around it but what is given. */
export function aView(given: Partial<SeenEnvironment> = {}): SeenEnvironment {
  const environment = 'environment' in given ? given.environment : anEnvironment();
  return {
    namespace: 'team',
    name: environment?.name ?? 'dev',
    environment,
    isNamespaceGoing: false,
    siblings: environment === undefined ? [] : [environment],
    claim: undefined,
    target: undefined,
    secret: undefined,
    managed: undefined,
    copy: undefined,
    ...given,
  };
}

/** An Environment with a claim that has its target, whose Secret is there. */
export function aBoundView(
  given: Partial<SeenEnvironment> = {},
  environment: Partial<Environment> = {},
): SeenEnvironment {
  return aView({
    environment: anEnvironment({ claimName: 'dev-dtc', ...environment }),
    claim: aClaim(),
    target: aTarget(),
    secret: { name: 'dev-secret', isOfRightType: false },
    ...given,
  });
}
