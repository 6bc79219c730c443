import type { Schema } from './schema.ts';

const text: Schema = { type: 'string' };
const wholeNumber: Schema = { type: 'integer', format: 'int64' };
const time: Schema = { type: 'string', format: 'date-time' };
const texts: Schema = { type: 'object', additionalProperties: text };

/** The metadata of every object, whatever its kind. A CRD cannot change it. */
export const objectMetaSchema: Schema = {
  title: 'v1.ObjectMeta',
  type: 'object',
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    resourceVersion: text,
    generation: wholeNumber,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: wholeNumber,
    labels: texts,
    annotations: texts,
    ownerReferences: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      items: {
        title: 'v1.OwnerReference',
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        required: ['apiVersion', 'kind', 'name', 'uid'],
        properties: {
          apiVersion: text,
          kind: text,
          name: text,
          uid: text,
          controller: { type: 'boolean' },
          blockOwnerDeletion: { type: 'boolean' },
        },
      },
    },
    finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    managedFields: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: {
        title: 'v1.ManagedFieldsEntry',
        type: 'object',
        properties: {
          manager: text,
          operation: text,
          apiVersion: text,
          time,
          fieldsType: text,
          fieldsV1: { title: 'v1.FieldsV1', type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          subresource: text,
        },
      },
    },
  },
};
