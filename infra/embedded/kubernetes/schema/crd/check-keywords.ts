import type { FieldError } from '../../status-error.ts';
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../field-errors.ts';
import type { Schema } from '../schema.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

/** What one schema says of itself, without the schemas below it. */
export function checkKeywords(schema: Schema, path: string, noDefault: string | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const { type } = schema;
  if (type && !types.includes(type)) errors.push(unsupportedValue(`${path}.type`, type, types));
  if (schema.default !== undefined && schema.default !== null && noDefault !== undefined) {
    errors.push(forbiddenValue(`${path}.default`, `must not be set ${noDefault}`));
  }
  for (const key of unsupported) {
    if (Object.hasOwn(schema, key)) errors.push(forbiddenValue(`${path}.${key}`, `${key} is not supported`));
  }
  if (schema.uniqueItems === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenValue(`${path}.uniqueItems`, detail));
  }
  const others = schema.additionalProperties;
  if (others !== undefined && others !== true && Object.keys(schema.properties ?? {}).length > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    errors.push(forbiddenValue(`${path}.additionalProperties`, detail));
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  }
  checkMapType(schema, path, errors);
  checkListType(schema, path, errors);
  return errors;
}

function mustBe(errors: FieldError[], path: string, type: string | undefined, wanted: string, because: string): void {
  if (type === wanted) return;
  const detail = `must be ${wanted} if ${because} is specified`;
  errors.push(type ? invalidValue(`${path}.type`, type, detail) : requiredValue(`${path}.type`, detail));
}

function checkMapType(schema: Schema, path: string, errors: FieldError[]): void {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return;
  mustBe(errors, path, schema.type, 'object', 'x-kubernetes-map-type');
  if (mapType !== 'atomic' && mapType !== 'granular') {
    errors.push(unsupportedValue(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
  }
}

function checkListType(schema: Schema, path: string, errors: FieldError[]): void {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (listType !== undefined) {
    mustBe(errors, path, schema.type, 'array', 'x-kubernetes-list-type');
    if (!['atomic', 'set', 'map'].includes(listType)) {
      errors.push(unsupportedValue(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']));
    }
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const field = `${path}.x-kubernetes-list-type`;
    errors.push(listType === undefined ? requiredValue(field, detail) : invalidValue(field, listType, detail));
  }
  const { items } = schema;
  if (listType === 'set' && items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
    errors.push(invalidValue(`${path}.items.x-kubernetes-map-type`, items['x-kubernetes-list-type'] ?? null, detail));
  }
  if (listType === 'map') checkKeyedList(schema, path, keys, errors);
  if ((listType === 'map' || listType === 'set') && items?.nullable === true) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbiddenValue(`${path}.items.nullable`, detail));
  }
  if (listType === 'map') checkKeyFields(items, path, keys, errors);
}

function checkKeyedList(schema: Schema, path: string, keys: readonly string[], errors: FieldError[]): void {
  const { items } = schema;
  if (keys.length === 0) {
    const detail = 'must not be empty if x-kubernetes-list-type is map';
    errors.push(requiredValue(`${path}.x-kubernetes-list-map-keys`, detail));
  }
  if (items === undefined) {
    errors.push(requiredValue(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'));
    return;
  }
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalidValue(`${path}.items.type`, items.type ?? '', detail));
    return;
  }
  for (const [index, key] of keys.entries()) {
    const field = items.properties?.[key];
    if (field === undefined) {
      const detail = 'entries must all be names of item properties';
      errors.push(invalidValue(`${path}.x-kubernetes-list-map-keys`, keys, detail));
    } else if (field.type === 'array' || field.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalidValue(`${path}.items.properties[${key}].type`, items.type, detail));
    }
    if (keys.indexOf(key) !== index) {
      errors.push(invalidValue(`${path}.x-kubernetes-list-map-keys`, keys, 'must not contain duplicate entries'));
    }
  }
}

function checkKeyFields(items: Schema | undefined, path: string, keys: readonly string[], errors: FieldError[]): void {
  for (const key of keys) {
    const field = items?.properties?.[key];
    if (field === undefined) continue;
    const where = `${path}.items.properties[${key}]`;
    if (!items?.required?.includes(key) && (field.default === undefined || field.default === null)) {
      const detail =
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      errors.push(requiredValue(`${where}.default`, detail));
    }
    if (field.nullable === true) {
      const detail = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable';
      errors.push(forbiddenValue(`${where}.nullable`, detail));
    }
  }
}
