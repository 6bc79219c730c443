import { type Fields, fields, items, required, text, unsupported, wrong } from '../admission/field-problems.ts';
import { isSubdomain, selectorErrors, subdomainRule } from '../admission/label-selector.ts';
import type { ApiObject } from '../api-object.ts';
import type { KindRules } from '../kinds/served-kind.ts';
import type { FieldError } from '../status-error.ts';
import { rbacGroup } from './rbac-index.ts';

/** Names of roles may hold almost anything, `system:basic-user` for example; only what breaks a path is refused. */
function nameErrors(field: string, name: string): FieldError[] {
  if (name === '.' || name === '..') return [wrong(field, name, `may not be '${name}'`)];
  return ['/', '%'].filter((bad) => name.includes(bad)).map((bad) => wrong(field, name, `may not contain '${bad}'`));
}

function ruleErrors(rule: Fields, path: string, isNamespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const paths = items(rule['nonResourceURLs']);
  if (items(rule['verbs']).length === 0)
    errors.push(required(`${path}.verbs`, 'verbs must contain at least one value'));
  if (paths.length > 0) {
    const field = `${path}.nonResourceURLs`;
    if (isNamespaced) errors.push(wrong(field, paths, 'namespaced rules cannot apply to non-resource URLs'));
    if (['apiGroups', 'resources', 'resourceNames'].some((other) => items(rule[other]).length > 0)) {
      errors.push(wrong(field, paths, 'rules cannot apply to both regular resources and non-resource URLs'));
    }
    return errors;
  }
  if (items(rule['apiGroups']).length === 0) {
    errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  if (items(rule['resources']).length === 0) {
    errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
  }
  return errors;
}

function aggregationErrors(role: ApiObject): FieldError[] {
  if (role['aggregationRule'] === undefined || role['aggregationRule'] === null) return [];
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = items(fields(role['aggregationRule'])['clusterRoleSelectors']);
  if (selectors.length === 0) {
    return [required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  }
  return selectors.flatMap((selector, index) => {
    const errors = selectorErrors(selector, `${path}[${index}]`);
    return errors.length === 0 ? [] : [...errors, wrong(`${path}[${index}]`, null, 'invalid label selector.')];
  });
}

function validateRole(role: ApiObject, isNamespaced: boolean): FieldError[] {
  return [
    ...items(role['rules']).flatMap((rule, index) => ruleErrors(fields(rule), `rules[${index}]`, isNamespaced)),
    ...(isNamespaced ? [] : aggregationErrors(role)),
  ];
}

function subjectErrors(subject: Fields, path: string, isNamespaced: boolean): FieldError[] {
  const name = text(subject['name']);
  const group = text(subject['apiGroup']);
  const errors = name === '' ? [required(`${path}.name`)] : [];
  switch (subject['kind']) {
    case 'ServiceAccount':
      if (name !== '' && !isSubdomain(name)) errors.push(wrong(`${path}.name`, name, subdomainRule));
      if (group !== '') errors.push(unsupported(`${path}.apiGroup`, group, ['']));
      if (!isNamespaced && text(subject['namespace']) === '') errors.push(required(`${path}.namespace`));
      return errors;
    case 'User':
    case 'Group':
      return group === rbacGroup ? errors : [...errors, unsupported(`${path}.apiGroup`, group, [rbacGroup])];
    default:
      return [...errors, unsupported(`${path}.kind`, text(subject['kind']), ['ServiceAccount', 'User', 'Group'])];
  }
}

/** As the API prints it: with the names that its code uses. */
function printedReference(reference: Fields): Fields {
  return { APIGroup: text(reference['apiGroup']), Kind: text(reference['kind']), Name: text(reference['name']) };
}

function validateBinding(binding: ApiObject, old: ApiObject | undefined, isNamespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const reference = fields(binding['roleRef']);
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (reference['apiGroup'] !== rbacGroup) {
    errors.push(unsupported('roleRef.apiGroup', text(reference['apiGroup']), [rbacGroup]));
  }
  if (!kinds.includes(text(reference['kind'])))
    errors.push(unsupported('roleRef.kind', text(reference['kind']), kinds));
  if (text(reference['name']) === '') errors.push(required('roleRef.name'));
  else errors.push(...nameErrors('roleRef.name', text(reference['name'])));
  errors.push(
    ...items(binding['subjects']).flatMap((subject, index) =>
      subjectErrors(fields(subject), `subjects[${index}]`, isNamespaced),
    ),
  );
  const now = printedReference(reference);
  if (old !== undefined && JSON.stringify(printedReference(fields(old['roleRef']))) !== JSON.stringify(now)) {
    errors.push(wrong('roleRef', now, 'cannot change roleRef'));
  }
  return errors;
}

function setBindingDefaults(binding: ApiObject): void {
  const reference = fields(binding['roleRef']);
  if (text(reference['apiGroup']) === '') binding['roleRef'] = { ...reference, apiGroup: rbacGroup };
  if (!Array.isArray(binding['subjects'])) return;
  binding['subjects'] = binding['subjects'].map((subject: unknown) => {
    const { kind, apiGroup } = fields(subject);
    const isPerson = kind === 'User' || kind === 'Group';
    return isPerson && text(apiGroup) === '' ? { ...fields(subject), apiGroup: rbacGroup } : subject;
  });
}

/** What roles and bindings check beyond their schema and their own names. */
export const rbacKindRules: Readonly<Record<'Role' | 'ClusterRole' | 'RoleBinding' | 'ClusterRoleBinding', KindRules>> =
  {
    Role: { validate: (role) => validateRole(role, true) },
    ClusterRole: { validate: (role) => validateRole(role, false) },
    RoleBinding: {
      setDefaults: setBindingDefaults,
      validate: (binding, old) => validateBinding(binding, old, true),
    },
    ClusterRoleBinding: {
      setDefaults: setBindingDefaults,
      validate: (binding, old) => validateBinding(binding, old, false),
    },
  };
