import { sameJson } from '../same-json.ts';
import { numberCheckOf, textCheckOf, wholeObject } from './check-scalars.ts';
import { typeCheckOf } from './check-types.ts';
import { isPlainObject } from './plain-object.ts';
import type { Schema } from './schema.ts';

export type Accept = (value: unknown) => boolean;

const itself = (path: string) => path;

/**
 * A quick yes for values that are right, as nearly all are: nothing is kept in mind that only an error would tell. Where
 * it says no, check-value.ts says why.
 */
export function acceptanceOf(schema: Schema): Accept {
  const tests = [typeAcceptance(schema), ...choices(schema), scalarAcceptance(schema), partsAcceptance(schema)];
  const [first, second, ...more] = tests.filter((test) => test !== undefined);
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (more.length === 0) return (value) => first(value) && second(value);
  return (value) => first(value) && second(value) && more.every((test) => test(value));
}

function typeAcceptance(schema: Schema): Accept | undefined {
  // The three commonest types, without the questions that formats and nulls raise.
  if (schema['x-kubernetes-int-or-string'] !== true && schema.nullable !== true) {
    if (schema.type === 'string') return (value) => typeof value === 'string';
    if (schema.type === 'object' && schema.format === undefined) return isPlainObject;
    if (schema.type === 'array' && schema.format === undefined) return Array.isArray;
  }
  const check = typeCheckOf(schema);
  return check && ((value) => check(value, '', itself) === undefined);
}

function choices(schema: Schema): (Accept | undefined)[] {
  const { enum: options = [], allOf, anyOf, oneOf, not } = schema;
  const any = anyOf?.map(acceptanceOf);
  const one = oneOf?.map(acceptanceOf);
  const never = not && acceptanceOf(not);
  return [
    options.length === 0 ? undefined : (value) => value !== null && options.some((each) => sameJson(each, value)),
    ...(allOf ?? []).map((part) => unlessNull(acceptanceOf(part))),
    any && unlessNull((value) => any.some((accepts) => accepts(value))),
    one && unlessNull((value) => one.filter((accepts) => accepts(value)).length === 1),
    never && unlessNull((value) => !never(value)),
  ];
}

/** Of null only the type and the choice of values are checked. */
function unlessNull(accepts: Accept): Accept {
  return (value) => value === null || accepts(value);
}

function scalarAcceptance(schema: Schema): Accept | undefined {
  const text = textCheckOf(schema);
  const number = numberCheckOf(schema);
  if (text === undefined && number === undefined) return undefined;
  return (value) => {
    if (typeof value === 'string') return text === undefined || text(value, '', wholeObject).length === 0;
    if (typeof value === 'number') return number === undefined || number(value, '', wholeObject).length === 0;
    return true;
  };
}

function partsAcceptance(schema: Schema): Accept | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems } = schema;
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY, required = [], additionalProperties } = schema;
  const items = schema.items && acceptanceOf(schema.items);
  const others = typeof additionalProperties === 'object' ? acceptanceOf(additionalProperties) : undefined;
  const fields = new Map(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, acceptanceOf(field)]));
  const isBounded = schema.minProperties !== undefined || schema.maxProperties !== undefined;
  if (schema.type !== undefined && schema.type !== 'array' && schema.type !== 'object') return undefined;

  return (value) => {
    if (Array.isArray(value)) {
      if (value.length < minItems || value.length > maxItems || uniqueItems === true) return false;
      return items === undefined || value.every(items);
    }
    if (!isPlainObject(value)) return true;
    for (const key of required) if (!Object.hasOwn(value, key)) return false;
    const keys = Object.keys(value);
    if (isBounded && (keys.length < minProperties || keys.length > maxProperties)) return false;
    for (const key of keys) {
      const accepts = fields.get(key) ?? others;
      if (accepts === undefined ? additionalProperties === false : !accepts(value[key])) return false;
    }
    return true;
  };
}
