import { beforeEach, describe, expect, it } from 'vitest';
import { type Authorizer, createAuthorizer } from '../../../../infra/embedded/kubernetes/auth/authorize.ts';
import { bootstrapRbac } from '../../../../infra/embedded/kubernetes/auth/bootstrap-rbac.ts';
import type { User } from '../../../../infra/embedded/kubernetes/user.ts';
import { admin, alice, asking, askingPath, bob, rbac, refusalOf } from './asking.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';

const storages: Readonly<Record<string, string>> = {
  Role: 'roles.rbac.authorization.k8s.io',
  ClusterRole: 'clusterroles.rbac.authorization.k8s.io',
  RoleBinding: 'rolebindings.rbac.authorization.k8s.io',
  ClusterRoleBinding: 'clusterrolebindings.rbac.authorization.k8s.io',
};

let store: MemoryStore;
let authorizer: Authorizer;

function put(kind: string, name: string, more: Record<string, unknown>, namespace?: string): void {
  store.put(storages[kind] ?? '', rbac(kind, name, more, namespace));
}

function bind(kind: string, role: string, subject: Record<string, string>, namespace?: string): void {
  const binding = namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding';
  put(binding, `bind-${role}`, { roleRef: { kind, name: role }, subjects: [subject] }, namespace);
}

function allows(user: User, verb: string, resource: string, more = {}): boolean {
  return authorizer.authorize(asking(user, verb, resource, more)).allowed;
}

beforeEach(() => {
  store = createMemoryStore();
  authorizer = createAuthorizer({ read: store });
});

describe('RBAC', () => {
  it('refuses what nobody granted, in the words of the API', () => {
    const list = refusalOf(() => authorizer.check(asking(alice, 'list', 'secrets', { namespace: 'x' })));
    const scale = refusalOf(() =>
      authorizer.check(
        asking(alice, 'patch', 'deployments', { group: 'apps', subresource: 'scale', namespace: 'x', name: 'd' }),
      ),
    );
    const path = refusalOf(() => authorizer.check(askingPath(alice, 'get', '/metrics')));

    expect(list).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'secrets is forbidden: User "alice" cannot list resource "secrets" in API group "" in the namespace "x"',
      reason: 'Forbidden',
      details: { kind: 'secrets' },
      code: 403,
    });
    expect(scale.message).toBe(
      'deployments.apps "d" is forbidden: User "alice" cannot patch resource "deployments/scale" in API group "apps" in the namespace "x"',
    );
    expect(scale.details).toEqual({ name: 'd', group: 'apps', kind: 'deployments' });
    expect(path.message).toBe('forbidden: User "alice" cannot get path "/metrics"');
    expect(path.details).toEqual({});
  });

  it('names every missing role once in the refusal', () => {
    bind('ClusterRole', 'missing', { kind: 'User', name: 'bob' });
    put(
      'RoleBinding',
      'a',
      { roleRef: { kind: 'Role', name: 'missing' }, subjects: [{ kind: 'User', name: 'bob' }] },
      'x',
    );
    put(
      'RoleBinding',
      'b',
      { roleRef: { kind: 'Role', name: 'missing' }, subjects: [{ kind: 'User', name: 'bob' }] },
      'x',
    );

    const there = refusalOf(() => authorizer.check(asking(bob, 'list', 'secrets', { namespace: 'x' })));
    const everywhere = refusalOf(() => authorizer.check(asking(bob, 'list', 'namespaces')));

    expect(there.message).toBe(
      'secrets is forbidden: User "bob" cannot list resource "secrets" in API group "" in the namespace "x": RBAC: [clusterrole.rbac.authorization.k8s.io "missing" not found, role.rbac.authorization.k8s.io "missing" not found]',
    );
    expect(everywhere.message).toBe(
      'namespaces is forbidden: User "bob" cannot list resource "namespaces" in API group "" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "missing" not found',
    );
  });

  it('allows what a binding grants and says which', () => {
    put('ClusterRole', 'reader', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }] });
    bind('ClusterRole', 'reader', { kind: 'Group', name: 'devs' }, 'x');

    const inside = authorizer.authorize(asking(alice, 'get', 'pods', { namespace: 'x' }));

    expect(inside).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "bind-reader/x" of ClusterRole "reader" to Group "devs"',
    });
    expect(allows(alice, 'get', 'pods', { namespace: 'y' })).toBe(false);
    expect(allows(alice, 'get', 'pods')).toBe(false);
    expect(allows(bob, 'get', 'pods', { namespace: 'x' })).toBe(false);
  });

  it('finds a ServiceAccount in its own namespace and in the binding’s where none is named', () => {
    const account = (namespace: string): User => ({ name: `system:serviceaccount:${namespace}:bot`, groups: [] });
    put('Role', 'r', { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }, 'x');
    bind('Role', 'r', { kind: 'ServiceAccount', name: 'bot' }, 'x');
    put('ClusterRole', 'c', { rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }] });
    bind('ClusterRole', 'c', { kind: 'ServiceAccount', name: 'bot', namespace: 'y' });

    expect(allows(account('x'), 'delete', 'secrets', { namespace: 'x' })).toBe(true);
    expect(allows(account('y'), 'delete', 'secrets', { namespace: 'x' })).toBe(false);
    expect(allows(account('y'), 'get', 'nodes')).toBe(true);
  });

  it('takes subresources, names, groups and paths as the rules write them', () => {
    put('ClusterRole', 'c', {
      rules: [
        { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
        { apiGroups: ['apps'], resources: ['*/scale'], verbs: ['patch'] },
        { apiGroups: [''], resources: ['configmaps'], verbs: ['update'], resourceNames: ['mine'] },
        { nonResourceURLs: ['/logs/*', '/metrics'], verbs: ['get'] },
      ],
    });
    bind('ClusterRole', 'c', { kind: 'User', name: 'alice' });

    expect(allows(alice, 'get', 'pods', { subresource: 'log' })).toBe(true);
    expect(allows(alice, 'get', 'pods')).toBe(false);
    expect(allows(alice, 'patch', 'deployments', { group: 'apps', subresource: 'scale' })).toBe(true);
    expect(allows(alice, 'patch', 'deployments', { group: 'apps', subresource: 'status' })).toBe(false);
    expect(allows(alice, 'update', 'configmaps', { name: 'mine' })).toBe(true);
    expect(allows(alice, 'update', 'configmaps', { name: 'theirs' })).toBe(false);
    expect(allows(alice, 'update', 'configmaps')).toBe(false);
    expect(authorizer.authorize(askingPath(alice, 'get', '/logs/a/b')).allowed).toBe(true);
    expect(authorizer.authorize(askingPath(alice, 'get', '/metrics')).allowed).toBe(true);
    expect(authorizer.authorize(askingPath(alice, 'post', '/metrics')).allowed).toBe(false);
    expect(authorizer.authorize(askingPath(alice, 'get', '/metrics/slis')).allowed).toBe(false);
  });

  it('lets system:masters do everything, and anybody probe', () => {
    expect(allows(admin, 'anything', 'whatever')).toBe(true);
    expect(authorizer.authorize(askingPath(bob, 'get', '/readyz')).allowed).toBe(true);
  });

  it('follows every change of roles and bindings at once', () => {
    put('ClusterRole', 'c', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] });
    const before = allows(alice, 'get', 'pods');
    bind('ClusterRole', 'c', { kind: 'User', name: 'alice' });
    const bound = allows(alice, 'get', 'pods');
    put('ClusterRole', 'c', { rules: null });
    const emptied = allows(alice, 'get', 'pods');
    put('ClusterRole', 'c', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] });
    store.remove(storages['ClusterRoleBinding'] ?? '', '', 'bind-c');

    expect([before, bound, emptied, allows(alice, 'get', 'pods')]).toEqual([false, true, false, false]);
  });

  it('is not led astray by roles that are not roles', () => {
    put('ClusterRole', 'c', { rules: [null, 7, { verbs: 'get', apiGroups: {}, resources: [1] }, { __proto__: null }] });
    put('ClusterRoleBinding', 'b', { roleRef: null, subjects: 'alice' });
    bind('ClusterRole', 'c', { kind: 'User', name: 'alice' });
    bind('Spell', 'constructor', { kind: 'User', name: 'alice' });

    expect(refusalOf(() => authorizer.check(asking(alice, 'get', 'pods'))).message).toContain(
      'unsupported role reference kind: "Spell"',
    );
  });
});

describe('the roles that are there from the start', () => {
  beforeEach(() => {
    for (const object of bootstrapRbac()) store.put(storages[object.kind] ?? '', object);
  });

  it('let anybody with a name discover the API and ask about themselves, and nobody else', () => {
    const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

    expect(authorizer.authorize(askingPath(bob, 'get', '/apis/apps/v1')).allowed).toBe(true);
    expect(authorizer.authorize(askingPath(anonymous, 'get', '/version')).allowed).toBe(true);
    expect(authorizer.authorize(askingPath(anonymous, 'get', '/apis')).allowed).toBe(false);
    expect(allows(bob, 'create', 'selfsubjectaccessreviews', { group: 'authorization.k8s.io' })).toBe(true);
    expect(allows(anonymous, 'create', 'selfsubjectaccessreviews', { group: 'authorization.k8s.io' })).toBe(false);
  });

  it('gather the rules of the roles that are labelled for them, through one another', () => {
    bind('ClusterRole', 'admin', { kind: 'User', name: 'alice' }, 'x');
    bind('ClusterRole', 'view', { kind: 'User', name: 'bob' }, 'x');
    const there = { namespace: 'x' };

    expect(allows(alice, 'create', 'rolebindings', { ...there, group: 'rbac.authorization.k8s.io' })).toBe(true);
    expect(allows(alice, 'create', 'secrets', there)).toBe(true);
    expect(allows(alice, 'list', 'pods', there)).toBe(true);
    expect(allows(bob, 'list', 'pods', there)).toBe(true);
    expect(allows(bob, 'list', 'secrets', there)).toBe(false);
    expect(allows(bob, 'create', 'pods', there)).toBe(false);
  });

  it('take in a role of our own by its label, and end where roles select each other', () => {
    const label = (to: string) => ({ [`rbac.authorization.k8s.io/aggregate-to-${to}`]: 'true' });
    const labels = { ...label('view'), ...label('loop') };
    const selector = { clusterRoleSelectors: [{ matchLabels: label('loop') }] };
    store.put(storages['ClusterRole'] ?? '', {
      ...rbac('ClusterRole', 'apps', { rules: [{ apiGroups: ['appstudio'], resources: ['*'], verbs: ['get'] }] }),
      metadata: { name: 'apps', labels },
    });
    for (const name of ['loop-a', 'loop-b']) {
      store.put(storages['ClusterRole'] ?? '', {
        ...rbac('ClusterRole', name, { aggregationRule: selector }),
        metadata: { name, labels: label('loop') },
      });
    }
    bind('ClusterRole', 'view', { kind: 'User', name: 'bob' });
    bind('ClusterRole', 'loop-a', { kind: 'User', name: 'alice' });

    expect(allows(bob, 'get', 'applications', { group: 'appstudio' })).toBe(true);
    expect(allows(alice, 'get', 'applications', { group: 'appstudio' })).toBe(true);
  });
});
