import type { Application } from '../application.ts';
import type { ApiResource } from '../cluster/api-resources.ts';
import type { Target } from '../cluster/clusters.ts';
import { readObject } from '../cluster/write-object.ts';
import { type GroupVersionKind, gvkOf, type KubeObject, keyOf } from '../kube-object.ts';
import { type AppProject, isDestinationPermitted, isKindPermitted } from '../project/app-project.ts';
import type { Wanted } from './normalize-targets.ts';
import { trackingOf } from './tracking.ts';

export interface LiveObject {
  readonly object: KubeObject;
  readonly resource: ApiResource | undefined;
}

/**
 * The live objects of an application: those it has marked, and those it wants that are there without the mark. Looked for
 * among the kinds that it wants now or has ever reported.
 */
export async function loadLive(
  cluster: Target,
  app: Application,
  project: AppProject,
  wanted: readonly Wanted[],
): Promise<Map<string, LiveObject>> {
  refuseOtherNamespaces(cluster, wanted);
  const kinds = await findKinds(cluster, [...wanted.map(({ object }) => gvkOf(object)), ...reportedKinds(app)]);
  await cluster.live.follow(kinds);

  const found = new Map<string, LiveObject>();
  const resourceOf = (object: KubeObject) => {
    const { group, kind } = gvkOf(object);
    return kinds.find((one) => one.group === group && one.kind === kind);
  };
  for (const object of cluster.live.all()) {
    const marked = trackingOf(object)?.application === app.metadata.name;
    const owned = (object.metadata.ownerReferences ?? []).length > 0;
    if (marked && !owned) found.set(keyOf(object), { object, resource: resourceOf(object) });
  }
  for (const { object: target, resource } of wanted) {
    if (resource === undefined) continue;
    const known = found.get(keyOf(target))?.object ?? cluster.live.find(keyOf(target));
    const object =
      known?.apiVersion === target.apiVersion || (known === undefined && resource.canList)
        ? known
        : await readObject(cluster, resource, target);
    if (object !== undefined) found.set(keyOf(target), { object, resource });
  }
  for (const [key, { object }] of found) if (!isPermitted(project, cluster, object)) found.delete(key);
  return found;
}

export async function findKinds(cluster: Target, kinds: readonly GroupVersionKind[]): Promise<readonly ApiResource[]> {
  const found = new Map<string, ApiResource>();
  for (const kind of kinds) {
    const name = `${kind.group}/${kind.kind}`;
    const resource = found.get(name) ?? (await cluster.resources.find(kind));
    if (resource !== undefined) found.set(name, resource);
  }
  return [...found.values()];
}

/** What the application had at its last comparison or sync: pruning must find it again, though Git no longer names the kind. */
export function reportedKinds({ status }: Application): readonly GroupVersionKind[] {
  const reported = [...(status?.resources ?? []), ...(status?.operationState?.syncResult?.resources ?? [])];
  return reported.map(({ group = '', version, kind }) => ({ group, version, kind }));
}

export function isPermitted(project: AppProject, cluster: Target, object: KubeObject): boolean {
  const { namespace, name } = object.metadata;
  if (!isKindPermitted(project, gvkOf(object), name, namespace !== undefined)) return false;
  return namespace === undefined || isDestinationPermitted(project, cluster, namespace);
}

function refuseOtherNamespaces({ namespaces, clusterResources }: Target, wanted: readonly Wanted[]): void {
  if (namespaces.length === 0) return;
  for (const { object } of wanted) {
    const { namespace, name } = object.metadata;
    if (namespace === undefined && !clusterResources)
      throw new Error(`cluster level ${object.kind} "${name}" can not be managed when in namespaced mode`);
    if (namespace !== undefined && !namespaces.includes(namespace))
      throw new Error(`namespace "${namespace}" for ${object.kind} "${name}" is not managed`);
  }
}
