import type { z } from 'zod';

/** One rule that the API server evaluates (CEL), as it stands under `x-kubernetes-validations`. */
export interface Validation {
  readonly rule: string;
  /** What the user reads. Where there is a messageExpression as well, this is what is left when that fails. */
  readonly message: string;
  readonly messageExpression?: string;
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired';
  /** The field to point at, relative to the object that carries the rule. */
  readonly fieldPath?: string;
}

/** One of several is enough. Each stands on a line of its own, as people read these rules in the CRD. */
export function anyOf(...alternatives: readonly string[]): string {
  return alternatives.join(' ||\n');
}

const key = 'x-kubernetes-validations';

/**
 * Hangs rules on a schema, after those that it has already. Parsing does not know them: they hold where an object
 * is written, and most of them compare it with what it was before.
 */
export function validated<Schema extends z.ZodType>(schema: Schema, ...validations: readonly Validation[]): Schema {
  const earlier = (schema.meta()?.[key] ?? []) as readonly Validation[];
  return schema.meta({ [key]: [...earlier, ...validations] });
}

/** A required text that keeps its first value. The sentence is the one that the original's webhooks answer with. */
export function immutableText<Schema extends z.ZodType<string>>(field: string, schema: Schema): Schema {
  return validated(schema, {
    rule: 'self == oldSelf',
    message: `${field} field cannot be updated`,
    messageExpression: `'${field} field cannot be updated to ' + self`,
  });
}
