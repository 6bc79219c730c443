/**
 * Reads from a real kube-apiserver what the embedded one must know of the built-in kinds, and writes it to
 * infra/embedded/kubernetes/kinds: `node scripts/generate/core-schemas.ts <url> <token>`, then `npm run fix` to lay it
 * out. Descriptions are left out. The certificate of a throw-away server is its own: run with
 * NODE_TLS_REJECT_UNAUTHORIZED=0.
 */
import { writeFileSync } from 'node:fs';

type Json = Readonly<Record<string, unknown>>;
type Definitions = Readonly<Record<string, Json>>;

/** Every kind by its group and version, as in `apps/v1`. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  v1: [
    ...['Namespace', 'ConfigMap', 'Secret', 'ServiceAccount', 'Service', 'Event', 'ResourceQuota', 'LimitRange', 'Pod'],
    ...['PersistentVolumeClaim', 'Node'],
  ],
  'apps/v1': ['Deployment', 'ReplicaSet', 'StatefulSet'],
  'batch/v1': ['Job', 'CronJob'],
  'networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'policy/v1': ['PodDisruptionBudget'],
  'coordination.k8s.io/v1': ['Lease'],
  'rbac.authorization.k8s.io/v1': ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
  'admissionregistration.k8s.io/v1': ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  'apiextensions.k8s.io/v1': ['CustomResourceDefinition'],
  'authentication.k8s.io/v1': ['TokenReview', 'SelfSubjectReview'],
  'authorization.k8s.io/v1': [
    ...['SubjectAccessReview', 'SelfSubjectAccessReview', 'LocalSubjectAccessReview', 'SelfSubjectRulesReview'],
  ],
};

/** Kinds that no resource has: they are bodies of requests to others. */
const bodies: Readonly<Record<string, readonly [document: string, definition: string]>> = {
  'v1/DeleteOptions': ['v1', 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'],
  'autoscaling/v1/Scale': ['apps/v1', 'io.k8s.api.autoscaling.v1.Scale'],
  'authentication.k8s.io/v1/TokenRequest': ['v1', 'io.k8s.api.authentication.v1.TokenRequest'],
};

const keptExtensions = new Set([
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
]);

const [url, token] = process.argv.slice(2);
if (url === undefined || token === undefined) throw new Error('Give the address of a kube-apiserver and a token.');

async function read(path: string): Promise<Json> {
  const answer = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(30_000),
  });
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}. Is the token an administrator's?`);
  return (await answer.json()) as Json;
}

function pathOf(version: string): string {
  return version.includes('/') ? `/apis/${version}` : `/api/${version}`;
}

/** `io.k8s.api.apps.v1.DeploymentSpec` is `apps.v1.DeploymentSpec`. */
function shortName(name: string): string {
  const parts = name.split('.');
  return parts.slice(/^v\d/.test(parts.at(-2) ?? '') ? -3 : -2).join('.');
}

/** A schema, a list of schemas or one schema without types: in a definition of a custom resource the first is meant. */
const sameAs: Readonly<Record<string, string>> = {
  'apiextensions.v1.JSONSchemaPropsOrArray': 'apiextensions.v1.JSONSchemaProps',
  'apiextensions.v1.JSONSchemaPropsOrBool': 'apiextensions.v1.JSONSchemaProps',
};

const definitions: Record<string, Json> = {};

function include(name: string, all: Definitions): string {
  const short = sameAs[shortName(name)] ?? shortName(name);
  if (definitions[short] === undefined) {
    definitions[short] = {};
    const long = sameAs[shortName(name)] === undefined ? name : name.replace(/Or(Array|Bool)$/, '');
    definitions[short] = reduced(all[long] ?? {}, all, short);
  }
  return short;
}

function reduced(schema: Json, all: Definitions, name = ''): Json {
  const { allOf, oneOf } = schema as { allOf?: readonly Json[]; oneOf?: readonly Json[] };
  const [only] = allOf ?? [];
  const reference = (schema['$ref'] ?? only?.['$ref']) as string | undefined;
  if (reference !== undefined) {
    const target = include(reference.replace('#/components/schemas/', ''), all);
    return { $ref: target, ...extras(schema) };
  }
  if (schema['format'] === 'int-or-string' || name === 'intstr.IntOrString') {
    return { 'x-kubernetes-int-or-string': true };
  }
  if (oneOf !== undefined) return {};
  const { type, format, properties, additionalProperties, items, required } = schema;
  const isOpaque = (type === undefined || type === 'object') && !properties && !additionalProperties;
  return {
    ...(type === undefined ? {} : { type }),
    ...(format === undefined ? {} : { format }),
    ...extras(schema),
    ...(isOpaque ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
    ...(required === undefined ? {} : { required }),
    ...(properties === undefined
      ? {}
      : { properties: mapped(properties as Definitions, (each) => reduced(each, all)) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: reduced(additionalProperties as Json, all) }),
    ...(items === undefined ? {} : { items: reduced(items as Json, all) }),
  };
}

function extras(schema: Json): Json {
  const kept = Object.entries(schema).filter(([key]) => key === 'default' || key === 'enum' || keptExtensions.has(key));
  return Object.fromEntries(kept);
}

function mapped(record: Definitions, change: (value: Json) => Json): Json {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

interface Resource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

async function discover(groupVersion: string, kinds: readonly string[]): Promise<Json[]> {
  const { resources } = (await read(pathOf(groupVersion))) as unknown as { resources: readonly Resource[] };
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  return kinds.map((kind) => {
    const found = resources.find((each) => each.kind === kind && !each.name.includes('/'));
    if (found === undefined) throw new Error(`${groupVersion} has no ${kind}. Is it the version that we promise?`);
    const subresources = resources
      .filter(({ name }) => name.startsWith(`${found.name}/`))
      .map((each) => ({
        name: each.name.slice(found.name.length + 1),
        kind: each.kind,
        ...(each.group === undefined ? {} : { group: each.group }),
        ...(each.version === undefined ? {} : { version: each.version }),
        verbs: each.verbs,
      }));
    const { name: plural, singularName: singular, namespaced, shortNames = [], categories = [], verbs } = found;
    return { group, version, kind, plural, singular, namespaced, shortNames, categories, verbs, subresources };
  });
}

interface Document {
  readonly components: { readonly schemas: Definitions };
}

const documents = new Map<string, Definitions>();
const kinds: Record<string, string> = {};
const discovered: Json[] = [];
for (const [groupVersion, names] of Object.entries(wanted)) {
  const document = (await read(`/openapi/v3${pathOf(groupVersion)}`)) as unknown as Document;
  const all = document.components.schemas;
  documents.set(groupVersion, all);
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  for (const kind of names) {
    const name = Object.keys(all).find((each) => isKind(all[each] ?? {}, group, version, kind));
    if (name === undefined) throw new Error(`The OpenAPI document of ${groupVersion} has no ${kind}.`);
    kinds[`${groupVersion}/${kind}`] = include(name, all);
  }
  discovered.push(...(await discover(groupVersion, names)));
}
for (const [kind, [document, definition]] of Object.entries(bodies)) {
  kinds[kind] = include(definition, documents.get(document) ?? {});
}

function isKind(definition: Json, group: string, version: string, kind: string): boolean {
  const claims = (definition['x-kubernetes-group-version-kind'] ?? []) as readonly Json[];
  return claims.some((claim) => claim['group'] === group && claim['version'] === version && claim['kind'] === kind);
}

const folder = new URL('../../infra/embedded/kubernetes/kinds/', import.meta.url);
const sortedDefinitions = Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1)));
write('core-schemas.json', { kinds, definitions: sortedDefinitions });
write('core-discovery.json', { kinds: discovered });

function write(name: string, content: Json): void {
  writeFileSync(new URL(name, folder), `${JSON.stringify(content, null, 2)}\n`);
}
