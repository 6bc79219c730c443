import type { ApiObject } from './api-object.ts';
import type { User } from './user.ts';

/** Which objects: a storage such as `secrets` or `environments.appstudio.redhat.com`, and where in it. */
export interface ObjectKey {
  readonly storage: string;
  /** Empty for a cluster-scoped kind. */
  readonly namespace: string;
  readonly name: string;
}

export interface DeleteOptions {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly gracePeriodSeconds?: number;
}

/** A change of an object in the store, told after it is safe on disk. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly storage: string;
  readonly revision: number;
  readonly object: ApiObject;
  /** The state before, absent for ADDED. */
  readonly previous?: ApiObject;
}

/** Reads of the store: always the present state, at once, never to be changed by the reader. */
export interface StoreReader {
  get(key: ObjectKey): ApiObject | undefined;
  /** Sorted by namespace and name. */
  list(storage: string, namespace?: string): readonly ApiObject[];
  /** Every storage that holds or may hold objects. */
  storages(): readonly string[];
  /** Told of every change of every object, or of one storage, from now on. Returns what ends it. */
  subscribe(listener: (event: StoreEvent) => void, storage?: string): () => void;
}

/**
 * The API as the control plane's own controllers use it: the same admission, validation and audit as a request from
 * outside, without authorization. Refusals are StatusErrors. `read` is the store itself.
 */
export interface InternalApi {
  readonly read: StoreReader;
  create(user: User, object: ApiObject): Promise<ApiObject>;
  /** With object.metadata.resourceVersion as precondition where it is set. */
  update(user: User, object: ApiObject, subresource?: 'status' | 'finalize'): Promise<ApiObject>;
  remove(user: User, key: ObjectKey, options?: DeleteOptions): Promise<void>;
}
