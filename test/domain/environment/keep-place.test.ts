import { describe, expect, it } from 'vitest';
import { decideEnvironment } from '../../../shared/domain/environment/decide-environment.ts';
import type { EnvironmentEffect, SeenEnvironment } from '../../../shared/domain/environment/environment.ts';
import {
  aBoundView,
  aClaim,
  aCopy,
  aManaged,
  anEnvironment,
  aTarget,
  aView,
  credentials,
  ownSpec,
  said,
  specOfTarget,
  works,
} from './an-environment.ts';

const moment = { now: Date.parse('2026-01-02T00:00:00Z') };
const own = { name: 'own-secret', isOfRightType: true };
const made = { managed: aManaged({ connection: works }), copy: aCopy() };
const remove = [
  'remove-managed-environment managed-environment-dev',
  'remove-copied-secret managed-environment-secret-dev',
];

function inWords(effect: EnvironmentEffect): string {
  return 'name' in effect ? `${effect.do} ${effect.name}` : effect.do;
}

interface Rule {
  readonly seen: SeenEnvironment;
  readonly does: readonly string[];
  readonly says: string;
}

const rules: Record<string, Rule> = {
  'AE-06 AE-11 makes nothing where it names no place': { seen: aView(), does: [], says: 'True OwnNamespace' },
  'defect 17: takes away what was made when it names no place any more': {
    seen: aView(made),
    does: remove,
    says: 'True OwnNamespace',
  },
  'AE-01 makes a managed environment of the credentials that the user wrote': {
    seen: aView({ environment: anEnvironment({ credentials }), secret: own }),
    does: ['create-managed-environment managed-environment-dev'],
    says: 'False Connecting',
  },
  'AE-02 brings one that is out of date to what the user wrote': {
    seen: aView({ environment: anEnvironment({ credentials }), secret: own, managed: aManaged({ connection: works }) }),
    does: ['update-managed-environment managed-environment-dev'],
    says: 'False Connecting',
  },
  'AE-02 leaves one that is right alone': {
    seen: aView({
      environment: anEnvironment({ credentials }),
      secret: own,
      managed: aManaged({ spec: ownSpec, connection: works }),
    }),
    does: [],
    says: 'True Connected',
  },
  'takes back a service account that nobody asked for here': {
    seen: aView({
      environment: anEnvironment({ credentials }),
      secret: own,
      managed: aManaged({ spec: { ...ownSpec, createNewServiceAccount: true } }),
    }),
    does: ['update-managed-environment managed-environment-dev'],
    says: 'False Connecting',
  },
  'copies no Secret that the user named for the cluster, whatever its type': {
    seen: aView({ environment: anEnvironment({ credentials }), secret: { ...own, isOfRightType: false } }),
    does: ['create-managed-environment managed-environment-dev'],
    says: 'False Connecting',
  },
  'AE-04 makes nothing without the Secret': {
    seen: aView({ environment: anEnvironment({ credentials }) }),
    does: [],
    says: 'False SecretNotFound',
  },
  'AE-07 makes nothing of a claim and credentials at once, and takes away what there was': {
    seen: aBoundView({ ...made, environment: anEnvironment({ claimName: 'dev-dtc', credentials }) }),
    does: remove,
    says: 'False InvalidEnvironment',
  },
  'AE-08 copies the Secret of the target first, then makes the managed environment': {
    seen: aBoundView(),
    does: ['copy-secret managed-environment-secret-dev', 'create-managed-environment managed-environment-dev'],
    says: 'False Connecting',
  },
  'AE-08 follows the Secret of the target': {
    seen: aBoundView({ ...made, copy: aCopy({ isSame: false }) }),
    does: ['update-copied-secret managed-environment-secret-dev'],
    says: 'True Connected',
  },
  'AE-08 takes the copy away with the Secret, and leaves the managed environment of this very place': {
    seen: aBoundView({ ...made, secret: undefined }),
    does: ['remove-copied-secret managed-environment-secret-dev'],
    says: 'False SecretNotFound',
  },
  'leaves nothing of another place while the Secret of the new one is missing': {
    seen: aBoundView({
      ...made,
      secret: undefined,
      managed: aManaged({ spec: { ...specOfTarget, apiURL: 'https://x' } }),
    }),
    does: remove,
    says: 'False SecretNotFound',
  },
  'AE-09 makes nothing while the claim is not bound': {
    seen: aBoundView({ claim: aClaim({ phase: 'Pending', targetName: '' }), target: undefined }),
    does: [],
    says: 'False ClaimNotBound',
  },
  'AE-10 makes nothing without the claim': {
    seen: aBoundView({ claim: undefined, target: undefined, secret: undefined }),
    does: [],
    says: 'False ClaimNotFound',
  },
  'AE-22 makes nothing for a bound claim that no target is of': {
    seen: aBoundView({ claim: aClaim({ targetName: '' }), target: undefined }),
    does: [],
    says: 'False TargetNotFound',
  },
  'AE-23 makes nothing for a claim whose target does not exist': {
    seen: aBoundView({ target: undefined }),
    does: [],
    says: 'False TargetNotFound',
  },
  'never deploys to the target of another claim of the same name': {
    seen: aBoundView({ ...made, target: aTarget({ claim: { name: 'dev-dtc', uid: 'of-another' } }) }),
    does: remove,
    says: 'False TargetNotFound',
  },
  'never deploys to a target that nobody has': {
    seen: aBoundView({ ...made, target: aTarget({ claim: undefined }) }),
    does: remove,
    says: 'False TargetNotFound',
  },
  'takes a target that a person kept for a claim of this name': {
    seen: aBoundView({ ...made, target: aTarget({ claim: { name: 'dev-dtc' } }) }),
    does: [],
    says: 'True Connected',
  },
  'stops deploying when the claim has lost its target': {
    seen: aBoundView({ ...made, claim: aClaim({ phase: 'Lost' }), target: undefined }),
    does: remove,
    says: 'False ClaimLost',
  },
  'stops deploying when the claim is gone': {
    seen: aBoundView({ ...made, claim: undefined, target: undefined }),
    does: remove,
    says: 'False ClaimNotFound',
  },
  'begins nothing at a target that is on its way out': {
    seen: aBoundView({ target: aTarget({ isDeleting: true }) }),
    does: [],
    says: 'False TargetLeaving',
  },
  'leaves what there is until the claim is really gone': {
    seen: aBoundView({ ...made, claim: aClaim({ isDeleting: true }) }),
    does: [],
    says: 'False TargetLeaving',
  },
  'AE-12 uses a Secret of the right type as it is, and drops the copy of before': {
    seen: aBoundView({ ...made, secret: { name: 'dev-secret', isOfRightType: true } }),
    does: ['update-managed-environment managed-environment-dev', 'remove-copied-secret managed-environment-secret-dev'],
    says: 'False Connecting',
  },
  'defect 15: repairs an owner that Kubernetes does not understand': {
    seen: aBoundView({ ...made, managed: aManaged({ isOwnedWell: false, connection: works }) }),
    does: ['update-managed-environment managed-environment-dev'],
    says: 'True Connected',
  },
  'makes what a predecessor of its name has left again, as its own': {
    seen: aBoundView({ managed: aManaged({ owner: 'predecessor' }), copy: aCopy({ owner: 'predecessor' }) }),
    does: [
      'remove-copied-secret managed-environment-secret-dev',
      'copy-secret managed-environment-secret-dev',
      'remove-managed-environment managed-environment-dev',
      'create-managed-environment managed-environment-dev',
    ],
    says: 'False Connecting',
  },
  'makes a copy of the wrong type again: a type cannot be changed': {
    seen: aBoundView({ ...made, copy: aCopy({ isOfRightType: false }) }),
    does: ['remove-copied-secret managed-environment-secret-dev', 'copy-secret managed-environment-secret-dev'],
    says: 'True Connected',
  },
  'does not touch a managed environment of somebody else': {
    seen: aBoundView({ managed: aManaged({ owner: 'stranger' }) }),
    does: [],
    says: 'False NameTaken',
  },
  'does not touch a Secret of somebody else': {
    seen: aBoundView({ copy: aCopy({ owner: 'stranger' }) }),
    does: [],
    says: 'False NameTaken',
  },
  'does not take away what is somebody else s': {
    seen: aView({ managed: aManaged({ owner: 'stranger' }), copy: aCopy({ owner: 'stranger' }) }),
    does: [],
    says: 'True OwnNamespace',
  },
  'uses a Secret of the target that bears the name of a copy, and never removes it': {
    seen: aBoundView({
      secret: { name: 'managed-environment-secret-dev', isOfRightType: true },
      target: aTarget({ access: { ...aTarget().access, clusterCredentialsSecret: 'managed-environment-secret-dev' } }),
      managed: aManaged({ connection: works }),
      copy: aCopy({ owner: 'stranger' }),
    }),
    does: [],
    says: 'True Connected',
  },
  'waits until what is being deleted is gone, and makes it again then': {
    seen: aBoundView({ ...made, managed: aManaged({ isDeleting: true }) }),
    does: [],
    says: 'False Connecting',
  },
  'says what the managed environment says of the connection': {
    seen: aBoundView({
      ...made,
      managed: aManaged({
        connection: said('ConnectionInitializationSucceeded', 'Unknown', 'UnableToValidateClusterCredentials', 'No'),
      }),
    }),
    does: [],
    says: 'False UnableToValidateClusterCredentials',
  },
  'refuses a name that the names of its objects cannot be made of': {
    seen: aView({ environment: anEnvironment({ name: 'x'.repeat(64), credentials }), secret: own }),
    does: [],
    says: 'False InvalidEnvironment',
  },
};

describe('an Environment', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, does, says }) => {
    const step = decideEnvironment(seen, moment);
    const ready = step.conditions.find(({ type }) => type === 'TargetReady');

    expect(step.effects.filter((effect) => effect.do !== 'tell-user').map(inWords)).toEqual(does);
    expect(`${ready?.status} ${ready?.reason}`).toBe(says);
  });
});
