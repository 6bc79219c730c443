import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type CompiledSchema, compileSchema } from '../../../../infra/embedded/kubernetes/schema/compile-schema.ts';
import type { Schema } from '../../../../infra/embedded/kubernetes/schema/schema.ts';
import type { FieldError } from '../../../../infra/embedded/kubernetes/status-error.ts';
import type { Outcome, Scenario, Server, StoredObject } from './play-scenario.ts';

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

export function readDefinition(file: string): Definition {
  return parse(readFileSync(new URL(`../../../../infra/crds/${file}`, import.meta.url), 'utf8')) as Definition;
}

/** As much of a server as schemas can be: it prunes, defaults, validates and forgets. */
export function localServer({ schema }: Scenario): Server {
  const definition = typeof schema === 'string' ? readDefinition(schema) : undefined;
  let root = typeof schema === 'string' ? (definition?.spec.versions[0]?.schema.openAPIV3Schema ?? {}) : schema;
  let compiled: CompiledSchema = compileSchema(root, { isRoot: true });
  let stored: StoredObject = { metadata: {} };
  const kind = {
    apiVersion: definition ? `${definition.spec.group}/${definition.spec.versions[0]?.name}` : 'try.example.com/v1',
    kind: definition?.spec.names.kind ?? 'Try',
  };

  const settle = (object: StoredObject) => compiled.applyDefaults(compiled.prune({ ...kind, ...object }));
  function finish(object: StoredObject, errors: readonly FieldError[]): Outcome {
    if (errors.length > 0)
      return { errors: errors.map(({ reason, field, message }) => `${reason} ${field}: ${message}`) };
    stored = object;
    return { stored };
  }

  return {
    async create(spec, name) {
      const object = settle({ metadata: { name, namespace: 'default' }, spec });
      return finish(object, compiled.validate(object));
    },
    async update(object) {
      const next = settle(object);
      return finish(next, compiled.validate(next, settle(stored)));
    },
    async updateStatus(object) {
      const next = settle(object);
      return finish(next, compiled.validateStatus(next, settle(stored)));
    },
    async changeSchema(spec) {
      root = { ...root, properties: { ...root.properties, spec } };
      compiled = compileSchema(root, { isRoot: true });
    },
  };
}
