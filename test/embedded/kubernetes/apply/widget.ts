import type { ApiObject, ManagedFieldsEntry } from '../../../../infra/embedded/kubernetes/api-object.ts';
import { resetFieldsOf } from '../../../../infra/embedded/kubernetes/apply/reset-fields-of.ts';
import { type TrackUpdate, trackUpdate } from '../../../../infra/embedded/kubernetes/apply/track-update.ts';
import type { Schema } from '../../../../infra/embedded/kubernetes/schema/schema.ts';

const text: Schema = { type: 'string' };

/** A custom resource with every kind of list and map that ownership knows. */
const widgetSchema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        color: text,
        flag: { type: 'boolean' },
        atoms: { type: 'array', items: text },
        tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' }, name: text },
          },
        },
        labels: { type: 'object', additionalProperties: text },
        whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text, b: text } },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        either: { 'x-kubernetes-int-or-string': true },
        nested: { type: 'object', properties: { x: text, y: text } },
      },
    },
    status: {
      type: 'object',
      properties: {
        phase: text,
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: { type: 'object', properties: { type: text, status: text } },
        },
      },
    },
  },
};

export const noon = '2026-11-16T12:00:00Z';
export const later = '2026-11-16T12:00:07Z';

export function widget(spec: Record<string, unknown>, metadata: Partial<ApiObject['metadata']> = {}): ApiObject {
  return { apiVersion: 'test.dev/v1', kind: 'Widget', metadata: { name: 'w', ...metadata }, spec };
}

export const tracking = {
  apiVersion: 'test.dev/v1',
  schema: widgetSchema,
  builtIn: false,
  time: noon,
  resetFields: resetFieldsOf({ kind: 'Widget', builtIn: false, hasStatus: true }),
};

/** The entries after a write, made short: who, how, and what in the form of the wire. */
export function shortly(entries: readonly ManagedFieldsEntry[] | undefined): unknown[] {
  return (entries ?? []).map(({ manager, operation, subresource, time, fieldsV1 }) => {
    const how = subresource === undefined ? operation : `${operation} ${subresource}`;
    return [manager, how, ...(time === later ? ['later'] : []), fieldsV1];
  });
}

export function created(manager: string, object: ApiObject): ApiObject {
  const managedFields = trackUpdate({ ...tracking, live: undefined, next: object, manager });
  if (managedFields === undefined) throw new Error('a new object must be tracked');
  return { ...object, metadata: { ...object.metadata, uid: 'u', managedFields: [...managedFields] } };
}

export function updated(live: ApiObject, next: ApiObject, change: Partial<TrackUpdate> = {}): ApiObject {
  const managedFields = trackUpdate({ ...tracking, manager: 'editor', time: later, live, next, ...change });
  const { managedFields: _, ...metadata } = next.metadata;
  return {
    ...next,
    metadata: managedFields === undefined ? metadata : { ...metadata, managedFields: [...managedFields] },
  };
}
