import type { ApiObject } from '../api-object.ts';
import type { Clock } from '../clock.ts';
import type { InternalApi, ObjectKey, StoreEvent } from '../internal-api.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import type { WorkQueue } from './work-queue.ts';

/** Watches over something and brings it into order. */
export interface Controller {
  /** Told of every object at the start, as if it had just been added, and of every change after. */
  observe(event: StoreEvent): void;
}

export interface ControllerParts {
  readonly api: InternalApi;
  readonly clock: Clock;
  kinds(): readonly ServedKind[];
  /** A queue that the whole machinery starts, stops and waits for. */
  queue(name: string, run: (key: string) => Promise<void>): WorkQueue;
}

/** `namespace/name`, the key under which controllers of one kind queue their work. */
export function keyOf(object: ApiObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
}

export function objectKey(storage: string, key: string): ObjectKey {
  const at = key.indexOf('/');
  return { storage, namespace: key.slice(0, at), name: key.slice(at + 1) };
}

export function keyIn(storage: string, object: ApiObject): ObjectKey {
  return { storage, namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' };
}

export function isBeingDeleted(object: ApiObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/** The uid of the one owner that manages an object. */
export function controllerUid(object: ApiObject): string | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
}

/** A copy without one of its finalizers, to be written with the version it was read at. */
export function withoutFinalizer(object: ApiObject, finalizer: string): ApiObject {
  const { finalizers = [], ...metadata } = object.metadata;
  const left = finalizers.filter((name) => name !== finalizer);
  return { ...object, metadata: left.length === 0 ? metadata : { ...metadata, finalizers: left } };
}
