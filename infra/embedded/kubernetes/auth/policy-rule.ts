import type { ApiObject } from '../api-object.ts';
import type { RequestAttributes } from '../request-attributes.ts';

/** What a Role or ClusterRole allows. Absent lists are empty. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** The rules as they stand in a role, whatever else somebody may have put there. */
export function rulesIn(role: ApiObject): readonly PolicyRule[] {
  const rules = role['rules'];
  if (!Array.isArray(rules)) return [];
  return rules
    .filter((rule): rule is Record<string, unknown> => typeof rule === 'object' && rule !== null)
    .map((rule) => ({
      verbs: strings(rule['verbs']),
      apiGroups: strings(rule['apiGroups']),
      resources: strings(rule['resources']),
      resourceNames: strings(rule['resourceNames']),
      nonResourceURLs: strings(rule['nonResourceURLs']),
    }));
}

function resourceMatches(rule: PolicyRule, resource: string, subresource: string): boolean {
  const asked = subresource === '' ? resource : `${resource}/${subresource}`;
  return rule.resources.some(
    (allowed) => allowed === '*' || allowed === asked || (subresource !== '' && allowed === `*/${subresource}`),
  );
}

/** Whether a path lies under a pattern, which may end in `*`. */
export function pathMatches(pattern: string, path: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  return pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, ''));
}

export function ruleAllows(rule: PolicyRule, attributes: RequestAttributes): boolean {
  if (!rule.verbs.includes('*') && !rule.verbs.includes(attributes.verb)) return false;
  if (!attributes.isResourceRequest) {
    return rule.nonResourceURLs.some((pattern) => pathMatches(pattern, attributes.path));
  }
  return (
    (rule.apiGroups.includes('*') || rule.apiGroups.includes(attributes.group)) &&
    resourceMatches(rule, attributes.resource, attributes.subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(attributes.name))
  );
}

/** One group, one resource, one verb, at most one name; or one path and one verb. */
function atomsOf(rule: PolicyRule): PolicyRule[] {
  const none: readonly string[] = [];
  const names = rule.resourceNames.length === 0 ? [none] : rule.resourceNames.map((name) => [name]);
  const onResources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          resourceNames,
          nonResourceURLs: none,
        })),
      ),
    ),
  );
  const onPaths = rule.nonResourceURLs.flatMap((path) =>
    rule.verbs.map((verb) => ({
      verbs: [verb],
      apiGroups: none,
      resources: none,
      resourceNames: none,
      nonResourceURLs: [path],
    })),
  );
  return [...onResources, ...onPaths];
}

function coversResource(owned: readonly string[], resource: string): boolean {
  if (owned.includes('*') || owned.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash !== -1 && owned.includes(`*/${resource.slice(slash + 1)}`);
}

function coversPath(owned: string, path: string): boolean {
  return owned === path || (owned.endsWith('*') && path.startsWith(owned.replace(/\*+$/, '')));
}

function covers(owned: PolicyRule, atom: PolicyRule): boolean {
  return (
    atom.verbs.every((verb) => owned.verbs.includes('*') || owned.verbs.includes(verb)) &&
    atom.apiGroups.every((group) => owned.apiGroups.includes('*') || owned.apiGroups.includes(group)) &&
    atom.resources.every((resource) => coversResource(owned.resources, resource)) &&
    atom.nonResourceURLs.every((path) => owned.nonResourceURLs.some((pattern) => coversPath(pattern, path))) &&
    (owned.resourceNames.length === 0 ||
      (atom.resourceNames.length > 0 && atom.resourceNames.every((name) => owned.resourceNames.includes(name))))
  );
}

/** The parts of `wanted` that `owned` does not allow; verbs on the same resource are put together again. */
export function missingRules(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  const missing = wanted.flatMap(atomsOf).filter((atom) => !owned.some((rule) => covers(rule, atom)));
  const byResource = new Map<string, PolicyRule>();
  const rest: PolicyRule[] = [];
  for (const atom of missing) {
    if (atom.nonResourceURLs.length > 0) {
      rest.push(atom);
      continue;
    }
    const key = JSON.stringify([atom.apiGroups, atom.resources, atom.resourceNames]);
    const known = byResource.get(key);
    byResource.set(key, known === undefined ? atom : { ...known, verbs: [...known.verbs, ...atom.verbs] });
  }
  return [...rest, ...byResource.values()];
}
