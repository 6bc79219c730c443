/** A kind of object as the API server offers it, whether we know it or not. */
export interface ApiResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
}

/** What every object tells of itself. */
export interface ApiObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly deleting: boolean;
  readonly labels: Readonly<Record<string, string>>;
}

/** What an API server offers. */
export interface Offer {
  /** In the order of their groups and names, each in the version that the server prefers. */
  readonly resources: readonly ApiResource[];
  /** Groups that the API server itself could not ask, and what is known of it. */
  readonly unreadable: readonly string[];
}

/** Objects of whatever kind in the cluster of the tenants. All of it may throw trouble, like a Cluster. */
export interface ApiResources {
  /** The kinds of namespaced objects that can be listed, read and deleted. */
  discover(signal: AbortSignal): Promise<Offer>;
  /** Page by page and in the order of their names, from the newest state of the cluster. Throws where the kind is not there. */
  list(
    resource: ApiResource,
    options: { readonly labelSelector?: string | undefined; readonly signal: AbortSignal },
  ): AsyncIterable<readonly ApiObject[]>;
  /** Deletes it with what belongs to it. False: it was not there, or was another one by now. */
  remove(resource: ApiResource, object: ApiObject, signal: AbortSignal): Promise<boolean>;
}
