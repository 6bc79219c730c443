import { z } from 'zod';
import { pathMatches } from '../auth/policy-rule.ts';
import type { RequestAttributes } from '../request-attributes.ts';

export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** What the policy wants to know of a request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/** Looks at a request and says at once how much of it is to be written down. */
export type AuditPolicy = (attributes: RequestAttributes) => AuditDecision;

const Stage = z.enum(['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic']);

const Path = z
  .string()
  .refine((path) => path === '*' || path.startsWith('/'), "non-resource URL rules must begin with a '/' character")
  .refine(
    (path) => path === '*' || !path.slice(0, -1).includes('*'),
    "non-resource URL wildcards '*' must be the final character of the rule",
  );

const Resources = z
  .strictObject({
    group: z.string().default(''),
    resources: z.array(z.string()).default([]),
    resourceNames: z.array(z.string()).default([]),
  })
  .refine(
    ({ resources, resourceNames }) => resourceNames.length === 0 || resources.length > 0,
    'using resourceNames requires at least one resource',
  );

const Rule = z
  .strictObject({
    level: z.enum(['None', 'Metadata', 'Request', 'RequestResponse']),
    users: z.array(z.string()).default([]),
    userGroups: z.array(z.string()).default([]),
    verbs: z.array(z.string()).default([]),
    resources: z.array(Resources).default([]),
    namespaces: z.array(z.string()).default([]),
    nonResourceURLs: z.array(Path).default([]),
    omitStages: z.array(Stage).default([]),
    omitManagedFields: z.boolean().optional(),
  })
  .refine(
    ({ nonResourceURLs, resources, namespaces }) =>
      nonResourceURLs.length === 0 || (resources.length === 0 && namespaces.length === 0),
    'rules cannot apply to both regular resources and non-resource URLs',
  );

const Policy = z.strictObject({
  apiVersion: z.literal('audit.k8s.io/v1'),
  kind: z.literal('Policy'),
  metadata: z.unknown().optional(),
  omitStages: z.array(Stage).default([]),
  omitManagedFields: z.boolean().default(false),
  rules: z.array(Rule).min(1, 'a policy needs at least one rule'),
});

type Rule = z.infer<typeof Rule>;
type Resources = z.infer<typeof Resources>;

function matchesResources(wanted: Resources, attributes: RequestAttributes): boolean {
  const { group, resource, subresource, name } = attributes;
  if (wanted.group !== group && wanted.group !== '*') return false;
  if (wanted.resources.length === 0) return true;
  if (wanted.resourceNames.length > 0 && !wanted.resourceNames.includes(name)) return false;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return wanted.resources.some(
    (each) =>
      each === '*' ||
      each === combined ||
      each === `${resource}/*` ||
      (subresource !== '' && each === `*/${subresource}`),
  );
}

function matches(rule: Rule, attributes: RequestAttributes): boolean {
  const { user, verb } = attributes;
  if (rule.verbs.length > 0 && !rule.verbs.includes(verb)) return false;
  if (rule.users.length > 0 && !rule.users.includes(user.name)) return false;
  if (rule.userGroups.length > 0 && !user.groups.some((group) => rule.userGroups.includes(group))) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0) {
    if (!attributes.isResourceRequest) return false;
    if (rule.namespaces.length > 0 && !rule.namespaces.includes(attributes.namespace)) return false;
    return rule.resources.length === 0 || rule.resources.some((each) => matchesResources(each, attributes));
  }
  if (rule.nonResourceURLs.length === 0) return true;
  return !attributes.isResourceRequest && rule.nonResourceURLs.some((path) => pathMatches(path, attributes.path));
}

/** Checks a policy as it was read from YAML. Throws an Error that names every fault. */
export function parseAuditPolicy(policy: unknown): AuditPolicy {
  const parsed = Policy.safeParse(policy);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the document'}: ${message}`);
    throw new Error(`The audit policy cannot be used. Mend these, then start again:\n- ${faults.join('\n- ')}`);
  }
  const { omitStages, omitManagedFields } = parsed.data;
  const rules = parsed.data.rules.map((rule) => ({
    rule,
    decision: {
      level: rule.level,
      omitStages: new Set([...omitStages, ...rule.omitStages]),
      omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
    },
  }));
  const otherwise: AuditDecision = { level: 'None', omitStages: new Set(omitStages), omitManagedFields };
  return (attributes) => rules.find(({ rule }) => matches(rule, attributes))?.decision ?? otherwise;
}
