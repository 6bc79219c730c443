import type { FieldError } from '../../status-error.ts';
import { forbiddenValue, invalidValue, requiredValue } from '../field-errors.ts';
import { goRegExp } from '../go-regexp.ts';
import type { Schema } from '../schema.ts';

type Level = 'root' | 'item' | 'field';

const untyped: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** Whether a schema is structural, so that pruning and defaulting are possible. Sorted, as the real server tells it. */
export function checkStructure(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  checkNode(schema, path, 'root', errors);
  checkCompleteness(schema, schema, path, path, errors);
  return errors.sort((a, b) => (`${a.field}: ${a.message}` < `${b.field}: ${b.message}` ? -1 : 1));
}

function checkNode(schema: Schema, path: string, level: Level, errors: FieldError[]): void {
  const { type, items, properties = {}, additionalProperties: others } = schema;
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;

  if (type === 'array' && items === undefined) errors.push(requiredValue(`${path}.items`, 'must be specified'));
  if (items !== undefined) checkNode(items, `${path}.items`, 'item', errors);
  for (const [name, field] of Object.entries(properties))
    checkNode(field, `${path}.properties[${name}]`, 'field', errors);
  if (others !== undefined) {
    if (level === 'root') errors.push(forbiddenValue(`${path}.additionalProperties`, 'must not be used at the root'));
    if (isResource) {
      const detail = 'must not be used if x-kubernetes-embedded-resource is set';
      errors.push(forbiddenValue(`${path}.additionalProperties`, detail));
    }
    if (typeof others === 'object') checkNode(others, `${path}.additionalProperties`, 'field', errors);
  }
  if (isIntOrString && preserves) {
    const detail = 'must be false if x-kubernetes-int-or-string is true';
    errors.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, true, detail));
  }
  checkAlternatives(schema, path, isIntOrString, errors);

  if (isResource && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type ? invalidValue(`${path}.type`, type, detail) : requiredValue(`${path}.type`, detail));
  } else if (!type && !isIntOrString && schema['x-kubernetes-preserve-unknown-fields'] === undefined)
    errors.push(requiredValue(`${path}.type`, untyped[level]));
  if (level === 'root' && type && type !== 'object') {
    errors.push(invalidValue(`${path}.type`, type, 'must be object at the root'));
  }
  if (isResource && !preserves && Object.keys(properties).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(requiredValue(`${path}.properties`, detail));
  }
  if (level === 'root' || isResource) checkMeta(properties, path, level, errors);
}

function checkMeta(
  properties: Readonly<Record<string, Schema>>,
  path: string,
  level: Level,
  errors: FieldError[],
): void {
  for (const name of ['kind', 'apiVersion']) {
    const type = properties[name]?.type;
    if (Object.hasOwn(properties, name) && type !== 'string') {
      errors.push(invalidValue(`${path}.properties[${name}].type`, type ?? '', 'must be string'));
    }
  }
  const metadata = properties['metadata'];
  if (metadata === undefined) return;
  if (metadata.type !== 'object') {
    errors.push(invalidValue(`${path}.properties[metadata].type`, metadata.type ?? '', 'must be object'));
  }
  const { type, description, default: _, properties: fields = {}, ...rest } = metadata;
  const isFree = Object.keys(fields).every((name) => name === 'name' || name === 'generateName');
  if (level === 'root' && (!isFree || Object.keys(rest).length > 0)) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbiddenValue(`${path}.properties[metadata]`, detail));
  }
}

function checkAlternatives(schema: Schema, path: string, isIntOrString: boolean, errors: FieldError[]): void {
  const isTypePair = (parts: readonly Schema[] | undefined) =>
    isIntOrString && JSON.stringify(parts) === '[{"type":"integer"},{"type":"string"}]';
  for (const [index, part] of (schema.anyOf ?? []).entries()) {
    if (!isTypePair(schema.anyOf)) checkAlternative(part, `${path}.anyOf[${index}]`, errors);
  }
  for (const [index, part] of (schema.allOf ?? []).entries()) {
    const isPair = index === 0 && isTypePair(part.anyOf);
    const { anyOf: _, ...plain } = part;
    checkAlternative(isPair ? plain : part, `${path}.allOf[${index}]`, errors);
  }
  for (const [index, part] of (schema.oneOf ?? []).entries()) checkAlternative(part, `${path}.oneOf[${index}]`, errors);
  if (schema.not !== undefined) checkAlternative(schema.not, `${path}.not`, errors);
  if (schema.pattern && !isPattern(schema.pattern)) {
    const detail = `must be a valid regular expression, but isn't: error parsing regexp: ${schema.pattern}`;
    errors.push(invalidValue(`${path}.pattern`, schema.pattern, detail));
  }
}

const forbidden: readonly (readonly [key: keyof Schema, detail: string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

/** Alternatives may only restrict what the schema around them describes. */
function checkAlternative(schema: Schema, path: string, errors: FieldError[]): void {
  checkAlternatives(schema, path, false, errors);
  if (schema.items !== undefined) checkAlternative(schema.items, `${path}.items`, errors);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    checkAlternative(field, `${path}.properties[${name}]`, errors);
  }
  for (const [key, detail] of forbidden) {
    const value = schema[key];
    if (value !== undefined && value !== false && value !== '') errors.push(forbiddenValue(`${path}.${key}`, detail));
  }
  if (schema.properties?.['metadata'] !== undefined) {
    errors.push(forbiddenValue(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
}

/** What an alternative speaks of must be described outside of it. */
function checkCompleteness(part: Schema, schema: Schema, path: string, from: string, errors: FieldError[]): void {
  const inner: [Schema, string][] = [];
  if (part.not !== undefined) inner.push([part.not, `${from}.not`]);
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, each] of (part[key] ?? []).entries()) inner.push([each, `${from}.${key}[${index}]`]);
  }
  for (const [each, at] of inner) {
    checkCompleteness(each, schema, path, at, errors);
    if (each.items !== undefined) {
      if (schema.items === undefined)
        errors.push(requiredValue(`${path}.items`, `because it is defined in ${at}.items`));
      else checkCompleteness({ allOf: [each.items] }, schema.items, `${path}.items`, `${at}.items`, errors);
    }
    for (const [name, field] of Object.entries(each.properties ?? {})) {
      const described = schema.properties?.[name];
      const where = `${path}.properties[${name}]`;
      const because = `${at}.properties[${name}]`;
      if (described === undefined) errors.push(requiredValue(where, `because it is defined in ${because}`));
      else checkCompleteness(field, described, where, because, errors);
    }
  }
}

function isPattern(pattern: string): boolean {
  try {
    goRegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
