import type { FieldError } from '../../status-error.ts';
import { forbiddenValue, invalidValue, requiredValue } from './field-errors.ts';
import { fieldsAt, listAt, textAt, textsAt } from './fields.ts';
import { labelValue, qualifiedName } from './text-rules.ts';
import { validateLabels } from './validate-metadata.ts';

const withValues = ['In', 'NotIn'];
const withoutValues = ['Exists', 'DoesNotExist'];

export function validateSelector(selector: unknown, field: string): FieldError[] {
  return [
    ...validateLabels(textsAt(selector, 'matchLabels'), `${field}.matchLabels`),
    ...listAt(selector, 'matchExpressions').flatMap((expression, index) =>
      validateRequirement(expression, `${field}.matchExpressions[${index}]`),
    ),
  ];
}

function validateRequirement(expression: unknown, field: string): FieldError[] {
  const said: FieldError[] = [];
  const operator = textAt(expression, 'operator');
  const values = listAt(expression, 'values').map(String);
  if (withValues.includes(operator)) {
    const words = "must be specified when `operator` is 'In' or 'NotIn'";
    if (values.length === 0) said.push(requiredValue(`${field}.values`, words));
  } else if (withoutValues.includes(operator)) {
    const words = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    if (values.length > 0) said.push(forbiddenValue(`${field}.values`, words));
  } else said.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'));
  const key = textAt(expression, 'key');
  said.push(...qualifiedName(key).map((words) => invalidValue(`${field}.key`, key, words)));
  for (const [index, value] of values.entries()) {
    said.push(...labelValue(value).map((words) => invalidValue(`${field}.values[${index}]`, value, words)));
  }
  return said;
}

export function isEmptySelector(selector: unknown): boolean {
  return (
    Object.keys(fieldsAt(selector, 'matchLabels')).length === 0 && listAt(selector, 'matchExpressions').length === 0
  );
}

/** Whether labels are among those that a selector means. An absent selector means none, an empty one all. */
export function selects(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  if (selector === undefined || selector === null) return false;
  const wanted = Object.entries(textsAt(selector, 'matchLabels'));
  if (!wanted.every(([key, value]) => labels[key] === value)) return false;
  return listAt(selector, 'matchExpressions').every((expression) => {
    const key = textAt(expression, 'key');
    const value = labels[key];
    switch (textAt(expression, 'operator')) {
      case 'In':
        return value !== undefined && listAt(expression, 'values').includes(value);
      case 'NotIn':
        return value === undefined || !listAt(expression, 'values').includes(value);
      case 'Exists':
        return value !== undefined;
      case 'DoesNotExist':
        return value === undefined;
      default:
        return false;
    }
  });
}
