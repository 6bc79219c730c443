type Json = Readonly<Record<string, unknown>>;

interface Body {
  readonly path: string;
  readonly kind: string;
  readonly object: Json;
}

function body(kind: string, plural: string, fields: Json, metadata: unknown = { name: 'x' }): Body {
  const parts = kind.split('/');
  const apiVersion = parts.slice(0, -1).join('/');
  return {
    kind,
    path: `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}/namespaces/default/${plural}?dryRun=All`,
    object: { apiVersion, kind: parts.at(-1), metadata, ...fields },
  };
}

const deployment = (spec: unknown, metadata?: unknown) => body('apps/v1/Deployment', 'deployments', { spec }, metadata);
const container = (fields: Json) => deployment({ template: { spec: { containers: [{ name: 'a', ...fields }] } } });
const metadata = (fields: Json) => deployment({}, { name: 'x', ...fields });
const configMap = (fields: Json) => body('v1/ConfigMap', 'configmaps', fields);
const secret = (fields: Json) => body('v1/Secret', 'secrets', fields);
const lease = (spec: Json) => body('coordination.k8s.io/v1/Lease', 'leases', { spec });
const role = (rules: unknown) => body('rbac.authorization.k8s.io/v1/Role', 'roles', { rules });

/** Bodies of built-in kinds that cannot be read, and some that can. */
export const decoding: readonly Body[] = [
  ...['x', 1.5, 3e9, true, [], {}].map((replicas) => deployment({ replicas })),
  ...['x', [], 3].map((spec) => deployment(spec)),
  ...[deployment({ paused: 'x' }), deployment({ template: 1 }), deployment({ selector: { matchLabels: { a: 1 } } })],
  ...[{}, 'x'].map((containers) => deployment({ template: { spec: { containers } } })),
  ...[{ image: 1 }, { args: 'x' }, { args: [1] }, { ports: [{ containerPort: 'http' }] }, { imagePullPolicy: 3 }].map(
    container,
  ),
  ...[{ env: [{ name: 'a', value: 1 }] }, { resources: { limits: 'x' } }].map(container),
  ...['abc', true, {}].map((cpu) => container({ resources: { limits: { cpu } } })),
  ...[{ labels: { a: 1 } }, { labels: 'x' }, { labels: [] }, { name: 3 }, { finalizers: 'x' }, { generation: 'x' }].map(
    metadata,
  ),
  ...[{ ownerReferences: [{ controller: 'x' }] }, { generation: 'x', creationTimestamp: 'y' }, { uid: 3 }].map(
    metadata,
  ),
  deployment({}, 'x'),
  ...['x', 3, '', '2020-01-01', '2020-13-01T00:00:00Z', '2020-02-30T00:00:00Z', '2020-01-01T25:00:00Z'].map(
    (creationTimestamp) => metadata({ creationTimestamp }),
  ),
  ...['2020-01-01T00:00:00', '2020-01-01T00:00:00Zx'].map((creationTimestamp) => metadata({ creationTimestamp })),
  ...['***', 1, 'aGk', 'aGk=', 'aG==', 'aGkx*', 'a=b=', 'aGk=\n', 'aGkxaGk', ''].map((a) => secret({ data: { a } })),
  ...[secret({ stringData: { a: 1 } }), secret({ type: 3 })],
  ...[{ data: { a: 1 } }, { data: 'x' }, { data: { a: null } }, { immutable: 'x' }, { binaryData: { a: '!' } }].map(
    configMap,
  ),
  ...[lease({ renewTime: 'x' }), lease({ leaseDurationSeconds: 'x' }), role({ verbs: [] }), role([{ verbs: 'get' }])],
  body('v1/Service', 'services', { spec: { ports: [{ port: '80' }] } }),
];
