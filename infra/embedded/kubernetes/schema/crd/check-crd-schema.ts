import type { FieldError } from '../../status-error.ts';
import { rulesCheckOf } from '../cel/check-rules.ts';
import { valueCheckOf } from '../check-value.ts';
import { forbiddenValue, invalidValue } from '../field-errors.ts';
import { pruneValue } from '../prune-value.ts';
import type { Schema } from '../schema.ts';
import { shapeOf } from '../shape.ts';
import { noOld, type Sink } from '../value-check.ts';
import { checkKeywords } from './check-keywords.ts';
import { checkRuleExpressions, checkRuleFields } from './check-rule-texts.ts';
import { checkStructure } from './check-structure.ts';

/** What is wrong with the schema of a version of a custom resource. */
export function checkCrdSchema(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.nullable === true) errors.push(forbiddenValue(`${path}.nullable`, 'nullable cannot be true at the root'));
  const structure = checkStructure(schema, path);
  errors.push(...structure);
  const keywords = walk(schema, path, {}, structure.length === 0);
  // Defaults can be judged only by a schema that is right itself.
  if (structure.length === 0 && keywords.length === 0) errors.push(...checkDefaults(schema, path));
  errors.push(...keywords);
  return errors;
}

interface Place {
  /** Why a default may not be given here. */
  readonly noDefault?: string;
  readonly uncorrelated?: string;
  readonly isRoot?: boolean;
}

function walk(schema: Schema, path: string, place: Place, isStructural: boolean, isRoot = true): FieldError[] {
  const errors = checkKeywords(schema, path, place.noDefault);
  const down = (part: Schema, where: string, changed: Place = place) =>
    errors.push(...walk(part, where, changed, isStructural, false));
  if (typeof schema.additionalProperties === 'object')
    down(schema.additionalProperties, `${path}.additionalProperties`);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isMeta = isRoot && (name === 'metadata' || name === 'kind' || name === 'apiVersion');
    down(field, `${path}.properties[${name}]`, isMeta ? { ...place, noDefault: `in top-level ${name}` } : place);
  }
  if (schema.items !== undefined) {
    const isKeyed = schema['x-kubernetes-list-type'] === 'map';
    const uncorrelated = place.uncorrelated ?? (isKeyed ? undefined : path);
    down(schema.items, `${path}.items`, { ...place, ...(uncorrelated === undefined ? {} : { uncorrelated }) });
  }
  const fields = checkRuleFields(schema, path);
  errors.push(...fields);
  if (errors.length === 0 && isStructural) {
    const isResource = isRoot || schema['x-kubernetes-embedded-resource'] === true;
    errors.push(...checkRuleExpressions(schema, path, isResource, place.uncorrelated));
  }
  return errors;
}

function checkDefaults(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { default: value, items, properties = {} } = schema;
  if (value !== undefined && value !== null) errors.push(...checkDefault(schema, value, `${path}.default`));
  if (items !== undefined) errors.push(...checkDefaults(items, `${path}.items`));
  for (const [name, field] of Object.entries(properties)) {
    errors.push(...checkDefaults(field, `${path}.properties[${name}]`));
  }
  return errors;
}

function checkDefault(schema: Schema, value: unknown, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (pruneValue(value, shapeOf(schema), false) !== value) {
    errors.push(invalidValue(path, value, 'must not have unknown fields'));
  }
  const field = (below: string) => (below === '' ? path : `${path}.${below}`);
  const sink: Sink = { base: { field, self: path }, errors: [] };
  valueCheckOf(schema)(value, noOld, '', sink);
  errors.push(...sink.errors);
  if (sink.errors.length === 0) rulesCheckOf(schema)?.(value, undefined, path, errors, undefined);
  return errors;
}
