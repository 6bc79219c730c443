import type { Destination, Source } from '../application.ts';
import type { KubeObject } from '../kube-object.ts';
import { normalizeRepositoryUrl } from '../source/repository-url.ts';
import { matchesGlob } from './glob.ts';

interface GroupKind {
  readonly group: string;
  readonly kind: string;
  readonly name?: string;
}

export interface AppProject extends KubeObject {
  readonly spec: {
    readonly sourceRepos?: readonly string[];
    readonly destinations?: readonly Destination[];
    readonly clusterResourceWhitelist?: readonly GroupKind[];
    readonly clusterResourceBlacklist?: readonly GroupKind[];
    readonly namespaceResourceWhitelist?: readonly GroupKind[];
    readonly namespaceResourceBlacklist?: readonly GroupKind[];
    readonly permitOnlyProjectScopedClusters?: boolean;
    readonly [field: string]: unknown;
  };
}

/** As far as a project looks at a cluster. */
export interface ProjectCluster {
  readonly server: string;
  readonly name: string;
  readonly project: string;
}

export function isSourcePermitted({ spec }: AppProject, { repoURL }: Pick<Source, 'repoURL'>): boolean {
  const url = normalizeRepositoryUrl(repoURL);
  let permitted = false;
  for (const pattern of spec.sourceRepos ?? []) {
    const denies = pattern.startsWith('!');
    const wanted = normalizeRepositoryUrl(denies ? pattern.slice(1) : pattern);
    const matches = wanted === '*' || matchesGlob(wanted, url, '/');
    if (denies && matches) return false;
    // As in Argo CD, a pattern that denies permits everything that it does not name.
    if (denies || matches) permitted = true;
  }
  return permitted;
}

export function isDestinationPermitted(
  { spec, metadata }: AppProject,
  cluster: ProjectCluster,
  namespace: string,
): boolean {
  if (!isDestinationListed(spec.destinations ?? [], cluster, namespace)) return false;
  return spec.permitOnlyProjectScopedClusters !== true || cluster.project === metadata.name;
}

function isDestinationListed(listed: readonly Destination[], cluster: ProjectCluster, namespace: string): boolean {
  let permitted = false;
  for (const { name = '', server = '', namespace: wanted = '' } of listed) {
    const nameMatches = cluster.name !== '' && matchesPattern(name, cluster.name);
    const serverMatches = cluster.server !== '' && matchesPattern(server, cluster.server);
    const namespaceMatches = matchesPattern(wanted, namespace);
    if ((nameMatches || serverMatches) && namespaceMatches) permitted = true;
    else if (!nameMatches && denies(name)) return false;
    else if (!serverMatches && denies(server) && namespaceMatches) return false;
    else if (!namespaceMatches && denies(wanted) && serverMatches) return false;
  }
  return permitted;
}

/** Cluster-scoped kinds are refused unless listed; namespaced ones are allowed unless a list says otherwise. */
export function isKindPermitted(
  { spec }: AppProject,
  { group, kind }: GroupKind,
  name: string,
  namespaced: boolean,
): boolean {
  const isIn = (list: readonly GroupKind[] | undefined) =>
    (list ?? []).some(
      (one) =>
        matchesGlob(one.group, group) &&
        matchesGlob(one.kind, kind) &&
        (namespaced || (one.name ?? '') === '' || matchesGlob(one.name ?? '', name)),
    );
  if (!namespaced) return isIn(spec.clusterResourceWhitelist) && !isIn(spec.clusterResourceBlacklist);
  const allowed = spec.namespaceResourceWhitelist === undefined || isIn(spec.namespaceResourceWhitelist);
  return allowed && !isIn(spec.namespaceResourceBlacklist);
}

function matchesPattern(pattern: string, value: string): boolean {
  if (denies(pattern)) return !matchesGlob(pattern.slice(1), value);
  return pattern === '*' || matchesGlob(pattern, value);
}

function denies(pattern: string): boolean {
  return pattern.startsWith('!');
}
