import type { FieldError } from '../../status-error.ts';
import { forbiddenValue, invalidValue, unsupportedValue } from './field-errors.ts';
import { fieldsAt, textAt, valueAt } from './fields.ts';

const percentRule =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A number that is not negative, or a percentage. */
export function validateIntOrPercent(value: unknown, field: string): FieldError[] {
  if (typeof value === 'string') return /^[0-9]+%$/.test(value) ? [] : [invalidValue(field, value, percentRule)];
  if (typeof value !== 'number' || value >= 0) return [];
  return [invalidValue(field, value, 'must be greater than or equal to 0')];
}

function isNothing(value: unknown): boolean {
  return value === 0 || value === '0%';
}

export function validateRollingUpdate(strategy: unknown, field: string): FieldError[] {
  const type = textAt(strategy, 'type');
  const rolling = valueAt(strategy, 'rollingUpdate');
  if (type === 'Recreate') {
    if (rolling === undefined) return [];
    return [forbiddenValue(`${field}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")];
  }
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: null };
    return [unsupportedValue(field, shown, ['Recreate', 'RollingUpdate'])];
  }
  const { maxUnavailable, maxSurge } = fieldsAt(rolling);
  const at = `${field}.rollingUpdate`;
  const said = [
    ...validateIntOrPercent(maxUnavailable, `${at}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${at}.maxSurge`),
  ];
  if (isNothing(maxUnavailable) && isNothing(maxSurge)) {
    said.push(invalidValue(`${at}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  }
  return said;
}
