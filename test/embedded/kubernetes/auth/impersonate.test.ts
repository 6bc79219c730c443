import { beforeEach, describe, expect, it } from 'vitest';
import { createAuthorizer } from '../../../../infra/embedded/kubernetes/auth/authorize.ts';
import { createImpersonator, type Impersonator } from '../../../../infra/embedded/kubernetes/auth/impersonate.ts';
import type { User } from '../../../../infra/embedded/kubernetes/user.ts';
import { admin, alice, asking, rbac, refusalOf } from './asking.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';

let store: MemoryStore;
let impersonator: Impersonator;

function as(user: User, headers: Record<string, string[]>): User | undefined {
  return impersonator.impersonate(asking(user, 'list', 'namespaces'), headers)?.user;
}

function grant(rules: readonly Record<string, unknown>[]): void {
  store.put('clusterroles.rbac.authorization.k8s.io', rbac('ClusterRole', 'imp', { rules }));
  const binding = { roleRef: { kind: 'ClusterRole', name: 'imp' }, subjects: [{ kind: 'User', name: 'alice' }] };
  store.put('clusterrolebindings.rbac.authorization.k8s.io', rbac('ClusterRoleBinding', 'imp', binding));
}

beforeEach(() => {
  store = createMemoryStore();
  impersonator = createImpersonator(createAuthorizer({ read: store }));
});

describe('impersonation', () => {
  it('does nothing without headers', () => {
    expect(as(alice, { accept: ['*/*'] })).toBeUndefined();
  });

  it('takes user, groups, uid and extras from the headers', () => {
    expect(as(admin, { 'impersonate-user': ['carl'] })).toEqual({ name: 'carl', groups: ['system:authenticated'] });
    expect(
      as(admin, {
        'impersonate-user': ['carl'],
        'impersonate-uid': ['77'],
        'impersonate-group': ['g1', 'g2'],
        'impersonate-extra-scopes': ['a', 'b'],
        'impersonate-extra-acme.com%2fproject': ['p'],
        'impersonate-extra-a%zz': ['odd'],
      }),
    ).toEqual({
      name: 'carl',
      uid: '77',
      groups: ['g1', 'g2', 'system:authenticated'],
      extra: { 'a%zz': ['odd'], 'acme.com/project': ['p'], scopes: ['a', 'b'] },
    });
  });

  it('knows the groups of ServiceAccounts, of anonymous, and of those who name theirs', () => {
    const groupsOf = (name: string, groups: string[] = []) =>
      as(admin, { 'impersonate-user': [name], 'impersonate-group': groups })?.groups;

    expect(groupsOf('system:serviceaccount:ns1:acct')).toEqual([
      'system:serviceaccounts',
      'system:serviceaccounts:ns1',
      'system:authenticated',
    ]);
    expect(groupsOf('system:serviceaccount:ns1:acct', ['g1'])).toEqual(['g1', 'system:authenticated']);
    expect(groupsOf('system:serviceaccount:ns1')).toEqual(['system:authenticated']);
    expect(groupsOf('system:anonymous')).toEqual(['system:unauthenticated']);
    expect(groupsOf('carl', ['system:unauthenticated'])).toEqual(['system:unauthenticated']);
    expect(groupsOf('carl', ['system:authenticated', 'z'])).toEqual(['system:authenticated', 'z']);
  });

  it('refuses to act as nobody in particular', () => {
    const group = refusalOf(() => as(admin, { 'impersonate-group': ['g1'] }));
    const extra = refusalOf(() => as(admin, { 'impersonate-extra-a': ['g1'] }));

    expect(group.message).toBe(
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g1"}, Extra:map[string][]string(nil)} without impersonating a user name',
    );
    expect(extra.message).toBe(
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string(nil), Extra:map[string][]string{"a":[]string{"g1"}}} without impersonating a user name',
    );
    expect(group.code).toBe(400);
  });

  it('refuses who may not, naming the narrow right first', () => {
    const user = refusalOf(() => as(alice, { 'impersonate-user': ['carl'] }));
    const account = refusalOf(() => as(alice, { 'impersonate-user': ['system:serviceaccount:ns1:acct'] }));

    expect(user.message).toBe(
      'namespaces is forbidden: User "alice" cannot impersonate-on:user-info:list resource "namespaces" in API group "" at the cluster scope',
    );
    expect(account.message).toBe(
      'namespaces is forbidden: User "alice" cannot impersonate-on:serviceaccount:list resource "namespaces" in API group "" at the cluster scope',
    );
  });

  it('checks every part once the plain right has been used', () => {
    grant([{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'] }]);
    expect(as(alice, { 'impersonate-user': ['carl'] })?.name).toBe('carl');

    const refused = (more: Record<string, string[]>) =>
      refusalOf(() => as(alice, { 'impersonate-user': ['carl'], ...more })).message;

    expect(refused({ 'impersonate-group': ['g1'] })).toBe(
      'groups "g1" is forbidden: User "alice" cannot impersonate resource "groups" in API group "" at the cluster scope',
    );
    expect(refused({ 'impersonate-uid': ['g1'] })).toBe(
      'uids.authentication.k8s.io "g1" is forbidden: User "alice" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
    );
    expect(refused({ 'impersonate-extra-acme.com%2fproject': ['p'] })).toBe(
      'userextras.authentication.k8s.io "p" is forbidden: User "alice" cannot impersonate resource "userextras/acme.com/project" in API group "authentication.k8s.io" at the cluster scope',
    );
  });

  it('allows by the narrow right for just this request, but never system:masters', () => {
    grant([
      { apiGroups: ['authentication.k8s.io'], resources: ['users', 'groups'], verbs: ['impersonate:user-info'] },
      { apiGroups: [''], resources: ['namespaces'], verbs: ['impersonate-on:user-info:list'] },
    ]);
    const others = asking(alice, 'list', 'secrets');

    expect(impersonator.impersonate(asking(alice, 'list', 'namespaces'), { 'impersonate-user': ['carl'] })).toEqual({
      user: { name: 'carl', groups: ['system:authenticated'] },
      constraint: 'impersonate:user-info',
    });
    expect(refusalOf(() => impersonator.impersonate(others, { 'impersonate-user': ['carl'] })).code).toBe(403);
    expect(
      refusalOf(() => as(alice, { 'impersonate-user': ['carl'], 'impersonate-group': ['system:masters'] })).code,
    ).toBe(403);
  });
});
