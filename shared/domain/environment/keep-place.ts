import type { Condition } from '../core/condition.ts';
import { choosePlace, type Lack, type Problem } from './choose-place.ts';
import {
  copiedSecretName,
  type Environment,
  type EnvironmentEffect,
  type ManagedSpec,
  managedEnvironmentName,
  type Owned,
  type Place,
  type SeenEnvironment,
} from './environment.ts';

/** What is to be done about an Environment's place, and what is to be told of it. */
export interface Kept {
  readonly effects: readonly EnvironmentEffect[];
  /** What is told as an error. */
  readonly problem?: Problem | undefined;
  /** Whether something can be deployed there. */
  readonly ready: Pick<Condition, 'status' | 'reason' | 'message'>;
  /** What its change would wake it. Undefined where it waits for nothing, or only its own change helps. */
  readonly on?: string | undefined;
}

/** The managed environment, as it should be for a place. It never makes an account of its own. */
export function managedSpecOf(place: Place, credentialsSecret: string): ManagedSpec {
  const { apiURL, allowInsecureSkipTLSVerify, namespaces, clusterResources } = place;
  return {
    apiURL,
    credentialsSecret,
    allowInsecureSkipTLSVerify,
    createNewServiceAccount: false,
    namespaces,
    clusterResources,
  };
}

/** The Secret that the managed environment names: the one of the target, or our copy where that has another type. */
export function credentialsSecretOf(
  { name, secret }: Pick<SeenEnvironment, 'name' | 'secret'>,
  isClaimed: boolean,
): string {
  if (secret === undefined) return '';
  const isCopied = isClaimed && !secret.isOfRightType && secret.name !== copiedSecretName(name);
  return isCopied ? copiedSecretName(name) : secret.name;
}

/**
 * Keeps a managed environment for the place, and a copy of the Secret where one is needed; takes both away where there is
 * no place any more. Objects of others under the same names are never touched.
 */
export function keepPlace(seen: SeenEnvironment, environment: Environment): Kept {
  const choice = choosePlace(environment, seen.claim, seen.target);
  switch (choice.kind) {
    case 'own-namespace':
      return {
        effects: removeAll(seen),
        ready: { status: 'True', reason: 'OwnNamespace', message: 'It deploys to the namespace that it is in' },
      };
    case 'none':
      return { ...lacking(choice), effects: removeAll(seen) };
    case 'leaving':
      return { ...lacking(choice), effects: [] };
    case 'place':
      return seen.secret === undefined
        ? withoutSecret(seen, choice.place)
        : keepManaged(seen, choice.place, credentialsSecretOf(seen, choice.isClaimed), seen.secret.name);
  }
}

function lacking({ reason, message, problem, on }: Lack): Omit<Kept, 'effects'> {
  return { ready: { status: 'False', reason, message }, problem, on };
}

/** What stands for this very place goes on by what Argo CD has; what stands for another one must not. */
function withoutSecret(seen: SeenEnvironment, place: Place): Kept {
  const { name, managed } = seen;
  const isForHere =
    managed !== undefined &&
    [place.secretName, copiedSecretName(name)].some((secret) => isAs(managed.spec, managedSpecOf(place, secret)));
  const message = `the secret ${place.secretName} referenced by the Environment resource was not found`;
  return {
    effects: isForHere ? removeCopy(seen) : removeAll(seen),
    problem: { reason: 'SecretNotFound', message },
    ready: {
      status: 'False',
      reason: 'SecretNotFound',
      message:
        place.secretName === ''
          ? 'No Secret is named that opens the cluster'
          : `The Secret ${place.secretName} does not exist in this namespace`,
    },
    on: `Secret ${place.secretName}`,
  };
}

function keepManaged(seen: SeenEnvironment, place: Place, secretName: string, source: string): Kept {
  const { name, managed, copy } = seen;
  const managedName = managedEnvironmentName(name);
  const copyName = copiedSecretName(name);
  const isCopied = secretName === copyName && source !== copyName;
  const taken =
    managed?.owner === 'stranger'
      ? `GitOpsDeploymentManagedEnvironment ${managedName}`
      : isCopied && copy?.owner === 'stranger'
        ? `Secret ${copyName}`
        : undefined;
  if (taken !== undefined) {
    const message = `The ${taken} exists and does not belong to this Environment: delete it, or give the Environment another name`;
    const problem = { reason: 'NameTaken', message };
    return { effects: [], problem, ready: { status: 'False', ...problem }, on: taken };
  }
  const leaving = managed?.isDeleting === true ? managedName : isCopied && copy?.isDeleting === true ? copyName : '';
  if (leaving !== '')
    return {
      effects: [],
      ready: { status: 'False', reason: 'Connecting', message: `${leaving} is being deleted and will be made again` },
      on: leaving,
    };

  const spec = managedSpecOf(place, secretName);
  const isNew = managed?.owner !== 'this';
  const isMoved = !isNew && !isAs(managed.spec, spec);
  const change: EnvironmentEffect[] = isNew
    ? [...removeManaged(seen), { do: 'create-managed-environment', name: managedName }]
    : isMoved || !managed.isOwnedWell
      ? [{ do: 'update-managed-environment', name: managedName }]
      : [];
  return {
    // The Secret is there before whoever needs it, and goes after nobody needs it any more.
    effects: [
      ...(isCopied ? copyEffects(seen, copyName, source) : []),
      ...change,
      ...(isCopied || source === copyName ? [] : removeCopy(seen)),
    ],
    ...connectionOf(isNew || isMoved ? undefined : managed.connection),
    on: `GitOpsDeploymentManagedEnvironment ${managedName}`,
  };
}

function copyEffects({ copy }: SeenEnvironment, name: string, from: string): EnvironmentEffect[] {
  if (copy === undefined) return [{ do: 'copy-secret', name, from }];
  // The type of a Secret cannot be changed.
  if (copy.owner !== 'this' || !copy.isOfRightType)
    return [
      { do: 'remove-copied-secret', name },
      { do: 'copy-secret', name, from },
    ];
  return copy.isSame && copy.isOwnedWell ? [] : [{ do: 'update-copied-secret', name, from }];
}

function connectionOf(connection: Condition | undefined): Pick<Kept, 'ready'> {
  if (connection === undefined)
    return { ready: { status: 'False', reason: 'Connecting', message: 'The cluster of the target is being tried' } };
  const { status, reason, message } = connection;
  return status === 'True'
    ? { ready: { status, reason: 'Connected', message: '' } }
    : { ready: { status: 'False', reason, message } };
}

/** Both, where they are this Environment's, or were those of one that went by its name. */
export function removeAll(seen: SeenEnvironment): readonly EnvironmentEffect[] {
  return [...removeManaged(seen), ...removeCopy(seen)];
}

function removeManaged({ name, managed }: SeenEnvironment): EnvironmentEffect[] {
  return isRemovable(managed) ? [{ do: 'remove-managed-environment', name: managedEnvironmentName(name) }] : [];
}

function removeCopy({ name, copy }: SeenEnvironment): EnvironmentEffect[] {
  return isRemovable(copy) ? [{ do: 'remove-copied-secret', name: copiedSecretName(name) }] : [];
}

function isRemovable(owned: Owned | undefined): boolean {
  return owned !== undefined && owned.owner !== 'stranger' && !owned.isDeleting;
}

function isAs(one: ManagedSpec, other: ManagedSpec): boolean {
  return (
    one.apiURL === other.apiURL &&
    one.credentialsSecret === other.credentialsSecret &&
    one.allowInsecureSkipTLSVerify === other.allowInsecureSkipTLSVerify &&
    one.createNewServiceAccount === other.createNewServiceAccount &&
    one.clusterResources === other.clusterResources &&
    one.namespaces.length === other.namespaces.length &&
    one.namespaces.every((name, index) => name === other.namespaces[index])
  );
}
