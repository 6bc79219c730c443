import type { ServedKind } from '../kinds/served-kind.ts';

export interface ServedVersion {
  readonly version: string;
  /** Sorted by plural name. */
  readonly kinds: readonly ServedKind[];
}

export interface ServedGroup {
  /** Empty for the core group. */
  readonly group: string;
  /** The preferred one first. */
  readonly versions: readonly ServedVersion[];
}

/** The order in which clients look for a kind that several groups have; custom groups follow by name. */
const builtInOrder: readonly string[] = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
];

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function rankOf(group: string): number {
  const rank = builtInOrder.indexOf(group);
  return rank === -1 ? builtInOrder.length : rank;
}

/** v10 before v2 before v1, v1 before v1beta2 before v1alpha1, and names of another form last, by name. */
export function compareVersions(left: string, right: string): number {
  const one = versionParts(left);
  const other = versionParts(right);
  if (one === undefined || other === undefined) {
    if (one === undefined && other === undefined) return compareTexts(left, right);
    return one === undefined ? 1 : -1;
  }
  return other.stability - one.stability || other.major - one.major || other.minor - one.minor;
}

function versionParts(version: string): { stability: number; major: number; minor: number } | undefined {
  const parts = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (parts === null) return undefined;
  const stability = parts[2] === undefined ? 2 : parts[2] === 'beta' ? 1 : 0;
  return { stability, major: Number(parts[1]), minor: Number(parts[3] ?? 0) };
}

export function servedGroups(kinds: readonly ServedKind[]): readonly ServedGroup[] {
  const groups = new Map<string, Map<string, ServedKind[]>>();
  for (const kind of kinds) {
    const versions = groups.get(kind.group) ?? new Map<string, ServedKind[]>();
    groups.set(kind.group, versions);
    const members = versions.get(kind.version) ?? [];
    versions.set(kind.version, members);
    members.push(kind);
  }
  return [...groups]
    .sort(([left], [right]) => rankOf(left) - rankOf(right) || compareTexts(left, right))
    .map(([group, versions]) => ({
      group,
      versions: [...versions]
        .sort(([left], [right]) => compareVersions(left, right))
        .map(([version, members]) => ({
          version,
          kinds: members.toSorted((left, right) => compareTexts(left.plural, right.plural)),
        })),
    }));
}
