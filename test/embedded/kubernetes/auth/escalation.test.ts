import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import { type Authorizer, createAuthorizer } from '../../../../infra/embedded/kubernetes/auth/authorize.ts';
import { bootstrapRbac } from '../../../../infra/embedded/kubernetes/auth/bootstrap-rbac.ts';
import { checkEscalation } from '../../../../infra/embedded/kubernetes/auth/check-escalation.ts';
import type { User } from '../../../../infra/embedded/kubernetes/user.ts';
import { admin, alice, asking, rbac, refusalOf } from './asking.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';

const group = 'rbac.authorization.k8s.io';

let store: MemoryStore;
let authorizer: Authorizer;

function write(user: User, object: ApiObject, old?: ApiObject): void {
  const namespace = object.metadata.namespace ?? '';
  const resource = `${object.kind.toLowerCase()}s`;
  const name = old === undefined ? '' : (object.metadata.name ?? '');
  checkEscalation(authorizer, asking(user, 'create', resource, { group, namespace, name }), object, old);
}

function give(...rules: Record<string, unknown>[]): void {
  store.put(`clusterroles.${group}`, rbac('ClusterRole', 'mine', { rules }));
  const binding = { roleRef: { kind: 'ClusterRole', name: 'mine' }, subjects: [{ kind: 'User', name: 'alice' }] };
  store.put(`clusterrolebindings.${group}`, rbac('ClusterRoleBinding', 'mine', binding));
}

beforeEach(() => {
  store = createMemoryStore();
  authorizer = createAuthorizer({ read: store });
  for (const object of bootstrapRbac()) store.put(`${object.kind.toLowerCase()}s.${group}`, object);
  give(
    { apiGroups: [group], resources: ['*'], verbs: ['create', 'update', 'patch', 'get', 'delete'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
    { nonResourceURLs: ['/foo/*'], verbs: ['get'] },
  );
});

describe('handing out rights', () => {
  it('is refused where one does not have them, with the list of what is missing', () => {
    const role = rbac(
      'Role',
      'esc',
      {
        rules: [
          { apiGroups: [''], resources: ['secrets', 'pods', 'configmaps'], verbs: ['get', 'list', 'watch'] },
          { apiGroups: ['apps'], resources: ['deployments'], verbs: ['*'], resourceNames: ['a', 'b'] },
        ],
      },
      'x',
    );

    const refusal = refusalOf(() => write(alice, role));

    expect(refusal.message).toBe(
      [
        'roles.rbac.authorization.k8s.io "esc" is forbidden: user "alice" (groups=["devs" "ops" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:',
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["get" "list" "watch"]}',
        '{APIGroups:[""], Resources:["pods"], Verbs:["watch"]}',
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list" "watch"]}',
        '{APIGroups:["apps"], Resources:["deployments"], ResourceNames:["a"], Verbs:["*"]}',
        '{APIGroups:["apps"], Resources:["deployments"], ResourceNames:["b"], Verbs:["*"]}',
      ].join('\n'),
    );
    expect(refusal.details).toEqual({ name: 'esc', group, kind: 'roles' });
  });

  it('names paths one by one', () => {
    const role = rbac('ClusterRole', 'esc', {
      rules: [{ nonResourceURLs: ['/bar', '/foo/x'], verbs: ['get', 'post'] }],
    });

    expect(
      refusalOf(() => write(alice, role))
        .message?.split('\n')
        .slice(1),
    ).toEqual([
      '{NonResourceURLs:["/bar"], Verbs:["get"]}',
      '{NonResourceURLs:["/bar"], Verbs:["post"]}',
      '{NonResourceURLs:["/foo/x"], Verbs:["post"]}',
    ]);
  });

  it('is allowed to those who have them, to masters, and to whoever may escalate', () => {
    const modest = rbac('ClusterRole', 'ok', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] });
    const bold = rbac('ClusterRole', 'all', { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] });

    write(alice, modest);
    write(admin, bold);
    expect(refusalOf(() => write(alice, bold)).code).toBe(403);
    give({ apiGroups: [group], resources: ['clusterroles'], verbs: ['create', 'escalate'] });
    write(alice, bold);
  });

  it('through a binding needs the rights of the role, or the right to bind it', () => {
    const binding = (role: string) =>
      rbac('ClusterRoleBinding', 'esc', { roleRef: { kind: 'ClusterRole', name: role }, subjects: [] });

    expect(refusalOf(() => write(alice, binding('cluster-admin'))).message).toBe(
      [
        'clusterrolebindings.rbac.authorization.k8s.io "esc" is forbidden: user "alice" (groups=["devs" "ops" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:',
        '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
        '{NonResourceURLs:["*"], Verbs:["*"]}',
      ].join('\n'),
    );
    write(alice, binding('mine'));
    give({ apiGroups: [group], resources: ['clusterroles'], verbs: ['bind'], resourceNames: ['cluster-admin'] });
    write(alice, binding('cluster-admin'));
    expect(refusalOf(() => write(alice, binding('edit'))).code).toBe(403);
  });

  it('through a binding to a role that is not there answers as the API does', () => {
    const toRole = rbac('RoleBinding', 'b', { roleRef: { kind: 'Role', name: 'nothere' } }, 'x');
    const toFoo = rbac('RoleBinding', 'b', { roleRef: { kind: 'Foo', name: 'nothere' } }, 'x');

    expect(refusalOf(() => write(alice, toRole))).toMatchObject({
      message: 'rolebindings.rbac.authorization.k8s.io "nothere" not found',
      details: { name: 'nothere', group, kind: 'rolebindings' },
      code: 404,
    });
    expect(refusalOf(() => write(alice, toFoo))).toMatchObject({
      message: 'unsupported role reference kind: "Foo"',
      code: 500,
    });
  });

  it('through aggregation is for those who have everything', () => {
    const role = rbac('ClusterRole', 'agg', {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    });

    expect(refusalOf(() => write(alice, role)).message).toBe(
      'clusterroles.rbac.authorization.k8s.io "agg" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    );
  });

  it('says which roles could not be looked up', () => {
    const binding = { roleRef: { kind: 'ClusterRole', name: 'gone' }, subjects: [{ kind: 'User', name: 'alice' }] };
    store.put(`clusterrolebindings.${group}`, rbac('ClusterRoleBinding', 'gone', binding));
    const role = rbac('ClusterRole', 'r', { rules: [{ apiGroups: [''], resources: ['x'], verbs: ['get'] }] });

    expect(refusalOf(() => write(alice, role)).message).toMatch(
      /; resolution errors: \[clusterrole\.rbac\.authorization\.k8s\.io "gone" not found\]$/,
    );
  });

  it('is not what somebody does who only takes a finalizer away', () => {
    const old = rbac('ClusterRole', 'r', { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] });
    const held = { ...old, metadata: { ...old.metadata, finalizers: ['a/b'] } };

    write(alice, old, held);
    expect(refusalOf(() => write(alice, { ...old, metadata: { name: 'r', labels: { a: 'b' } } }, held)).code).toBe(403);
  });
});
