import type { ApiClient } from '../../../support/api-client.ts';
import { type ApiWorld, freshName, pathOf } from '../../../support/api-world.ts';
import { until } from '../../../support/until.ts';

const rbac = 'rbac.authorization.k8s.io/v1';

export interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

export interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
  readonly namespace?: string;
}

export const alice: Subject = { kind: 'User', name: 'alice' };
export const bob: Subject = { kind: 'User', name: 'bob' };

export function roleOf(name: string, rules: readonly Rule[], kind: 'Role' | 'ClusterRole' = 'Role') {
  return { apiVersion: rbac, kind, metadata: { name }, rules };
}

export function bindingOf(
  name: string,
  role: { readonly kind: 'Role' | 'ClusterRole'; readonly name: string },
  subjects: readonly Subject[],
  kind: 'RoleBinding' | 'ClusterRoleBinding' = 'RoleBinding',
) {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', ...role };
  return { apiVersion: rbac, kind, metadata: { name }, roleRef, subjects };
}

export const rolesPath = (namespace: string, name?: string) => pathOf(rbac, 'roles', namespace, name);
export const bindingsPath = (namespace: string, name?: string) => pathOf(rbac, 'rolebindings', namespace, name);
export const clusterRolesPath = (name?: string) => pathOf(rbac, 'clusterroles', undefined, name);
const clusterBindingsPath = (name?: string) => pathOf(rbac, 'clusterrolebindings', undefined, name);

async function made(admin: ApiClient, path: string, object: unknown): Promise<void> {
  const { code, text } = await admin.create(path, object);
  if (code !== 201) throw new Error(`the test could not grant: ${text}`);
}

/** A Role and its RoleBinding, both of the name that is answered. They take a moment to be in force. */
export async function grantIn(world: ApiWorld, namespace: string, to: Subject, ...rules: Rule[]): Promise<string> {
  const name = freshName('grant');
  await made(world.client(), rolesPath(namespace), roleOf(name, rules));
  await made(world.client(), bindingsPath(namespace), bindingOf(name, { kind: 'Role', name }, [to]));
  return name;
}

/** A ClusterRole and its ClusterRoleBinding. */
export async function grantEverywhere(world: ApiWorld, to: Subject, ...rules: Rule[]): Promise<string> {
  const name = freshName('grant');
  await made(world.client(), clusterRolesPath(), roleOf(name, rules, 'ClusterRole'));
  const binding = bindingOf(name, { kind: 'ClusterRole', name }, [to], 'ClusterRoleBinding');
  await made(world.client(), clusterBindingsPath(), binding);
  return name;
}

/** Somebody whom no other test knows: a service account of its own namespace, with a token. */
export async function newcomer(
  world: ApiWorld,
): Promise<{ client: ApiClient; subject: Subject; user: string; namespace: string }> {
  const namespace = await world.namespace();
  const name = 'newcomer';
  const accounts = pathOf('v1', 'serviceaccounts', namespace);
  await made(world.client(), accounts, { metadata: { name } });
  const { body } = await world.client().create(`${accounts}/${name}/token`, { spec: {} });
  const { token } = body.status as { token: string };
  return {
    client: world.client(token),
    subject: { kind: 'ServiceAccount', name, namespace },
    user: `system:serviceaccount:${namespace}:${name}`,
    namespace,
  };
}

/** Roles are read from a cache: asks until the answer has this code. */
export async function eventually<Said extends { readonly code: number }>(
  code: number,
  ask: () => Promise<Said>,
): Promise<Said> {
  return until(`an answer ${code}`, async () => {
    const said = await ask();
    return said.code === code && said;
  });
}
