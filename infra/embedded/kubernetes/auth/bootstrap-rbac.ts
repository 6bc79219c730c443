import type { ApiObject } from '../api-object.ts';
import { bootstrapRules } from './bootstrap-rules.ts';
import { rbacGroup } from './rbac-index.ts';

/** Roles that take their rules from others, by a label that names them. */
const aggregated = ['admin', 'edit', 'view'];

/** Whom a role flows into. */
const flowsInto: Readonly<Record<string, string>> = {
  edit: 'admin',
  view: 'edit',
  'system:aggregate-to-admin': 'admin',
  'system:aggregate-to-edit': 'edit',
  'system:aggregate-to-view': 'view',
};

const bound: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['system:masters'],
  'system:basic-user': ['system:authenticated'],
  'system:discovery': ['system:authenticated'],
  'system:public-info-viewer': ['system:authenticated', 'system:unauthenticated'],
  'system:service-account-issuer-discovery': ['system:serviceaccounts'],
};

function object(kind: string, name: string, more: Record<string, unknown>): ApiObject {
  const flow = flowsInto[name];
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind,
    metadata: {
      name,
      labels: {
        'kubernetes.io/bootstrapping': 'rbac-defaults',
        ...(flow === undefined || kind !== 'ClusterRole'
          ? {}
          : { [`rbac.authorization.k8s.io/aggregate-to-${flow}`]: 'true' }),
      },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    },
    ...more,
  };
}

/**
 * The roles and bindings that are there before anybody makes one: those that people and tools lean on. The many roles of
 * controllers that do not run here are left out.
 */
export function bootstrapRbac(): ApiObject[] {
  const plain = Object.entries(bootstrapRules).map(([name, own]) => object('ClusterRole', name, { rules: own }));
  const gathering = aggregated.map((name) =>
    object('ClusterRole', name, {
      aggregationRule: {
        clusterRoleSelectors: [{ matchLabels: { [`rbac.authorization.k8s.io/aggregate-to-${name}`]: 'true' } }],
      },
      rules: null,
    }),
  );
  const bindings = Object.entries(bound).map(([name, groups]) =>
    object('ClusterRoleBinding', name, {
      roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name },
      subjects: groups.map((group) => ({ apiGroup: rbacGroup, kind: 'Group', name: group })),
    }),
  );
  return structuredClone([...plain, ...gathering, ...bindings]);
}
