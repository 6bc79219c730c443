import { sameJson } from '../same-json.ts';
import { numberCheckOf, textCheckOf } from './check-scalars.ts';
import { typeCheckOf } from './check-types.ts';
import { combinationCheckOf } from './combinations.ts';
import { invalidValue, requiredValue, tooMany, unsupportedValue } from './field-errors.ts';
import { jsonText } from './go-text.ts';
import { isPlainObject, type PlainObject } from './plain-object.ts';
import type { Schema } from './schema.ts';
import { describesAll, oldElement, unchanged } from './unchanged.ts';
import { addErrors, noOld, type Sink, type ValueCheck } from './value-check.ts';

/** A check of one value, of which the old faults are tolerated as long as it does not change. */
export function valueCheckOf(schema: Schema): ValueCheck {
  const check = strictCheckOf(schema);
  const isDescribed = describesAll(schema);
  return (value, old, path, sink) => {
    if (old === noOld) return check(value, old, path, sink);
    // What is shared with the stored object did not change, so that whatever is wrong with it is tolerated.
    if (isDescribed && value === old && typeof value === 'object') return 1;
    const before = sink.errors.length;
    const count = check(value, old, path, sink);
    if (sink.errors.length > before && unchanged(schema, value, old)) sink.errors.length = before;
    return count;
  };
}

function strictCheckOf(schema: Schema): ValueCheck {
  const typeCheck = typeCheckOf(schema);
  const combination = combinationCheckOf(schema, strictCheckOf);
  const textCheck = textCheckOf(schema);
  const numberCheck = numberCheckOf(schema);
  const listCheck = listCheckOf(schema);
  const objectCheck = objectCheckOf(schema);
  const options = schema.enum ?? [];

  return (value, old, path, sink) => {
    let count = 0;
    if (typeCheck !== undefined) {
      const fault = typeCheck(value, path, sink.base.field);
      if (fault === undefined) count += 2;
      else {
        addErrors(sink, [fault]);
        count += 1;
      }
    }
    if (value !== null) {
      count += 2 + (combination === undefined ? 0 : combination(value, old, path, sink));
      if (typeof value === 'string') {
        count += 1;
        if (textCheck !== undefined) addErrors(sink, textCheck(value, path, sink.base));
      } else if (typeof value === 'number') {
        count += 2;
        if (numberCheck !== undefined) addErrors(sink, numberCheck(value, path, sink.base));
      } else if (Array.isArray(value)) count += 2 + listCheck(value, old, path, sink);
    }
    if (options.length > 0 && (value === null || !options.some((option) => sameJson(option, value)))) {
      const names = options.map((option) => (typeof option === 'string' ? option : jsonText(option)));
      addErrors(sink, [unsupportedValue(sink.base.field(path), value, names)]);
    }
    if (isPlainObject(value)) count += 1 + objectCheck(value, old, path, sink);
    return count + 2;
  };
}

function listCheckOf(schema: Schema): (list: readonly unknown[], old: unknown, path: string, sink: Sink) => number {
  const { minItems, maxItems, uniqueItems } = schema;
  const items = schema.items === undefined ? undefined : valueCheckOf(schema.items);
  return (list, old, path, sink) => {
    let count = 0;
    if (items !== undefined) {
      for (let index = 0; index < list.length; index += 1) {
        const before = old === noOld ? noOld : (oldElement(schema, list[index], old) ?? noOld);
        count += items(list[index], before, `${path}[${index}]`, sink);
      }
    }
    if (minItems !== undefined && list.length < minItems) {
      const detail = `${path} in body should have at least ${minItems} items`;
      addErrors(sink, [invalidValue(sink.base.field(path), list.length, detail)]);
    }
    if (maxItems !== undefined && list.length > maxItems) {
      addErrors(sink, [tooMany(sink.base.field(path), list.length, maxItems)]);
    }
    if (uniqueItems === true && list.some((item, at) => list.slice(0, at).some((other) => sameJson(item, other)))) {
      addErrors(sink, [invalidValue(sink.base.field(path), '', `${path} in body shouldn't contain duplicates`)]);
    }
    return count;
  };
}

function objectCheckOf(schema: Schema): (object: PlainObject, old: unknown, path: string, sink: Sink) => number {
  const { minProperties, maxProperties, additionalProperties, required = [] } = schema;
  const fields = new Map(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, valueCheckOf(field)]));
  const others = typeof additionalProperties === 'object' ? valueCheckOf(additionalProperties) : undefined;
  const isClosed = additionalProperties === false;

  function limits(object: PlainObject, path: string, sink: Sink): void {
    const size = Object.keys(object).length;
    if (minProperties !== undefined && size < minProperties) {
      const detail = `${path} in body should have at least ${minProperties} properties`;
      addErrors(sink, [invalidValue(sink.base.field(path), size, detail)]);
    }
    if (maxProperties !== undefined && size > maxProperties) {
      addErrors(sink, [tooMany(sink.base.field(path), size, maxProperties)]);
    }
  }

  return (object, old, path, sink) => {
    let count = 0;
    if (minProperties !== undefined || maxProperties !== undefined) limits(object, path, sink);
    for (const key in object) {
      const check = fields.get(key) ?? others;
      if (check !== undefined) {
        count += check(object[key], oldField(old, key, path), path === '' ? key : `${path}.${key}`, sink);
      } else if (isClosed) {
        const detail = `${path}.${key} in body is a forbidden property`;
        addErrors(sink, [invalidValue(sink.base.field(path), key, detail)]);
      }
    }
    for (const key of required) {
      if (Object.hasOwn(object, key)) continue;
      addErrors(sink, [requiredValue(sink.base.field(path === '' ? key : `${path}.${key}`))]);
    }
    return count;
  };
}

/** The kind and version of an object cannot have changed, so nothing is tolerated in them. */
function oldField(old: unknown, key: string, path: string): unknown {
  if (!isPlainObject(old) || !Object.hasOwn(old, key)) return noOld;
  return path === '' && (key === 'apiVersion' || key === 'kind') ? noOld : old[key];
}
