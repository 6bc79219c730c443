import type { FieldError } from '../status-error.ts';
import { quote, valueText } from './go-text.ts';

/** Where an error has no field of its own, the API prints this. */
export const noField = '<nil>';

export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${valueText(value)}: ${detail}` };
}

/** Lists and objects are not printed. */
export function invalidWithoutValue(field: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` };
}

export function wrongType(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueTypeInvalid', field, message: `Invalid value: ${valueText(value)}: ${detail}` };
}

export function requiredValue(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: withDetail('Required value', detail) };
}

export function forbiddenValue(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: withDetail('Forbidden', detail) };
}

export function duplicateValue(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${valueText(value)}` };
}

export function unsupportedValue(field: string, value: unknown, supported: readonly string[]): FieldError {
  const listed = supported.map(quote).join(', ');
  return {
    reason: 'FieldValueNotSupported',
    field,
    message: withDetail(`Unsupported value: ${valueText(value)}`, listed === '' ? '' : `supported values: ${listed}`),
  };
}

export function tooLong(field: string, maximum: number): FieldError {
  const unit = maximum === 1 ? 'byte' : 'bytes';
  return { reason: 'FieldValueTooLong', field, message: `Too long: may not be more than ${maximum} ${unit}` };
}

export function tooMany(field: string, actual: number, maximum: number): FieldError {
  const unit = maximum === 1 ? 'item' : 'items';
  return { reason: 'FieldValueTooMany', field, message: `Too many: ${actual}: must have at most ${maximum} ${unit}` };
}

function withDetail(text: string, detail: string): string {
  return detail === '' ? text : `${text}: ${detail}`;
}
