import type { ApiObject } from '../api-object.ts';
import type { Schema } from '../schema/schema.ts';
import type { FieldError } from '../status-error.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** A column of `kubectl get`, as a CRD states it. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** What a kind does beyond its schema. Objects given to `prepare…` are private copies and may be changed. */
export interface KindRules {
  /** Fills in what Go code defaults for a built-in kind. Runs when an object is decoded, before admission. */
  setDefaults?(object: ApiObject): void;
  prepareCreate?(object: ApiObject): void;
  prepareUpdate?(object: ApiObject, old: ApiObject): void;
  validate?(object: ApiObject, old: ApiObject | undefined): readonly FieldError[];
}

/** One version of one kind as it is served now. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Reviews and the like can only be created, and are not stored. */
  readonly verbs: readonly Verb[];
  /** Where objects of every version of this kind are kept: `plural` or `plural.group`. */
  readonly storage: string;
  /** The apiVersion that objects are stored under. */
  readonly storedAs: string;
  readonly isCustom: boolean;
  /** What clients of a version that is on its way out are warned with. */
  readonly deprecation?: string;
  readonly schema: Schema;
  /** The schema of the version that is stored. */
  readonly storedSchema: Schema;
  /** Whether `/status` is an endpoint of its own, so that each endpoint ignores the other's part. */
  readonly hasStatus: boolean;
  /** Whether metadata.generation counts the changes of everything but metadata and status. */
  readonly countsGenerations: boolean;
  readonly scale?: ScalePaths;
  /** All subresources that are served, `status` and `scale` among them. */
  readonly subresources: readonly string[];
  /** Subresources that a real cluster has and this stand-in has not. */
  readonly missingSubresources: readonly string[];
  readonly columns: readonly PrinterColumn[];
  /** Fields beside metadata.name and metadata.namespace that a field selector may name. */
  readonly selectableFields: readonly string[];
  readonly rules: KindRules;
}

export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

export function storageOf(group: string, plural: string): string {
  return group === '' ? plural : `${plural}.${group}`;
}
