import type { FieldError } from '../status-error.ts';
import { invalidValue, requiredValue } from './field-errors.ts';
import { isPlainObject } from './plain-object.ts';
import type { Schema } from './schema.ts';

type Walk = (value: unknown, path: string, errors: FieldError[]) => void;

/** Whole resources inside a resource need a version and a kind. Nothing to do where a schema has none. */
export function embeddedCheckOf(schema: Schema): Walk | undefined {
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  const items = schema.items && embeddedCheckOf(schema.items);
  const others =
    typeof schema.additionalProperties === 'object' ? embeddedCheckOf(schema.additionalProperties) : undefined;
  const fields = new Map<string, Walk>();
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const check = embeddedCheckOf(field);
    if (check !== undefined) fields.set(name, check);
  }
  if (!isResource && items === undefined && others === undefined && fields.size === 0) return undefined;

  return (value, path, errors) => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) items?.(item, `${path}[${index}]`, errors);
    } else if (isPlainObject(value)) {
      if (isResource) checkTypeMeta(value, path, errors);
      for (const key in value) {
        const field = fields.get(key);
        if (field !== undefined) field(value[key], path === '' ? key : `${path}.${key}`, errors);
        else others?.(value[key], `${path}[${key}]`, errors);
      }
    }
  };
}

function checkTypeMeta(resource: Readonly<Record<string, unknown>>, path: string, errors: FieldError[]): void {
  for (const key of ['apiVersion', 'kind']) {
    const field = path === '' ? key : `${path}.${key}`;
    const value = resource[key];
    if (value === undefined) errors.push(requiredValue(field));
    else if (typeof value !== 'string') errors.push(invalidValue(field, value, 'must be a string'));
    else if (value === '') errors.push(invalidValue(field, value, 'must not be empty'));
  }
}
