import { applications, components, type ObjectOf, snapshots } from '../../shared/contracts/kubernetes/kinds.ts';
import { labels } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { fitsLabel, isObjectName } from '../../shared/domain/core/object-name.ts';
import { inWords, type Subject } from '../../shared/domain/core/subject.ts';
import { snapshotNames } from '../../shared/domain/snapshot/choose-snapshot.ts';
import { isNewState } from '../../shared/domain/snapshot/decide-snapshot.ts';
import type { SeenComponent } from '../../shared/domain/snapshot/seen-component.ts';
import { builtComponents, contentOf, type SeenSnapshot } from '../../shared/domain/snapshot/snapshot.ts';
import type { ObjectKey } from '../../shared/ports/cluster.ts';
import { Conflict } from '../../shared/ports/trouble.ts';
import { listAll } from '../../shared/runtime/list-all.ts';
import { isHomeGoing } from '../../shared/runtime/see-place.ts';
import type { World } from '../../shared/runtime/world.ts';
import { componentOf, seenSnapshotOf } from './objects.ts';

export interface Services extends Pick<World, 'clusters' | 'places'> {
  readonly memory: { refusal: string | undefined };
}

type ComponentObject = ObjectOf<typeof components.Schema>;

/** What the rule sees, and the Component itself for whoever writes to it. */
export interface SeenByStep extends SeenComponent {
  readonly object: ComponentObject | undefined;
}

export async function observeComponent(
  { namespace, name, application: told, version }: Subject,
  services: Services,
  signal: AbortSignal,
): Promise<SeenByStep | undefined> {
  const { clusters, places, memory } = services;
  const key = { namespace, name };
  const [found, stored] = await Promise.all([
    clusters.local.read(components, key, { signal, atLeast: version }),
    places.observeComponent(key),
  ]);
  const belongsTo = found?.spec.application ?? stored.find(({ isGone }) => !isGone)?.application ?? told;
  if (belongsTo === undefined) return undefined;

  // The row first, then the Components: whoever froze a state that is not in this list has moved the row since.
  const rows = await places.observe({ namespace, name: belongsTo });
  const [all, uid] = await Promise.all([
    listAll(services.clusters.local, components, { namespace, signal }),
    findApplication({ namespace, name: belongsTo }, services, signal),
  ]);
  const object = all.find(({ metadata }) => metadata.name === name);
  if (object !== undefined && object.spec.application !== belongsTo)
    throw new Conflict(`${inWords(key)} was made again, in another Application`);

  const inNamespace = all.map(componentOf);
  const application = { name: belongsTo, uid };
  const row = rows.find((one) => one.uid === uid);
  const seen: SeenByStep = {
    namespace,
    name,
    component: inNamespace.find((one) => one.name === name && !one.isDeleting),
    stored,
    components: inNamespace,
    application,
    row,
    isNamespaceGoing: false,
    digest: places.digest(contentOf(builtComponents(inNamespace, belongsTo, row?.frozen ?? []))),
    existing: [],
    refusal: memory.refusal,
    object,
  };
  if (!isNewState(seen)) return seen;
  const [existing, isNamespaceGoing] = await Promise.all([
    findSnapshots(seen, services, signal),
    isHomeGoing(clusters.local, namespace, signal),
  ]);
  return { ...seen, existing, isNamespaceGoing };
}

/** What is being deleted is gone a moment later, and takes its Snapshots along. */
async function findApplication(
  key: ObjectKey,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!isObjectName(key.name)) return undefined;
  const found = await clusters.local.read(applications, key, { signal });
  return found?.metadata.deletionTimestamp === undefined ? found?.metadata.uid : undefined;
}

/** Those of the Application, whoever made them, and whatever has a name that a new one could have. */
async function findSnapshots(
  { namespace, application, digest }: SeenComponent,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<readonly SeenSnapshot[]> {
  const { local } = clusters;
  const named = snapshotNames(application.name, digest).map((name) =>
    local.read(snapshots, { namespace, name }, { signal }),
  );
  const found = (await Promise.all(named)).filter((one) => one !== undefined);
  if (!fitsLabel(application.name)) return found.map(seenSnapshotOf);
  const labelSelector = `${labels.deployedApplication}=${application.name}`;
  const labelled = await listAll(local, snapshots, { namespace, labelSelector, signal });
  return [...found, ...labelled].map(seenSnapshotOf);
}
