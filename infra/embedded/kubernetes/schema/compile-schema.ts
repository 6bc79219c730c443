import type { FieldError } from '../status-error.ts';
import { type Accept, acceptanceOf } from './accept-value.ts';
import { type RulesCheck, rulesCheckOf } from './cel/check-rules.ts';
import { type Base, wholeObject } from './check-scalars.ts';
import { valueCheckOf } from './check-value.ts';
import { defaultValue } from './default-value.ts';
import { embeddedCheckOf } from './embedded-resources.ts';
import { noField } from './field-errors.ts';
import { duplicatesCheckOf } from './list-duplicates.ts';
import { isPlainObject } from './plain-object.ts';
import { findUnknownFields, pruneValue } from './prune-value.ts';
import type { Schema } from './schema.ts';
import { shapeOf } from './shape.ts';
import { noOld, type Sink, type ValueCheck } from './value-check.ts';

/** Everything that is done with a value because of its schema. The values given are never changed. */
export interface CompiledSchema {
  readonly schema: Schema;
  /** The fields that strict validation complains about, in its order, for example `spec.components[0].bar`. */
  unknownFields(value: unknown): string[];
  /** Without the fields that the schema does not know. Unchanged parts are shared. */
  prune<Value>(value: Value): Value;
  /** With the defaults filled in. Unchanged parts are shared. */
  applyDefaults<Value>(value: Value): Value;
  /**
   * What is wrong with a value that is pruned and defaulted. With an old value it is an update: what was wrong before
   * and did not change is tolerated, and rules about changes are asked. `earlier` are errors that were found before
   * (in the metadata); they come first, and may keep the rules from being asked.
   */
  validate(value: unknown, old?: unknown, earlier?: readonly FieldError[]): FieldError[];
  /** The same for an update through the status subresource, given the whole objects. */
  validateStatus(value: unknown, old: unknown, earlier?: readonly FieldError[]): FieldError[];
}

interface Checks {
  readonly accepts: Accept;
  readonly acceptsStatus: Accept | undefined;
  readonly value: ValueCheck;
  readonly status: ValueCheck | undefined;
  readonly embedded: ((value: unknown, path: string, errors: FieldError[]) => void) | undefined;
  readonly duplicates: ((value: unknown, path: string, errors: FieldError[]) => void) | undefined;
  readonly rules: RulesCheck | undefined;
}

const statusOnly: Base = { field: (path) => (path === '' ? 'status' : `status.${path}`), self: 'status' };

export function compileSchema(schema: Schema, options: { readonly isRoot?: true } = {}): CompiledSchema {
  const isRoot = options.isRoot === true;
  let checks: Checks | undefined;
  // The checks are made when first needed: built-in kinds are never checked, and their schemas contain themselves.
  const checksOf = () => {
    checks ??= compileChecks(schema);
    return checks;
  };

  return {
    schema,
    unknownFields: (value) => findUnknownFields(value, shapeOf(schema), isRoot),
    prune: <Value>(value: Value) => pruneValue(value, shapeOf(schema), isRoot) as Value,
    applyDefaults: <Value>(value: Value) => defaultValue(value, shapeOf(schema)) as Value,
    validate(value, old, earlier = []) {
      const sink: Sink = { base: wholeObject, errors: [] };
      const made = checksOf();
      if (!made.accepts(value)) made.value(value, old === undefined ? noOld : old, '', sink);
      const errors = [...earlier, ...sink.errors];
      made.embedded?.(value, '', errors);
      return finish(made, value, old, errors);
    },
    validateStatus(value, old, earlier = []) {
      const sink: Sink = { base: statusOnly, errors: [] };
      const made = checksOf();
      if (isPlainObject(value) && Object.hasOwn(value, 'status')) {
        const before = isPlainObject(old) && Object.hasOwn(old, 'status') ? old['status'] : noOld;
        if (!made.acceptsStatus?.(value['status'])) made.status?.(value['status'], before, '', sink);
      }
      return finish(made, value, old, [...earlier, ...sink.errors]);
    },
  };
}

function compileChecks(schema: Schema): Checks {
  const status = schema.properties?.['status'];
  return {
    accepts: acceptanceOf(schema),
    acceptsStatus: status && acceptanceOf(status),
    value: valueCheckOf(schema),
    status: status && valueCheckOf(status),
    embedded: embeddedCheckOf(schema),
    duplicates: duplicatesCheckOf(schema),
    rules: rulesCheckOf(schema),
  };
}

/** Duplicates count only where there were none before, and rules are asked only of values that they can rely on. */
function finish({ duplicates, rules }: Checks, value: unknown, old: unknown, errors: FieldError[]): FieldError[] {
  if (duplicates !== undefined) {
    const found: FieldError[] = [];
    duplicates(value, '', found);
    if (found.length > 0 && old !== undefined) {
      const before: FieldError[] = [];
      duplicates(old, '', before);
      if (before.length > 0) found.length = 0;
    }
    errors.push(...found);
  }
  if (rules === undefined) return errors;
  if (errors.some(({ reason }) => blocking.has(reason))) errors.push(notAsked);
  else rules(value, old, '', errors, undefined);
  return errors;
}

const blocking: ReadonlySet<FieldError['reason']> = new Set<FieldError['reason']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const notAsked: FieldError = {
  reason: 'FieldValueInvalid',
  field: noField,
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};
