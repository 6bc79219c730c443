import { isNamespaceName } from '../core/object-name.ts';
import { isSameValue } from './merge-patch.ts';
import { clusterSecretName, localDestination, projectName } from './names.ts';
import { repositoryUrlProblem } from './repository-url.ts';
import { metadataPatch, type WrittenMetadata } from './written-object.ts';

/** What the rows say about where a tenant may take from and deploy to. */
export interface ProjectRows {
  readonly userId: string;
  /** The tenant's namespace of the API. */
  readonly namespace: string;
  readonly repositories: readonly string[];
  readonly environments: readonly {
    readonly id: string;
    /** Empty: all. */
    readonly namespaces: readonly string[];
  }[];
}

export interface Destination {
  readonly name: string;
  readonly namespace: string;
}

export interface WrittenProject {
  readonly metadata: WrittenMetadata;
  readonly spec: { readonly sourceRepos: readonly string[]; readonly destinations: readonly Destination[] };
}

interface StoredProject {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly sourceRepos: readonly string[];
    readonly destinations: readonly (Destination & { readonly server: string })[];
  };
}

/**
 * The fence around a tenant's applications: exactly its repositories, its environments with their namespaces, and its own
 * namespace where Argo CD runs in the same cluster.
 *
 * Argo CD reads repositories and namespaces as patterns. What could match more than itself is never listed, whatever the
 * rows say, so that a tenant cannot reach past the fence by a name.
 */
export function writtenProject(
  { userId, namespace, repositories, environments }: ProjectRows,
  engine: { readonly namespace: string; readonly local: boolean },
): WrittenProject {
  const sourceRepos = [...new Set(repositories)].filter((url) => repositoryUrlProblem(url) === undefined).toSorted();
  const own = engine.local ? [{ name: localDestination, namespace }] : [];
  const others = environments.flatMap(({ id, namespaces }) =>
    (namespaces.length === 0 ? ['*'] : namespaces.filter(isNamespaceName).toSorted()).map((name) => ({
      name: clusterSecretName(id),
      namespace: name,
    })),
  );
  return {
    metadata: { name: projectName(userId), namespace: engine.namespace, annotations: { username: userId } },
    spec: { sourceRepos, destinations: [...own, ...others] },
  };
}

/** What has to be patched of a project; undefined where it has the same sets. Lists that are not ours stay as they are. */
export function projectPatch(stored: StoredProject, written: WrittenProject): object | undefined {
  const metadata = metadataPatch(stored.metadata, written.metadata);
  const spec = isSameFence(stored.spec, written.spec) ? undefined : written.spec;
  if (metadata === undefined && spec === undefined) return undefined;
  return {
    metadata: { ...metadata, resourceVersion: stored.metadata.resourceVersion },
    ...(spec !== undefined && { spec }),
  };
}

/** The same repositories and the same destinations, in whatever order. */
export function isSameFence(stored: StoredProject['spec'] | undefined, written: WrittenProject['spec']): boolean {
  if (stored === undefined) return false;
  const there = stored.destinations.map(({ name, namespace, server }) => `${name} ${namespace} ${server}`.trimEnd());
  const wanted = written.destinations.map(({ name, namespace }) => `${name} ${namespace}`);
  return (
    isSameValue(stored.sourceRepos.toSorted(), written.sourceRepos.toSorted()) &&
    isSameValue(there.toSorted(), wanted.toSorted())
  );
}
