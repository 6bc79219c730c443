import type { FieldError } from '../status-error.ts';
import { effectiveFormat } from './check-types.ts';
import { invalidValue, noField, tooLong, wrongType } from './field-errors.ts';
import { findFormat } from './formats.ts';
import { goRegExp } from './go-regexp.ts';
import { isWhole, numberText, quote } from './go-text.ts';
import type { Schema } from './schema.ts';

/** Where an error is reported: fields below the base, and errors without a field at the base itself. */
export interface Base {
  readonly field: (path: string) => string;
  readonly self: string;
}

/** The base of a whole object. */
export const wholeObject: Base = { field: (path) => path, self: noField };

export type ScalarCheck<Value> = (value: Value, path: string, base: Base) => FieldError[];

const none: FieldError[] = [];

/** Of length and pattern only the first that fails is told. */
export function textCheckOf(schema: Schema): ScalarCheck<string> | undefined {
  const { maxLength, minLength, pattern } = schema;
  const format = schema.type === 'integer' || schema.type === 'number' ? '' : effectiveFormat(schema);
  const fits = format === '' ? undefined : findFormat(format);
  if (maxLength === undefined && minLength === undefined && !pattern && fits === undefined) return undefined;
  const expression = pattern ? goRegExp(pattern) : undefined;

  function limits(value: string, path: string, base: Base): FieldError | undefined {
    if (maxLength !== undefined && value.length > maxLength && lengthOf(value) > maxLength) {
      return tooLong(base.field(path), maxLength);
    }
    if (minLength !== undefined && value.length < 2 * minLength && lengthOf(value) < minLength) {
      return invalidValue(base.field(path), value, `${path} in body should be at least ${minLength} chars long`);
    }
    if (expression !== undefined && !expression.test(value)) {
      return invalidValue(base.field(path), value, `${path} in body should match '${pattern}'`);
    }
    return undefined;
  }

  return (value, path, base) => {
    const broken = limits(value, path, base);
    if (fits === undefined || fits(value)) return broken === undefined ? none : [broken];
    const misfit = wrongType(base.field(path), value, `${path} in body must be of type ${format}: ${quote(value)}`);
    return broken === undefined ? [misfit] : [broken, misfit];
  };
}

/** Characters, not the units of JavaScript. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

export function numberCheckOf(schema: Schema): ScalarCheck<number> | undefined {
  const { multipleOf, minimum, maximum, type } = schema;
  const format = effectiveFormat(schema);
  const isInteger = type === 'integer';
  if (multipleOf === undefined && minimum === undefined && maximum === undefined && !isInteger && format !== 'float') {
    return undefined;
  }
  return (value, path, base) => {
    const errors: FieldError[] = [];
    const say = (detail: string) => errors.push(invalidValue(base.field(path), value, `${path} in body ${detail}`));
    if (!fitsType(value, type, format)) {
      const wanted = format === '' ? `${type} (default format)` : `${type} with format ${format}`;
      errors.push(invalidValue(base.self, '', `Checked value must be of type ${wanted} in ${path}`));
    }
    if (multipleOf !== undefined) {
      // Whole numbers are divided by a whole factor, whatever the schema says.
      const factor = isWhole(value) ? Math.trunc(multipleOf) : multipleOf;
      const name = `factor MultipleOf declared for ${path} must be positive: ${numberText(factor)}`;
      if (factor <= 0) errors.push(invalidValue(base.field(path), factor, name));
      else if (!isMultiple(value, factor)) say(`should be a multiple of ${numberText(factor)}`);
    }
    if (minimum !== undefined && (schema.exclusiveMinimum ? value <= minimum : value < minimum)) {
      say(`should be greater than ${schema.exclusiveMinimum ? '' : 'or equal to '}${numberText(minimum)}`);
    }
    if (maximum !== undefined && (schema.exclusiveMaximum ? value >= maximum : value > maximum)) {
      say(`should be less than ${schema.exclusiveMaximum ? '' : 'or equal to '}${numberText(maximum)}`);
    }
    return errors.length === 0 ? none : errors;
  };
}

function fitsType(value: number, type: string | undefined, format: string): boolean {
  if (type === 'integer') {
    return isWhole(value) && (format !== 'int32' || (value >= -(2 ** 31) && value < 2 ** 31));
  }
  return format !== 'float' || Math.abs(value) <= 3.4028234663852886e38;
}

function isMultiple(value: number, factor: number): boolean {
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(times) <= Number.MAX_SAFE_INTEGER && Math.abs(times - Math.round(times)) < 1e-9;
}
