import type { FieldError } from '../../status-error.ts';

/** A value as the texts of the API quote it. */
function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  const message = `Invalid value: ${shown(value)}${detail === '' ? '' : `: ${detail}`}`;
  return { reason: 'FieldValueInvalid', field, message };
}

export function requiredValue(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: `Required value${detail === '' ? '' : `: ${detail}`}` };
}

export function forbiddenValue(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: `Forbidden: ${detail}` };
}

export function duplicateValue(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${shown(value)}` };
}

export function unsupportedValue(field: string, value: unknown, supported: readonly string[]): FieldError {
  const listed = supported.map((one) => shown(one)).join(', ');
  return {
    reason: 'FieldValueNotSupported',
    field,
    message: `Unsupported value: ${shown(value)}: supported values: ${listed}`,
  };
}

export function missingReference(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${shown(value)}` };
}

export function tooLong(field: string, limit: number): FieldError {
  return { reason: 'FieldValueTooLong', field, message: `Too long: may not be more than ${limit} bytes` };
}
