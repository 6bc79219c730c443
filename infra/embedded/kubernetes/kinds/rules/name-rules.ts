import { dnsLabel, dnsSubdomain, pathSegment, type TextRule } from './text-rules.ts';

/** What is wrong with a name; `isPrefix` for a generateName, whose end the server adds. */
export type NameRule = (name: string, isPrefix: boolean) => readonly string[];

/** A prefix may end in a dash, because letters follow. */
function forPrefixes(rule: TextRule): NameRule {
  return (name, isPrefix) => rule(isPrefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name);
}

const subdomainName = forPrefixes(dnsSubdomain);
const labelName = forPrefixes(dnsLabel);

/** A CronJob's name leaves room for what its Jobs and their Pods add to it. */
function cronJobName(name: string, isPrefix: boolean): readonly string[] {
  return [...subdomainName(name, isPrefix), ...(name.length > 52 ? ['must be no more than 52 characters'] : [])];
}

const segmentName: NameRule = (name) => pathSegment(name);

const rules: Readonly<Record<string, NameRule>> = {
  '/Namespace': labelName,
  '/Service': labelName,
  'apps/StatefulSet': labelName,
  'batch/CronJob': cronJobName,
  '/Event': segmentName,
  'events.k8s.io/Event': segmentName,
  'policy/PodDisruptionBudget': segmentName,
  'rbac.authorization.k8s.io/Role': segmentName,
  'rbac.authorization.k8s.io/RoleBinding': segmentName,
  'rbac.authorization.k8s.io/ClusterRole': segmentName,
  'rbac.authorization.k8s.io/ClusterRoleBinding': segmentName,
};

export function nameRuleOf({ group, kind }: { readonly group: string; readonly kind: string }): NameRule {
  return rules[`${group}/${kind}`] ?? subdomainName;
}

/** No vowels and nothing that looks like another letter, so that no word comes out by accident. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const longestName = 63;

/** The name made from a generateName; `random` as Math.random. */
export function generateName(base: string, random: () => number): string {
  const suffix = Array.from({ length: suffixLength }, () => letters.charAt(Math.floor(random() * letters.length)));
  return `${base.slice(0, longestName - suffixLength)}${suffix.join('')}`;
}
