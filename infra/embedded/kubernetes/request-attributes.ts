import type { ServedKind } from './kinds/served-kind.ts';
import type { User } from './user.ts';

/** What a request asks for, once its path and query are understood; what authorization, admission and audit look at. */
export interface RequestAttributes {
  readonly user: User;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; for a non-resource path the lower-case HTTP method. */
  readonly verb: string;
  readonly isResourceRequest: boolean;
  readonly path: string;
  /** The resource part: empty where the path names no resource. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** A write on its way into the store, as admission sees it. */
export interface AdmissionAttributes extends RequestAttributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: ServedKind;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions of the request. */
  readonly options: Readonly<Record<string, unknown>>;
}
