import { isDeepStrictEqual } from 'node:util';
import type { ApiObject } from '../api-object.ts';
import type { RequestAttributes } from '../request-attributes.ts';
import { forbidden, notFound, StatusError } from '../status-error.ts';
import type { User } from '../user.ts';
import type { Authorizer } from './authorize.ts';
import { joinedErrors, quoted, quotedList } from './go-text.ts';
import { missingRules, type PolicyRule, rulesIn } from './policy-rule.ts';
import { rbacGroup, roleReferenceOf } from './rbac-index.ts';

const roleResources: ReadonlySet<string> = new Set(['roles', 'clusterroles']);
const bindingResources: ReadonlySet<string> = new Set(['rolebindings', 'clusterrolebindings']);

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
];

function describe(rule: PolicyRule): string {
  const parts = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ] as const;
  const written = parts
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}:${quotedList(values)}`);
  return `{${written.join(', ')}}`;
}

/** What a user would hand out without having it; undefined where all is well. */
function escalation(authorizer: Authorizer, user: User, namespace: string, wanted: readonly PolicyRule[]) {
  const { rules, errors } = authorizer.rulesFor(user, namespace);
  const missing = missingRules(rules, wanted);
  if (missing.length === 0) return undefined;
  const lines = [...new Set(missing.map(describe))].sort();
  const unresolved = errors.length === 0 ? '' : `; resolution errors: [${joinedErrors(errors)}]`;
  return `user ${quoted(user.name)} (groups=${quotedList(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${unresolved}`;
}

/** A controller that only cleans up after a deletion needs no rights of the role. */
function changesOnlyOwnership(object: ApiObject, old: ApiObject): boolean {
  const comparable = ({ metadata, ...rest }: ApiObject) => {
    const { finalizers, ownerReferences, managedFields, ...kept } = metadata;
    return { ...rest, metadata: kept };
  };
  return isDeepStrictEqual(comparable(object), comparable(old));
}

function hasAggregation(role: ApiObject | undefined): boolean {
  const rule = role?.['aggregationRule'] as { readonly clusterRoleSelectors?: unknown } | null | undefined;
  return Array.isArray(rule?.clusterRoleSelectors) && rule.clusterRoleSelectors.length > 0;
}

function checkRole(
  authorizer: Authorizer,
  attributes: RequestAttributes,
  object: ApiObject,
  old: ApiObject | undefined,
): void {
  const { user, namespace } = attributes;
  if (authorizer.authorize({ ...attributes, verb: 'escalate', subresource: '' }).allowed) return;
  const refuse = (why: string) => forbidden(attributes, object.metadata.name ?? '', why);
  const granted = escalation(authorizer, user, namespace, rulesIn(object));
  if (granted !== undefined) throw refuse(granted);
  // An aggregated role takes in whatever is labelled for it tomorrow, so that making one needs every right there is.
  if (!hasAggregation(object) && !hasAggregation(old)) return;
  if (escalation(authorizer, user, namespace, everything) === undefined) return;
  throw refuse('must have cluster-admin privileges to use the aggregationRule');
}

function checkBinding(authorizer: Authorizer, attributes: RequestAttributes, object: ApiObject): void {
  const { user, namespace } = attributes;
  const reference = roleReferenceOf(object);
  if (reference.kind !== 'Role' && reference.kind !== 'ClusterRole') {
    throw new StatusError(500, '', `unsupported role reference kind: ${quoted(reference.kind)}`);
  }
  const resource = reference.kind === 'Role' ? 'roles' : 'clusterroles';
  const bind = { ...attributes, verb: 'bind', resource, subresource: '', name: reference.name };
  if (authorizer.authorize(bind).allowed) return;
  const rules = authorizer.rulesOfRole(reference, namespace);
  // The API speaks of the binding's resource here, and of the role's name.
  if (rules === undefined) throw notFound(attributes, reference.name);
  const granted = escalation(authorizer, user, namespace, rules);
  if (granted !== undefined) throw forbidden(attributes, object.metadata.name ?? '', granted);
}

/**
 * Nobody hands out rights that they do not have. Called for every write of a role or binding, after admission and before
 * validation; other objects pass. Throws 403, and 404 where the role of a binding is missing.
 */
export function checkEscalation(
  authorizer: Authorizer,
  attributes: RequestAttributes,
  object: ApiObject,
  old: ApiObject | undefined,
): void {
  if (attributes.group !== rbacGroup) return;
  const isRole = roleResources.has(attributes.resource);
  if (!isRole && !bindingResources.has(attributes.resource)) return;
  if (attributes.user.groups.includes('system:masters')) return;
  if (old !== undefined && changesOnlyOwnership(object, old)) return;
  if (isRole) checkRole(authorizer, attributes, object, old);
  else checkBinding(authorizer, attributes, object);
}
