import type { WatchEvent, WatchedObject } from '../../../shared/adapters/kubernetes/watched-object.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * What the forwarder keeps of an object it has seen. A Secret loses everything but its name and type here, before it is
 * kept or sent anywhere; its annotations go as well, because kubectl writes a copy of the values there.
 */
export function forwardedObject(object: WatchedObject): WatchedObject {
  // Nobody reads managedFields, and they are often the larger part of an object.
  const { managedFields: _managedFields, ...metadata } = object.metadata as WatchedObject['metadata'] & {
    managedFields?: unknown;
  };
  if (object.kind === 'Secret' && object.apiVersion === 'v1') {
    const { annotations: _annotations, ...named } = metadata;
    return {
      apiVersion: object.apiVersion,
      kind: object.kind,
      ...('type' in object && { type: object['type'] }),
      metadata: named,
    };
  }
  if (metadata.annotations?.[lastApplied] === undefined) return { ...object, metadata };
  const { [lastApplied]: _copy, ...annotations } = metadata.annotations;
  return { ...object, metadata: { ...metadata, annotations } };
}

/** The least that still says where to look, for an object too large to send. */
export function bareEvent({ type, object }: WatchEvent): WatchEvent {
  const { annotations: _annotations, ...metadata } = object.metadata;
  return { type, object: { apiVersion: object.apiVersion, kind: object.kind, metadata } };
}
