import type { Environment } from '@marcbachmann/cel-js';
import type { Schema } from '../schema.ts';
import { escapeName, isReserved } from './escape-name.ts';

const formats: Readonly<Record<string, string>> = {
  byte: 'bytes',
  date: 'google.protobuf.Timestamp',
  'date-time': 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

/**
 * Declares the type of a schema and gives back its name, or nothing where rules cannot see values of that schema. The
 * root of a resource always has a kind, a version and a name.
 */
export function declareType(
  environment: Environment,
  schema: Schema,
  name: string,
  isResource = schema['x-kubernetes-embedded-resource'] === true,
): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return 'dyn';
  switch (schema.type) {
    case 'array': {
      const items = schema.items && declareType(environment, schema.items, `${name}.items`);
      return items && `list<${items}>`;
    }
    case 'object': {
      if (typeof schema.additionalProperties === 'object') {
        const others = declareType(environment, schema.additionalProperties, `${name}.values`);
        return others && `map<string, ${others}>`;
      }
      return declareObject(environment, schema, name, isResource);
    }
    case 'string':
      return formats[schema.format ?? ''] ?? 'string';
    case 'boolean':
      return 'bool';
    case 'integer':
      return 'int';
    case 'number':
      return 'double';
    default:
      return undefined;
  }
}

function declareObject(environment: Environment, schema: Schema, name: string, isResource: boolean): string {
  const fields: Record<string, string> = {};
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    const spelled = escapeName(key);
    const type = spelled === undefined ? undefined : declareType(environment, field, `${name}.${spelled}`);
    if (spelled === undefined || type === undefined) continue;
    fields[spelled] = type;
    if (isReserved(key)) fields[key] = type;
  }
  if (isResource) {
    environment.registerType(`${name}.resourceMetadata`, { fields: { name: 'string', generateName: 'string' } });
    Object.assign(fields, { apiVersion: 'string', kind: 'string', metadata: `${name}.resourceMetadata` });
  }
  environment.registerType(name, { fields });
  // Only types are judged here; nothing is ever compared.
  environment.registerOperator(`${name} == ${name}`, () => false);
  return name;
}
