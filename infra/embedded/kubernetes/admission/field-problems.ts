import type { FieldError } from '../status-error.ts';

/** Reading objects that nobody has checked yet, and saying what is wrong with them in the words of the API. */

export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function strings(value: unknown): readonly string[] {
  return items(value).filter((item): item is string => typeof item === 'string');
}

export function required(field: string, why = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: why === '' ? 'Required value' : `Required value: ${why}` };
}

export function wrong(field: string, value: unknown, why: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(value)}: ${why}` };
}

export function duplicate(field: string, value: string): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${JSON.stringify(value)}` };
}

export function unsupported(field: string, value: string, supported: readonly string[]): FieldError {
  const list = supported.map((item) => JSON.stringify(item)).join(', ');
  return {
    reason: 'FieldValueNotSupported',
    field,
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`,
  };
}
