import { readFileSync } from 'node:fs';
import { webhookKindRules } from '../admission/webhook-kind-rules.ts';
import type { ApiObject } from '../api-object.ts';
import { rbacKindRules } from '../auth/rbac-kind-rules.ts';
import { crdRules } from './crd-rules.ts';
import { loadCoreSchemas } from './load-core-schemas.ts';
import { coreRules } from './rules/core-rules.ts';
import { apiVersionOf, type KindRules, type ServedKind, storageOf, type Verb } from './served-kind.ts';

interface DiscoveredKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  readonly subresources: readonly { readonly name: string }[];
}

/** Kinds whose metadata.generation counts what a user wished for. */
const counted = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'Pod',
  'Ingress',
  'NetworkPolicy',
  'Job',
  'CronJob',
  'PodDisruptionBudget',
  'CustomResourceDefinition',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
]);

const selectable: Readonly<Record<string, readonly string[]>> = {
  Secret: ['type'],
  Namespace: ['status.phase'],
  Pod: ['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName', 'status.phase'],
  Event: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  Service: ['spec.clusterIP', 'spec.type'],
  ReplicaSet: ['status.replicas'],
  Job: ['status.successful'],
  Node: ['spec.unschedulable'],
};

/** Subresources that this stand-in really has; of the others it says that it does not. */
const servedSubresources = new Set(['status', 'scale', 'finalize', 'token']);

/** The built-in kinds: facts of discovery, schemas, and what Go code does for them elsewhere. */
export function coreKinds(options: {
  readonly list: (storage: string) => readonly ApiObject[];
  readonly now: () => number;
}): readonly ServedKind[] {
  const discovered = JSON.parse(readFileSync(new URL('./core-discovery.json', import.meta.url), 'utf8')) as {
    readonly kinds: readonly DiscoveredKind[];
  };
  const schemas = loadCoreSchemas();
  const rules = rulesByKind(coreRules(options));
  return discovered.kinds.map((found) => {
    const { subresources, ...facts } = found;
    const [names, missing] = split(subresources.map(({ name }) => name));
    const schema = schemas.get(`${apiVersionOf(found)}/${found.kind}`) ?? {};
    return {
      ...facts,
      listKind: `${found.kind}List`,
      storage: storageOf(found.group, found.plural),
      storedAs: apiVersionOf(found),
      isCustom: false,
      schema,
      storedSchema: schema,
      hasStatus: names.includes('status'),
      countsGenerations: counted.has(found.kind),
      subresources: names,
      missingSubresources: missing,
      columns: [],
      selectableFields: selectable[found.kind] ?? [],
      rules: rules(`${apiVersionOf(found)}/${found.kind}`),
    };
  });
}

function split(names: readonly string[]): [served: string[], missing: string[]] {
  return [names.filter((name) => servedSubresources.has(name)), names.filter((name) => !servedSubresources.has(name))];
}

function rulesByKind(core: ReadonlyMap<string, KindRules>): (kind: string) => KindRules {
  const others = new Map<string, KindRules>([['apiextensions.k8s.io/v1/CustomResourceDefinition', crdRules]]);
  for (const [kind, rules] of Object.entries(rbacKindRules)) others.set(`rbac.authorization.k8s.io/v1/${kind}`, rules);
  for (const [kind, rules] of Object.entries(webhookKindRules)) {
    others.set(`admissionregistration.k8s.io/v1/${kind}`, rules);
  }
  return (kind) => others.get(kind) ?? core.get(kind) ?? {};
}
