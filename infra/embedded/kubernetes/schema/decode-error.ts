import { Quantity } from './cel/quantity.ts';
import { base64Error, timeError } from './go-parse-errors.ts';
import { numberText } from './go-text.ts';
import { isPlainObject } from './plain-object.ts';
import type { Schema } from './schema.ts';

/** Fields whose type in Go has a name that the schema does not tell. */
const namedTypes: Readonly<Record<string, string>> = {
  'ObjectMeta.uid': 'types.UID',
  'OwnerReference.uid': 'types.UID',
  'ManagedFieldsEntry.operation': 'v1.ManagedFieldsOperationType',
  'Secret.type': 'v1.SecretType',
  'ServiceSpec.type': 'v1.ServiceType',
  'ServicePort.protocol': 'v1.Protocol',
  'ContainerPort.protocol': 'v1.Protocol',
  'Container.imagePullPolicy': 'v1.PullPolicy',
  'PodSpec.restartPolicy': 'v1.RestartPolicy',
  'PodSpec.dnsPolicy': 'v1.DNSPolicy',
};

/** Where the decoder is: the Go struct, its field, and the path without indexes and keys. */
interface Place {
  readonly struct: string;
  readonly field: string;
  readonly path: string;
}

/** A text that the decoder gives up on at once; a value of a wrong type it only notes, and goes on. */
class GivenUp {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Fault = string | GivenUp | undefined;

/**
 * The text with which a built-in kind is refused because a value has a wrong type, or nothing where it can be read. The
 * metadata of custom resources are read the same way, by themselves.
 */
export function decodeError(schema: Schema, value: unknown): string | undefined {
  const fault = decode(schema, value, { struct: '', field: '', path: '' });
  return fault instanceof GivenUp ? fault.text : fault;
}

function decode(schema: Schema, value: unknown, place: Place): Fault {
  if (value === null || value === undefined) return undefined;
  if (schema.title === 'resource.Quantity') return decodeQuantity(value);
  if (schema['x-kubernetes-int-or-string'] === true) {
    return typeof value === 'string' ? undefined : decodeInteger(value, 'int32', place);
  }
  // Where a schema stands, `true` or a list of schemas may stand as well.
  if (schema.title === 'v1.JSONSchemaProps' && (typeof value === 'boolean' || Array.isArray(value))) return undefined;
  switch (schema.type) {
    case 'string':
      return decodeText(schema, value, place);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : mismatch(schema, value, place);
    case 'integer':
      return decodeInteger(value, schema.format ?? 'int64', place);
    case 'number':
      return typeof value === 'number' ? undefined : mismatch(schema, value, place);
    case 'array':
      return Array.isArray(value) ? decodeAll(value, () => [schema.items, place]) : mismatch(schema, value, place);
    case 'object':
      return decodeObject(schema, value, place);
    default:
      return undefined;
  }
}

function decodeObject(schema: Schema, value: unknown, place: Place): Fault {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return undefined;
  if (!isPlainObject(value)) return mismatch(schema, value, place);
  const { properties } = schema;
  const keys = Object.keys(value);
  return decodeAll(Object.values(value), (index) => {
    const key = keys[index] ?? '';
    if (properties === undefined) {
      return [typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined, place];
    }
    const field = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const path = place.path === '' ? key : `${place.path}.${key}`;
    return [field, { struct: schema.title?.split('.').at(-1) ?? place.struct, field: key, path }];
  });
}

function decodeAll(values: readonly unknown[], at: (index: number) => readonly [Schema | undefined, Place]): Fault {
  let noted: string | undefined;
  for (const [index, value] of values.entries()) {
    const [schema, place] = at(index);
    const fault = schema === undefined ? undefined : decode(schema, value, place);
    if (fault instanceof GivenUp) return fault;
    noted ??= fault;
  }
  return noted;
}

function decodeInteger(value: unknown, type: string, place: Place): Fault {
  if (typeof value !== 'number') return complain(value, type, place);
  const limit = type === 'int32' ? 2 ** 31 : 2 ** 63;
  if (Number.isInteger(value) && value >= -limit && value < limit) return undefined;
  return complain(value, type, place, ` ${numberText(value)}`);
}

function decodeText(schema: Schema, value: unknown, place: Place): Fault {
  if (typeof value !== 'string') return mismatch(schema, value, place);
  const text =
    schema.format === 'date-time'
      ? timeError(value, schema.title === 'v1.MicroTime')
      : schema.format === 'byte'
        ? base64Error(value)
        : undefined;
  return text === undefined ? undefined : new GivenUp(text);
}

function decodeQuantity(value: unknown): Fault {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && Quantity.parse(text) !== undefined) return undefined;
  const form = "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  return new GivenUp(`quantities must match the regular expression ${form}`);
}

function mismatch(schema: Schema, value: unknown, place: Place): string {
  return complain(value, goType(schema, `${place.struct}.${place.field}`), place);
}

function complain(value: unknown, type: string, place: Place, shown = ''): string {
  const target =
    place.struct === '' ? `Go value of type ${type}` : `Go struct field ${place.struct}.${place.path} of type ${type}`;
  return `json: cannot unmarshal ${jsonType(value)}${shown} into ${target}`;
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function goType(schema: Schema, field: string): string {
  switch (schema.type) {
    case 'array':
      return `[]${schema.items === undefined ? 'interface {}' : goType(schema.items, '')}`;
    case 'object': {
      if (schema.title !== undefined) return schema.title;
      const others = schema.additionalProperties;
      if (typeof others !== 'object') return 'map[string]interface {}';
      return others.title === 'resource.Quantity' ? 'v1.ResourceList' : `map[string]${goType(others, '')}`;
    }
    case 'string':
      return schema.format === 'byte' ? '[]uint8' : (namedTypes[field] ?? 'string');
    case 'boolean':
      return 'bool';
    case 'integer':
      return schema.format ?? 'int64';
    case 'number':
      return 'float64';
    default:
      return schema.title ?? 'interface {}';
  }
}
