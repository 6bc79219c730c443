import type { ApiObject } from '../api-object.ts';
import type { StoreReader } from '../internal-api.ts';
import type { AdmissionAttributes } from '../request-attributes.ts';
import { notFound } from '../status-error.ts';
import { matchesSelector } from './label-selector.ts';
import type { Webhook, WebhookRule } from './webhook-configuration.ts';

/** A webhook could lock everybody out of the objects that configure it, so that these are never sent to one. */
const exempt: ReadonlySet<string> = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

export function isExempt({ group, resource }: AdmissionAttributes): boolean {
  return group === 'admissionregistration.k8s.io' && exempt.has(resource);
}

function isListed(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value);
}

function matchesResource(pattern: string, resource: string, subresource: string): boolean {
  const [first = '', second = ''] = pattern.split('/', 2);
  return (first === '*' || first === resource) && (second === '*' || second === subresource);
}

function isNamespaceItself({ group, resource }: AdmissionAttributes): boolean {
  return group === '' && resource === 'namespaces';
}

function matchesScope(scope: string, attributes: AdmissionAttributes): boolean {
  if (scope === '*') return true;
  const isNamespaced = attributes.namespace !== '' && !isNamespaceItself(attributes);
  return scope === (isNamespaced ? 'Namespaced' : 'Cluster');
}

function matchesRule(rule: WebhookRule, attributes: AdmissionAttributes): boolean {
  return (
    isListed(rule.operations, attributes.operation) &&
    isListed(rule.apiGroups, attributes.group) &&
    isListed(rule.apiVersions, attributes.version) &&
    matchesScope(rule.scope, attributes) &&
    rule.resources.some((pattern) => matchesResource(pattern, attributes.resource, attributes.subresource))
  );
}

function isEmpty(selector: unknown): boolean {
  return typeof selector === 'object' && selector !== null && Object.keys(selector).length === 0;
}

/** The labels of the namespace that the request is about. A namespace in the making is judged by its own. */
function matchesNamespace(
  read: StoreReader,
  webhook: Webhook,
  attributes: AdmissionAttributes,
  object: ApiObject | undefined,
): boolean {
  if (isEmpty(webhook.namespaceSelector)) return true;
  const isItself = isNamespaceItself(attributes);
  if (isItself && attributes.subresource === '' && object !== undefined) {
    return matchesSelector(webhook.namespaceSelector, object.metadata.labels);
  }
  const name = isItself ? attributes.name : attributes.namespace;
  if (name === '') return true;
  const namespace = read.get({ storage: 'namespaces', namespace: '', name });
  if (namespace === undefined) throw notFound({ group: '', resource: 'namespaces' }, name);
  return matchesSelector(webhook.namespaceSelector, namespace.metadata.labels);
}

function matchesObject(webhook: Webhook, object: ApiObject | undefined, oldObject: ApiObject | undefined): boolean {
  if (isEmpty(webhook.objectSelector)) return true;
  return [object, oldObject].some(
    (each) => each?.metadata !== undefined && matchesSelector(webhook.objectSelector, each.metadata.labels),
  );
}

/** Whether a webhook is to be asked, its conditions aside. */
export function isConcerned(
  read: StoreReader,
  webhook: Webhook,
  attributes: AdmissionAttributes,
  object: ApiObject | undefined,
  oldObject: ApiObject | undefined,
): boolean {
  return (
    webhook.rules.some((rule) => matchesRule(rule, attributes)) &&
    matchesNamespace(read, webhook, attributes, object) &&
    matchesObject(webhook, object, oldObject)
  );
}
