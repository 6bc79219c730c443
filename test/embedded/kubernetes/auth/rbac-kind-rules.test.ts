import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import { rbacKindRules } from '../../../../infra/embedded/kubernetes/auth/rbac-kind-rules.ts';
import { rbac } from './asking.ts';

type Kind = keyof typeof rbacKindRules;

function problems(kind: Kind, object: ApiObject, old?: ApiObject): string[] {
  const copy = structuredClone(object);
  rbacKindRules[kind].setDefaults?.(copy);
  return (rbacKindRules[kind].validate?.(copy, old) ?? []).map(({ field, message }) => `${field}: ${message}`);
}

describe('roles', () => {
  it('need verbs, groups and resources', () => {
    expect(problems('Role', rbac('Role', 'v1', { rules: [{}] }, 'x'))).toEqual([
      'rules[0].verbs: Required value: verbs must contain at least one value',
      'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
      'rules[0].resources: Required value: resource rules must supply at least one resource',
    ]);
  });

  it('of a namespace have no paths, and no rule has both', () => {
    const rules = [{ nonResourceURLs: ['/a'], verbs: ['get'], resources: ['x'] }];

    expect(problems('Role', rbac('Role', 'v2', { rules }, 'x'))).toEqual([
      'rules[0].nonResourceURLs: Invalid value: ["/a"]: namespaced rules cannot apply to non-resource URLs',
      'rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs',
    ]);
    expect(problems('ClusterRole', rbac('ClusterRole', 'v3', { rules }))).toHaveLength(1);
  });

  it('check their selectors', () => {
    const selectors = [
      { matchLabels: { 'a b': 'c d' } },
      {
        matchExpressions: [
          { key: 'x', operator: 'Nope' },
          { key: 'x', operator: 'In' },
        ],
      },
    ];
    const found = problems(
      'ClusterRole',
      rbac('ClusterRole', 'v5', { aggregationRule: { clusterRoleSelectors: selectors } }),
    );

    expect(found.map((each) => each.slice(0, 95))).toEqual([
      'aggregationRule.clusterRoleSelectors[0].matchLabels: Invalid value: "a b": name part must consi',
      'aggregationRule.clusterRoleSelectors[0].matchLabels: Invalid value: "c d": a valid label must b',
      'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.',
      'aggregationRule.clusterRoleSelectors[1].matchExpressions[0].operator: Invalid value: "Nope": no',
      'aggregationRule.clusterRoleSelectors[1].matchExpressions[1].values: Required value: must be spe',
      'aggregationRule.clusterRoleSelectors[1]: Invalid value: null: invalid label selector.',
    ]);
    expect(problems('ClusterRole', rbac('ClusterRole', 'v4', { aggregationRule: {} }))).toEqual([
      'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    ]);
  });
});

describe('bindings', () => {
  it('say everything that is wrong at once', () => {
    const binding = rbac(
      'RoleBinding',
      'v7',
      {
        roleRef: { apiGroup: 'foo', kind: 'Bar', name: 'a/b' },
        subjects: [
          { kind: 'User' },
          { kind: 'ServiceAccount', name: 'A b', apiGroup: 'foo' },
          { kind: 'Nope', name: 'x' },
          { kind: 'Group', apiGroup: 'z', name: 'g' },
        ],
      },
      'x',
    );

    expect(problems('RoleBinding', binding).map((each) => each.slice(0, 90))).toEqual([
      'roleRef.apiGroup: Unsupported value: "foo": supported values: "rbac.authorization.k8s.io"',
      'roleRef.kind: Unsupported value: "Bar": supported values: "Role", "ClusterRole"',
      `roleRef.name: Invalid value: "a/b": may not contain '/'`,
      'subjects[0].name: Required value',
      'subjects[1].name: Invalid value: "A b": a lowercase RFC 1123 subdomain must consist of low',
      'subjects[1].apiGroup: Unsupported value: "foo": supported values: ""',
      'subjects[2].kind: Unsupported value: "Nope": supported values: "ServiceAccount", "User", "',
      'subjects[3].apiGroup: Unsupported value: "z": supported values: "rbac.authorization.k8s.io',
    ]);
  });

  it('of the cluster bind ClusterRoles, and name the namespace of an account', () => {
    const binding = rbac('ClusterRoleBinding', 'v8', {
      roleRef: { kind: 'Role', name: 'x' },
      subjects: [{ kind: 'ServiceAccount', name: 'a' }, {}],
    });

    expect(problems('ClusterRoleBinding', binding)).toEqual([
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
      'subjects[0].namespace: Required value',
      'subjects[1].name: Required value',
      'subjects[1].kind: Unsupported value: "": supported values: "ServiceAccount", "User", "Group"',
    ]);
  });

  it('keep their role for ever', () => {
    const before = rbac('RoleBinding', 'b', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'a' },
    });
    const after = rbac('RoleBinding', 'b', { roleRef: { kind: 'ClusterRole', name: 'imp' } });

    expect(problems('RoleBinding', after, before)).toEqual([
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"imp"}: cannot change roleRef',
    ]);
    expect(problems('RoleBinding', { ...before, subjects: [] }, before)).toEqual([]);
  });

  it('fill in the group of roles, users and groups, and not of accounts', () => {
    const binding = rbac('RoleBinding', 'b', {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 's' },
      ],
    });

    rbacKindRules.RoleBinding.setDefaults?.(binding);

    expect(binding['roleRef']).toEqual({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' });
    expect(binding['subjects']).toEqual([
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'u' },
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'g' },
      { kind: 'ServiceAccount', name: 's' },
    ]);
  });
});
