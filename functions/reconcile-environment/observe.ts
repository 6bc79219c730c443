import { environmentOf, siblingOf } from '../../shared/contracts/environments.ts';
import {
  environments,
  managedEnvironments,
  namespaces,
  type ObjectOf,
  secrets,
} from '../../shared/contracts/kubernetes/kinds.ts';
import { labels, secretTypes } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Said } from '../../shared/domain/core/condition.ts';
import { fitsLabel, isObjectName } from '../../shared/domain/core/object-name.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import {
  copiedSecretName,
  managedEnvironmentName,
  type SeenCopy,
  type SeenEnvironment,
  type SeenManaged,
} from '../../shared/domain/environment/environment.ts';
import { ownerOf } from '../../shared/domain/environment/owner-of.ts';
import { environmentConditionType } from '../../shared/domain/gitops/environment-conditions.ts';
import { listAll } from '../../shared/runtime/list-all.ts';
import { seePlace } from '../../shared/runtime/see-place.ts';
import type { World } from '../../shared/runtime/world.ts';

export type Services = Pick<World, 'clusters' | 'claimRows' | 'environmentUses'>;
type EnvironmentObject = ObjectOf<typeof environments.Schema>;
type ManagedObject = ObjectOf<typeof managedEnvironments.Schema>;
type SecretObject = ObjectOf<typeof secrets.Schema>;

/** What the rule sees, and the objects themselves for whoever writes them. Credentials are in here, so it is never told to anybody. */
export interface SeenByStep extends SeenEnvironment {
  readonly object: EnvironmentObject | undefined;
  readonly source: SecretObject | undefined;
  readonly managedObject: ManagedObject | undefined;
  readonly copyObject: SecretObject | undefined;
  readonly secretName: string | undefined;
}

export async function observeEnvironment(
  { namespace, name }: Subject,
  services: Services,
  signal: AbortSignal,
): Promise<SeenByStep> {
  const { local } = services.clusters;
  const options = { signal };
  const [found, home, managedObject, copyObject] = await Promise.all([
    findAll(namespace, name, services, signal),
    local.read(namespaces, { namespace: '', name: namespace }, options),
    local.read(managedEnvironments, { namespace, name: managedEnvironmentName(name) }, options),
    local.read(secrets, { namespace, name: copiedSecretName(name) }, options),
  ]);
  const { object, all } = found;
  const environment = object === undefined ? undefined : environmentOf(object);
  const { claim, target, choice } = await seePlace(namespace, environment, services, signal);
  const secretName = choice?.kind === 'place' ? choice.place.secretName : undefined;
  const source = await readSecret(namespace, secretName, services, signal);
  const owner = { name, uid: environment?.uid };
  return {
    namespace,
    name,
    environment,
    // Where even the namespace is gone there is nothing to let go.
    isNamespaceGoing: home?.metadata.deletionTimestamp !== undefined,
    siblings: all.map(siblingOf),
    claim,
    target,
    secret: source && {
      name: source.metadata.name,
      isOfRightType: source.type === secretTypes.managedEnvironment,
    },
    managed: managedObject && managedOf(managedObject, owner),
    copy: copyObject && copyOf(copyObject, source, owner),
    object,
    source,
    managedObject,
    copyObject,
    secretName,
  };
}

/** The Environment among all of its namespace. What cannot be read is left out of lists, and must not be taken for gone. */
async function findAll(
  namespace: string,
  name: string,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<{ object: EnvironmentObject | undefined; all: readonly EnvironmentObject[] }> {
  const all = await listAll(clusters.local, environments, { namespace, signal });
  const listed = all.find(({ metadata }) => metadata.name === name);
  if (listed !== undefined) return { object: listed, all };
  const object = await clusters.local.read(environments, { namespace, name }, { signal });
  return { object, all: object === undefined ? all : [...all, object] };
}

async function readSecret(
  namespace: string,
  name: string | undefined,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<SecretObject | undefined> {
  if (name === undefined || !isObjectName(name)) return undefined;
  const found = await clusters.local.read(secrets, { namespace, name }, { signal });
  // What is being deleted is gone a moment later, and that would not be seen as a change of its own.
  return found?.metadata.deletionTimestamp === undefined ? found : undefined;
}

type Owner = { readonly name: string; readonly uid: string | undefined };

function managedOf({ metadata, spec, status }: ManagedObject, owner: Owner): SeenManaged {
  const connection: Said | undefined = status?.conditions.find(({ type }) => type === environmentConditionType);
  return { ...ownedOf(metadata, owner), spec, connection };
}

function copyOf(copy: SecretObject, source: SecretObject | undefined, owner: Owner): SeenCopy {
  const isLabelled = copy.metadata.labels[labels.environmentSecret] === owner.name || !fitsLabel(owner.name);
  return {
    ...ownedOf(copy.metadata, owner),
    isOfRightType: copy.type === secretTypes.managedEnvironment,
    isSame: source !== undefined && isLabelled && holdsTheSame(copy.data, source.data),
  };
}

function ownedOf(metadata: ManagedObject['metadata'], owner: Owner) {
  return {
    uid: metadata.uid,
    version: metadata.resourceVersion,
    isDeleting: metadata.deletionTimestamp !== undefined,
    ...ownerOf(metadata.ownerReferences, owner),
  };
}

function holdsTheSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
