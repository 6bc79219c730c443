import type { z } from 'zod';
import {
  clusterRoleBindings,
  clusterRoles,
  type ObjectKind,
  type ObjectOf,
  secrets,
  serviceAccounts,
} from '../../contracts/kubernetes/kinds.ts';
import type { AccountNames, Installation } from '../../domain/gitops/managed-environment.ts';
import type { Cluster, NewObject, ObjectKey } from '../../ports/cluster.ts';

const everything = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];
const tokenType = 'kubernetes.io/service-account-token';
const rbac = 'rbac.authorization.k8s.io';

type Role = ObjectOf<typeof clusterRoles.Schema>;

/** What there is of the account. The rest of it is owned by the role, so one without a role is not complete. */
export async function inspectAccount(
  cluster: Cluster,
  names: AccountNames,
  signal: AbortSignal,
): Promise<Installation> {
  const { role, parts } = await readAccount(cluster, names, signal);
  const wanted = role === undefined ? [] : partsOf(names, role);
  const isComplete =
    role !== undefined && sameJson(role.rules, everything) && wanted.every((part, at) => holds(parts[at], part.object));
  const secret = parts[2] as ObjectOf<typeof secrets.Schema> | undefined;
  const token = Buffer.from(secret?.data['token'] ?? '', 'base64').toString('utf8');
  return { state: 'works', isComplete, token: token === '' ? undefined : token };
}

/**
 * Makes what is missing and corrects what differs. The role owns the rest: the account may then take itself away by
 * deleting its role, though from that moment on it may do nothing more, and the cluster collects what is left.
 */
export async function installAccount(cluster: Cluster, names: AccountNames, signal: AbortSignal): Promise<void> {
  const { role: found, parts } = await readAccount(cluster, names, signal);
  const role = await put(cluster, clusterRoles, found, { metadata: { name: names.role }, rules: everything }, signal);
  for (const [at, { kind, object, mustGoFirst }] of partsOf(names, role).entries()) {
    const part = parts[at];
    if (part !== undefined && holds(part, object)) continue;
    if (part !== undefined && mustGoFirst(part)) {
      await cluster.remove(kind, keyOf(object), { signal, uid: part.metadata.uid });
      await cluster.create(kind, object, { signal });
    } else await put(cluster, kind, part, object, signal);
  }
}

/** Is anything of it there, for who asks? */
export async function findAccount(cluster: Cluster, names: AccountNames, signal: AbortSignal): Promise<boolean> {
  const { role, parts } = await readAccount(cluster, names, signal);
  return role !== undefined || parts.some((part) => part !== undefined);
}

/** The role goes first. With the account's own token that is the last thing it may do; with another one the rest follows at once. */
export async function removeAccount(cluster: Cluster, names: AccountNames, signal: AbortSignal): Promise<void> {
  const { namespace } = names;
  await cluster.remove(clusterRoles, { namespace: '', name: names.role }, { signal, propagation: 'Background' });
  await cluster.remove(clusterRoleBindings, { namespace: '', name: names.binding }, { signal });
  await cluster.remove(serviceAccounts, { namespace, name: names.account }, { signal });
  await cluster.remove(secrets, { namespace, name: names.token }, { signal });
}

async function readAccount(cluster: Cluster, names: AccountNames, signal: AbortSignal) {
  const { namespace } = names;
  const role = await cluster.read(clusterRoles, { namespace: '', name: names.role }, { signal });
  const parts = await Promise.all([
    cluster.read(clusterRoleBindings, { namespace: '', name: names.binding }, { signal }),
    cluster.read(serviceAccounts, { namespace, name: names.account }, { signal }),
    cluster.read(secrets, { namespace, name: names.token }, { signal }),
  ]);
  return { role, parts: parts as readonly (Part | undefined)[] };
}

interface Part {
  readonly metadata: Role['metadata'];
  readonly [field: string]: unknown;
}

interface WantedPart {
  readonly kind: ObjectKind;
  readonly object: NewObject;
  /** A field of it that Kubernetes lets nobody change differs. */
  mustGoFirst(found: Part): boolean;
}

/** In the order of readAccount. The binding comes before the account, so that its token works as soon as there is one. */
function partsOf(names: AccountNames, role: Role): readonly WantedPart[] {
  const { namespace, account } = names;
  const ownerReferences = [{ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', name: names.role, uid: role.metadata.uid }];
  const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: names.role };
  return [
    {
      kind: clusterRoleBindings,
      object: {
        metadata: { name: names.binding, ownerReferences },
        roleRef,
        subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
      },
      mustGoFirst: (found) => !sameJson(found['roleRef'], roleRef),
    },
    {
      kind: serviceAccounts,
      object: { metadata: { name: account, namespace, ownerReferences } },
      mustGoFirst: () => false,
    },
    {
      kind: secrets,
      object: {
        metadata: {
          name: names.token,
          namespace,
          ownerReferences,
          annotations: { 'kubernetes.io/service-account.name': account },
        },
        type: tokenType,
      },
      mustGoFirst: (found) => found['type'] !== tokenType,
    },
  ];
}

/** Creates it, or writes what is wanted over what is there and keeps the rest. */
async function put<Schema extends z.ZodType>(
  cluster: Cluster,
  kind: ObjectKind<Schema>,
  found: Part | undefined,
  wanted: NewObject,
  signal: AbortSignal,
): Promise<ObjectOf<Schema>> {
  if (found === undefined) return cluster.create(kind, wanted, { signal });
  if (holds(found, wanted)) return found as ObjectOf<Schema>;
  const annotations = { ...found.metadata.annotations, ...(wanted.metadata['annotations'] as object | undefined) };
  const metadata = { ...found.metadata, ...wanted.metadata, annotations };
  return cluster.replace(kind, { ...found, ...wanted, metadata }, { signal });
}

function keyOf({ metadata: { namespace = '', name = '' } }: NewObject): ObjectKey {
  return { namespace, name };
}

/** Does what was found say everything that is wanted? It may say more. */
function holds(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return found === wanted;
  if (typeof found !== 'object' || found === null) return false;
  if (Array.isArray(wanted))
    return Array.isArray(found) && found.length === wanted.length && wanted.every((one, at) => holds(found[at], one));
  return Object.entries(wanted).every(([field, value]) => holds((found as Record<string, unknown>)[field], value));
}

function sameJson(one: unknown, other: unknown): boolean {
  return holds(one, other) && holds(other, one);
}
