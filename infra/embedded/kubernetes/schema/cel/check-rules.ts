import type { FieldError } from '../../status-error.ts';
import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  invalidWithoutValue,
  noField,
  requiredValue,
} from '../field-errors.ts';
import { isPlainObject } from '../plain-object.ts';
import type { Schema } from '../schema.ts';
import { oldElement, unchanged } from '../unchanged.ts';
import { type CompiledRule, compileRule } from './compile-rule.ts';
import { alignmentOf, conversionOf } from './rule-values.ts';
import { tellFailure } from './tell-failure.ts';

/** The nearest value above that has an old one to be compared with. Faults in what did not change are tolerated. */
interface Ancestor {
  readonly schema: Schema;
  readonly value: unknown;
  readonly old: unknown;
}

/** `old` is undefined where there is no old value. */
export type RulesCheck = (
  value: unknown,
  old: unknown,
  path: string,
  errors: FieldError[],
  nearest: Ancestor | undefined,
) => void;

/** Asks all rules of a schema and of what lies below. Nothing to do where there are none. */
export function rulesCheckOf(schema: Schema): RulesCheck | undefined {
  const own = ownRulesOf(schema);
  const all = (schema.allOf ?? []).flatMap((part) => {
    const rules = part['x-kubernetes-validations'];
    return rules === undefined ? [] : (ownRulesOf({ ...schema, 'x-kubernetes-validations': rules }) ?? []);
  });
  const items = schema.items && rulesCheckOf(schema.items);
  const others =
    typeof schema.additionalProperties === 'object' ? rulesCheckOf(schema.additionalProperties) : undefined;
  const fields = new Map<string, RulesCheck>();
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const check = rulesCheckOf(field);
    if (check !== undefined) fields.set(name, check);
  }
  if (!own && all.length === 0 && !items && !others && fields.size === 0) return undefined;

  return (value, old, path, errors, above) => {
    if (value === null || value === undefined) return;
    const nearest = old === undefined ? above : { schema, value, old };
    own?.(value, old, path, errors, nearest);
    for (const check of all) check(value, old, path, errors, undefined);
    if (Array.isArray(value)) {
      if (items === undefined) return;
      for (let index = 0; index < value.length; index += 1) {
        const before = oldElement(schema, value[index], old);
        items(value[index], before, `${path}[${index}]`, errors, nearest);
      }
    } else if (isPlainObject(value)) {
      const before = isPlainObject(old) ? old : undefined;
      if (others !== undefined) {
        for (const key in value) others(value[key], oldField(before, key), `${path}[${key}]`, errors, nearest);
      }
      for (const [name, check] of fields) {
        if (!Object.hasOwn(value, name)) continue;
        check(value[name], oldField(before, name), path === '' ? name : `${path}.${name}`, errors, nearest);
      }
    }
  };
}

function oldField(old: Readonly<Record<string, unknown>> | undefined, key: string): unknown {
  return old !== undefined && Object.hasOwn(old, key) ? (old[key] ?? undefined) : undefined;
}

function ownRulesOf(schema: Schema): RulesCheck | undefined {
  const rules = (schema['x-kubernetes-validations'] ?? [])
    .filter(({ rule }) => rule.trim() !== '')
    .map((rule) => compileRule(rule, schema));
  if (rules.length === 0) return undefined;
  const convert = conversionOf(schema);
  const align = rules.some(({ usesOldSelf }) => usesOldSelf) ? alignmentOf(schema) : undefined;
  const hidesValue = schema.type === 'object' || schema.type === 'array';

  return (value, old, path, errors, nearest) => {
    const self = convert === undefined ? value : convert(value);
    let oldSelf: unknown;
    for (const compiled of rules) {
      if (compiled.usesOldSelf) {
        if (old === undefined && compiled.rule.optionalOldSelf !== true) continue;
        if (oldSelf === undefined && old !== undefined) {
          const aligned = align === undefined ? old : align(value, old);
          oldSelf = convert === undefined ? aligned : convert(aligned);
        }
      }
      const error = ask(compiled, self, oldSelf, path, value, hidesValue, schema.type ?? '');
      if (error === undefined) continue;
      const isOld =
        !compiled.usesOldSelf && nearest !== undefined && unchanged(nearest.schema, nearest.value, nearest.old);
      if (!isOld) errors.push(error);
    }
  };
}

function ask(
  compiled: CompiledRule,
  self: unknown,
  oldSelf: unknown,
  path: string,
  value: unknown,
  hidesValue: boolean,
  type: string,
): FieldError | undefined {
  try {
    if (compiled.holds(self, oldSelf)) return undefined;
  } catch (error) {
    return invalidValue(path || noField, type, tellFailure(error, compiled.rule));
  }
  const detail = compiled.explain(self, oldSelf);
  const field = [path, compiled.fieldPath].filter((part) => part !== '').join('.') || noField;
  switch (compiled.rule.reason) {
    case 'FieldValueForbidden':
      return forbiddenValue(field, detail);
    case 'FieldValueRequired':
      return requiredValue(field, detail);
    case 'FieldValueDuplicate':
      return hidesValue
        ? { reason: 'FieldValueDuplicate', field, message: 'Duplicate value' }
        : duplicateValue(field, value);
    default:
      return hidesValue ? invalidWithoutValue(field, detail) : invalidValue(field, value, detail);
  }
}
