import { isFields } from '../../domain/core/fields.ts';

/** Which objects to follow. All namespaces unless one is named. */
export interface WatchedResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** The API server then sends nothing but the metadata, which spares it and us the bodies. */
  readonly metadataOnly?: boolean | undefined;
}

interface ObjectMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface WatchedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
  readonly [field: string]: unknown;
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: WatchedObject;
}

export function apiVersionOf({ group, version }: Pick<WatchedResource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

export function pathOf({ group, version, plural, namespace }: WatchedResource): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace === undefined ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`;
}

/** Undefined where it has no identity. Items of a list come without their kind, and bare metadata with another one: both get their own. */
export function readObject(value: unknown, resource: WatchedResource): WatchedObject | undefined {
  if (!isFields(value) || !isFields(value['metadata'])) return undefined;
  const { name, uid, resourceVersion } = value['metadata'];
  if (typeof name !== 'string' || typeof uid !== 'string' || typeof resourceVersion !== 'string') return undefined;
  return { ...value, apiVersion: apiVersionOf(resource), kind: resource.kind } as WatchedObject;
}
