import type { FieldError } from '../status-error.ts';
import { wrongType } from './field-errors.ts';
import { findFormat } from './formats.ts';
import { isWhole, quote } from './go-text.ts';
import type { Schema } from './schema.ts';

/** The name and the format that a value has by itself. */
function typeOf(value: unknown): readonly [type: string, format: string] {
  switch (typeof value) {
    case 'string':
      return ['string', ''];
    case 'boolean':
      return ['boolean', ''];
    case 'number':
      return isWhole(value) ? ['integer', 'int64'] : ['number', 'float64'];
    default:
      return [Array.isArray(value) ? 'array' : 'object', ''];
  }
}

/** A format counts only where the real server knows it for that type. */
export function effectiveFormat(schema: Schema): string {
  const { format = '', type } = schema;
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  if (type === 'number') return format === 'float' || format === 'double' ? format : '';
  if (type !== undefined && type !== 'string') return '';
  return findFormat(format) === undefined ? '' : format;
}

export type TypeCheck = (value: unknown, path: string, field: (path: string) => string) => FieldError | undefined;

/** Nothing to check where a schema gives neither type nor format. */
export function typeCheckOf(schema: Schema): TypeCheck | undefined {
  const types =
    schema['x-kubernetes-int-or-string'] === true ? ['integer', 'string'] : schema.type ? [schema.type] : [];
  const format = effectiveFormat(schema);
  if (types.length === 0 && format === '') return undefined;
  const isNumeric = types.includes('integer') || types.includes('number');
  const expected = types.join(',');
  const isNullable = schema.nullable === true;

  return (value, path, field) => {
    if (value === null) {
      if (types.length === 0 || isNullable) return undefined;
      return fault(path, field, expected, 'null');
    }
    const [type, own] = typeOf(value);
    if (types.includes(type) || (type === 'integer' && types.includes('number'))) return undefined;
    // Text and lists go unchecked where a format is asked for: text by the format itself, lists by nobody.
    if (type === 'string' || type === 'array') {
      if (!isNumeric && format !== '') return undefined;
    } else if (format !== '') return fault(path, field, format, own);
    return fault(path, field, expected, type);
  };
}

function fault(path: string, field: (path: string) => string, expected: string, actual: string): FieldError {
  return wrongType(field(path), actual, `${path} in body must be of type ${expected}: ${quote(actual)}`);
}
