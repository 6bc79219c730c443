import type { Fields } from '../kube-object.ts';

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const whole = { type: 'integer', format: 'int64' } as const;

function object(properties: Fields, required: readonly string[] = []): Fields {
  return { ...open, properties, ...(required.length > 0 && { required }) };
}

function listOf(items: Fields): Fields {
  return { type: 'array', items };
}

const labels = { type: 'object', additionalProperties: text };
const source = object({ repoURL: text, path: text, targetRevision: text, chart: text }, ['repoURL']);
const destination = object({ server: text, name: text, namespace: text });
const retry = object({
  limit: whole,
  refresh: flag,
  backoff: object({ duration: text, factor: whole, maxDuration: text }),
});
const resource = object({ group: text, kind: text, name: text, namespace: text }, ['kind', 'name']);
const operation = object({
  sync: object({
    revision: text,
    prune: flag,
    dryRun: flag,
    source,
    syncOptions: listOf(text),
    resources: listOf(resource),
    autoHealAttemptsCount: whole,
  }),
  initiatedBy: object({ username: text, automated: flag }),
  retry,
});
const applicationSpec = object(
  {
    project: text,
    source,
    sources: listOf(source),
    destination,
    revisionHistoryLimit: whole,
    syncPolicy: object({
      automated: object({ prune: flag, selfHeal: flag, allowEmpty: flag, enabled: flag }),
      syncOptions: listOf(text),
      retry,
      managedNamespaceMetadata: object({ labels, annotations: labels }),
    }),
    ignoreDifferences: listOf(
      object({ group: text, kind: text, name: text, namespace: text, jsonPointers: listOf(text) }, ['kind']),
    ),
  },
  ['destination', 'project'],
);
const groupKinds = listOf(object({ group: text, kind: text, name: text }, ['group', 'kind']));
const projectSpec = object({
  description: text,
  sourceRepos: listOf(text),
  destinations: listOf(destination),
  clusterResourceWhitelist: groupKinds,
  clusterResourceBlacklist: groupKinds,
  namespaceResourceWhitelist: groupKinds,
  namespaceResourceBlacklist: groupKinds,
  permitOnlyProjectScopedClusters: flag,
});

function definition(kind: string, plural: string, shortNames: readonly string[], version: Fields): Fields {
  const name = `${plural}.argoproj.io`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name,
      labels: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'argocd' },
      annotations: { 'stagecoach.dev/stand-in': 'argo-cd' },
    },
    spec: {
      group: 'argoproj.io',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), shortNames },
      scope: 'Namespaced',
      versions: [{ name: 'v1alpha1', served: true, storage: true, ...version }],
    },
  };
}

function schema(properties: Fields, required: readonly string[]): Fields {
  return {
    schema: {
      openAPIV3Schema: {
        type: 'object',
        required,
        properties: { apiVersion: text, kind: text, metadata: { type: 'object' }, ...properties },
      },
    },
  };
}

/**
 * The kinds of Argo CD, as far as the stand-in reads them: what it reads has a type, what it does not read is kept as it is.
 * As in Argo CD, an Application has no status subresource.
 */
export const argoDefinitions: readonly Fields[] = [
  definition('Application', 'applications', ['app', 'apps'], {
    ...schema({ spec: applicationSpec, operation, status: open }, ['metadata', 'spec']),
    additionalPrinterColumns: [
      { name: 'Sync Status', type: 'string', jsonPath: '.status.sync.status' },
      { name: 'Health Status', type: 'string', jsonPath: '.status.health.status' },
      { name: 'Revision', type: 'string', jsonPath: '.status.sync.revision', priority: 10 },
      { name: 'Project', type: 'string', jsonPath: '.spec.project', priority: 10 },
    ],
  }),
  definition('AppProject', 'appprojects', ['appproj', 'appprojs'], {
    ...schema({ spec: projectSpec, status: open }, ['metadata', 'spec']),
  }),
];
