import type { AnySchema, ObjectKind, ObjectOf } from '../contracts/kubernetes/kinds.ts';

/** Which object. The namespace is empty for kinds that have none. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** A copy that the watch has brought is good enough if it is at least of this version. Without it, the API server is asked. */
  readonly atLeast?: string | undefined;
}

export interface ListOptions {
  readonly signal?: AbortSignal | undefined;
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /**
   * What the API server has in its cache is good enough, though it may lack what was written a moment ago. Much faster while
   * others write. For what nobody acts upon without another look.
   */
  readonly mayLag?: boolean | undefined;
}

export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface PatchOptions extends WriteOptions {
  readonly subresource?: 'status' | undefined;
  /** Told the version that the object has then. */
  readonly written?: ((version: string) => void) | undefined;
}

export interface RemoveOptions extends WriteOptions {
  /** Only if it still is this one. */
  readonly uid?: string | undefined;
  readonly propagation?: 'Foreground' | 'Background' | 'Orphan' | undefined;
}

/**
 * One Kubernetes cluster, as a function may use it. All of it may throw trouble: Conflict where somebody wrote first or
 * the object is there already, Refused where the same request never works, Transient and Uncertain for the rest.
 */
export interface Cluster {
  /** Undefined: there is no such object. */
  read<Schema extends AnySchema>(
    kind: ObjectKind<Schema>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<ObjectOf<Schema> | undefined>;
  /** Page by page. What does not read as its kind is left out. */
  list<Schema extends AnySchema>(
    kind: ObjectKind<Schema>,
    options?: ListOptions,
  ): AsyncIterable<readonly ObjectOf<Schema>[]>;
  /** Returns it as the API server has it then. */
  create<Schema extends AnySchema>(
    kind: ObjectKind<Schema>,
    object: NewObject,
    options?: WriteOptions,
  ): Promise<ObjectOf<Schema>>;
  /** Writes the whole object; `metadata.resourceVersion` says over which version. */
  replace<Schema extends AnySchema>(
    kind: ObjectKind<Schema>,
    object: NewObject,
    options?: WriteOptions,
  ): Promise<ObjectOf<Schema>>;
  /** A JSON merge patch. With `metadata.resourceVersion` in it, it only applies to that version. False: there is no such object. */
  patch(kind: ObjectKind, key: ObjectKey, patch: object, options?: PatchOptions): Promise<boolean>;
  /** False: it was not there, or was another one by now. */
  remove(kind: ObjectKind, key: ObjectKey, options?: RemoveOptions): Promise<boolean>;
}

/** An object to write: the API server fills in the rest. */
export interface NewObject {
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name?: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

/** How to reach a cluster, and as whom. */
export interface ClusterAccess {
  readonly server: string;
  /** Empty: none, where a certificate says who asks. */
  readonly token: string;
  /** PEM, both. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string } | undefined;
  /** PEM. Without it, the authorities that the machine trusts. */
  readonly certificateAuthority?: string | undefined;
  readonly insecure: boolean;
}

export interface Clusters {
  /** The cluster whose API the tenants use. */
  readonly local: Cluster;
  /** Another cluster. Connections are kept for a while and shared by who gives the same access. */
  at(access: ClusterAccess): Cluster;
}
