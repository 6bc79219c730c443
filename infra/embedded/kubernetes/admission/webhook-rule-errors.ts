import type { FieldError } from '../status-error.ts';
import { type Fields, required, strings, text, unsupported, wrong } from './field-problems.ts';

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

/** `*` says everything, so that nothing else may stand beside it. */
function loneStar(list: readonly string[], path: string, others: string): FieldError[] {
  if (!list.includes('*') || list.length === 1) return [];
  return [wrong(path, list, `if '*' is present, must not specify other ${others}`)];
}

function resourceErrors(resources: readonly string[], path: string): FieldError[] {
  if (resources.length === 0) return [required(path)];
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, resource] of resources.entries()) {
    const here = `${path}[${index}]`;
    if (resource === '') {
      errors.push(required(here));
      continue;
    }
    if (!resource.includes('/') || resource === '*/*') continue;
    const [first = '', second = ''] = resource.split('/', 2);
    if (wholeResources.has(first)) {
      errors.push(wrong(here, resource, `if '${first}/*' is present, must not specify ${resource}`));
    }
    if (wholeSubresources.has(second)) {
      errors.push(wrong(here, resource, `if '*/${second}' is present, must not specify ${resource}`));
    }
    if (second === '*') wholeResources.add(first);
    if (first === '*') wholeSubresources.add(second);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(wrong(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes('*') && resources.some((resource) => resource !== '*' && !resource.includes('/'))) {
    const why = "if '*' is present, must not specify other resources without subresources";
    errors.push(wrong(path, resources, why));
  }
  return errors;
}

export function ruleErrors(rule: Fields, path: string): FieldError[] {
  const asked = strings(rule['operations']);
  const groups = strings(rule['apiGroups']);
  const versions = strings(rule['apiVersions']);
  const scope = rule['scope'];
  return [
    ...(asked.length === 0 ? [required(`${path}.operations`)] : []),
    ...loneStar(asked, `${path}.operations`, 'operations'),
    ...asked
      .map((operation, index) => ({ operation, field: `${path}.operations[${index}]` }))
      .filter(({ operation }) => !operations.includes(operation))
      .map(({ operation, field }) => unsupported(field, operation, operations)),
    ...(groups.length === 0 ? [required(`${path}.apiGroups`)] : []),
    ...loneStar(groups, `${path}.apiGroups`, 'API groups'),
    ...(versions.length === 0 ? [required(`${path}.apiVersions`)] : []),
    ...loneStar(versions, `${path}.apiVersions`, 'API versions'),
    ...versions.flatMap((version, index) => (version === '' ? [required(`${path}.apiVersions[${index}]`)] : [])),
    ...resourceErrors(strings(rule['resources']), `${path}.resources`),
    ...(scope === undefined || ['*', 'Cluster', 'Namespaced'].includes(text(scope))
      ? []
      : [unsupported(`${path}.scope`, text(scope), ['*', 'Cluster', 'Namespaced'])]),
  ];
}
