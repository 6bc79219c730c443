import {
  bindingOf,
  boundApplicationOf,
  boundComponentOf,
  boundEnvironmentOf,
  boundSnapshotOf,
  ownedDeploymentOf,
} from '../../shared/contracts/bindings.ts';
import { environmentOf } from '../../shared/contracts/environments.ts';
import {
  type AnySchema,
  applications,
  bindings,
  components,
  environments,
  gitOpsDeployments,
  type ObjectKind,
  type ObjectOf,
  snapshots,
} from '../../shared/contracts/kubernetes/kinds.ts';
import { labels } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Binding, SeenBinding } from '../../shared/domain/binding/binding.ts';
import { considerBinding } from '../../shared/domain/binding/consider-binding.ts';
import { isBefore } from '../../shared/domain/binding/is-before.ts';
import { fitsLabel, isObjectName } from '../../shared/domain/core/object-name.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import { listAll } from '../../shared/runtime/list-all.ts';
import { freshened, readNamed } from '../../shared/runtime/read-named.ts';
import { isHomeGoing, seePlace } from '../../shared/runtime/see-place.ts';
import type { World } from '../../shared/runtime/world.ts';

export type Services = Pick<World, 'clusters' | 'claimRows' | 'places' | 'overlays'>;
export type SeenByStep = SeenBinding;

type Around = Pick<
  SeenBinding,
  'application' | 'environment' | 'choice' | 'snapshot' | 'components' | 'place' | 'rival' | 'followers' | 'deployments'
>;

const nothingAround: Around = {
  application: undefined,
  environment: undefined,
  choice: undefined,
  snapshot: undefined,
  components: [],
  place: undefined,
  rival: undefined,
  followers: [],
  deployments: [],
};

/** The Binding first: what changes behind its back after that wakes it again. */
export async function observeBinding(
  { namespace, name, version }: Subject,
  services: Services,
  signal: AbortSignal,
): Promise<SeenByStep> {
  const { clusters, overlays, places } = services;
  const [object, stored] = await Promise.all([
    clusters.local.read(bindings, { namespace, name }, { signal, atLeast: version }),
    overlays.observe({ namespace, name }),
  ]);
  const binding = object && bindingOf(object);
  const around =
    binding === undefined || binding.isDeleting
      ? nothingAround
      : await lookAround({ namespace, name }, binding, services, signal);
  const seen = { namespace, name, binding, stored, ...around, isNamespaceGoing: false, digest: places.digest };
  return lookTwice(seen, services, signal);
}

async function lookAround(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  binding: Binding,
  services: Services,
  signal: AbortSignal,
): Promise<Around> {
  const read = <Schema extends AnySchema>(
    kind: ObjectKind<Schema>,
    key: string,
  ): Promise<ObjectOf<Schema> | undefined> =>
    isObjectName(key)
      ? services.clusters.local.read(kind, { namespace, name: key }, { signal })
      : Promise.resolve(undefined);
  const [application, found, { snapshot, ours }, deployments, stored, others] = await Promise.all([
    read(applications, binding.application),
    seeEnvironment(namespace, binding, services, signal),
    seeSnapshot(namespace, binding, services, signal),
    listDeployments(namespace, binding, services, signal),
    services.places.observe({ namespace, name: binding.application }),
    findOthers(namespace, name, binding, services, signal),
  ]);
  const place = stored.find(({ uid }) => uid === application?.metadata.uid)?.repository;
  return {
    application: application && boundApplicationOf(application),
    ...found,
    snapshot: snapshot && boundSnapshotOf(snapshot),
    components: ours.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(boundComponentOf),
    place,
    ...others,
    deployments: deployments.map(ownedDeploymentOf),
  };
}

/** The Snapshot, and the Components that it names: a list of all would have to wait for the API server's cache. */
async function seeSnapshot(
  namespace: string,
  { snapshot: name }: Binding,
  { clusters: { local } }: Services,
  signal: AbortSignal,
): Promise<{
  readonly snapshot: ObjectOf<typeof snapshots.Schema> | undefined;
  readonly ours: readonly ObjectOf<typeof components.Schema>[];
}> {
  const snapshot = isObjectName(name) ? await local.read(snapshots, { namespace, name }, { signal }) : undefined;
  const names = snapshot?.spec.components.map((one) => one.name) ?? [];
  return { snapshot, ours: await readNamed(local, components, namespace, names, signal) };
}

async function seeEnvironment(
  namespace: string,
  { environment: name }: Binding,
  services: Services,
  signal: AbortSignal,
): Promise<Pick<Around, 'environment' | 'choice'>> {
  const object = isObjectName(name)
    ? await services.clusters.local.read(environments, { namespace, name }, { signal })
    : undefined;
  if (object === undefined) return { environment: undefined, choice: undefined };
  const { choice } = await seePlace(namespace, environmentOf(object), services, signal);
  return { environment: boundEnvironmentOf(object), choice };
}

/** By the labels that a Binding gives them, which are its own way to find them again; those that it tells of as they are now. */
async function listDeployments(
  namespace: string,
  { application, environment, status }: Binding,
  { clusters: { local } }: Services,
  signal: AbortSignal,
): Promise<readonly ObjectOf<typeof gitOpsDeployments.Schema>[]> {
  if (!fitsLabel(application) || !fitsLabel(environment)) return [];
  const labelSelector = `${labels.deployedApplication}=${application},${labels.deployedEnvironment}=${environment}`;
  const listing = listAll(local, gitOpsDeployments, { namespace, labelSelector, mayLag: true, signal });
  const told = status.gitopsDeployments.map(({ gitopsDeployment }) => gitopsDeployment);
  return freshened(listing, local, gitOpsDeployments, namespace, told, signal);
}

/** Other Bindings of the same pair, as far as rows know of them, and whether they go before this one. */
async function findOthers(
  namespace: string,
  name: string,
  binding: Binding,
  { clusters, overlays }: Services,
  signal: AbortSignal,
): Promise<Pick<Around, 'rival' | 'followers'>> {
  const { application, environment } = binding;
  const names = (await overlays.rivals({ namespace, application, environment })).filter((one) => one !== name);
  const objects = await Promise.all(
    names.map((one) => clusters.local.read(bindings, { namespace, name: one }, { signal })),
  );
  const others = objects
    .filter((one) => one !== undefined)
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((one) => ({ name: one.metadata.name, ...bindingOf(one) }));
  return {
    rival: others.find((other) => isBefore(other, { name, ...binding }))?.name,
    followers: others.filter((other) => isBefore({ name, ...binding }, other)).map((other) => other.name),
  };
}

/**
 * What would be made may be there already, without the labels that it should be found by, or by somebody else's hand. And
 * nothing can be made in a namespace that goes. Only asked where something would be made.
 */
async function lookTwice(seen: SeenBinding, { clusters }: Services, signal: AbortSignal): Promise<SeenBinding> {
  const { namespace, binding, application } = seen;
  if (binding === undefined || application === undefined) return seen;
  const { create } = considerBinding(seen, binding, application).deploying;
  if (create.length === 0) return seen;
  const [isNamespaceGoing, ...found] = await Promise.all([
    isHomeGoing(clusters.local, namespace, signal),
    ...create.map(({ name }) => clusters.local.read(gitOpsDeployments, { namespace, name }, { signal })),
  ]);
  const unlabelled = found.filter((one) => one !== undefined).map(ownedDeploymentOf);
  return { ...seen, isNamespaceGoing, deployments: [...seen.deployments, ...unlabelled] };
}
