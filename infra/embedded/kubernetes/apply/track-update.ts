import type { ApiObject, ManagedFieldsEntry } from '../api-object.ts';
import type { Json, Schema } from '../schema/schema.ts';
import { type Comparison, compareValues } from './compare-values.ts';
import { emptyObject } from './empty-object.ts';
import {
  differenceOf,
  type FieldSet,
  fieldSetOfPaths,
  isEmptySet,
  noFields,
  unionOf,
  withoutTrees,
} from './field-set.ts';
import { fieldTypeOf } from './field-type.ts';
import {
  joinAncientUpdaters,
  type Owners,
  ownerId,
  readOwners,
  sameEntries,
  setFields,
  writeOwners,
} from './owners.ts';
import { trackScale } from './track-scale.ts';
import { untrackedFields } from './untracked-fields.ts';

export interface Tracking {
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  /** RFC 3339, in whole seconds. */
  readonly time: string;
  /** Undefined: types are deduced from the values. */
  readonly schema: Schema | undefined;
  /** Whether the kind is a struct on the real server, as everything but custom resources is. */
  readonly builtIn: boolean;
  /** What this endpoint puts back to its old value, so that nobody comes to own it here. */
  readonly resetFields?: readonly (readonly string[])[] | undefined;
  /** Where the scale of the kind has its replicas; `spec.replicas` when not said. */
  readonly replicasPath?: readonly string[] | undefined;
}

export interface TrackUpdate extends Tracking {
  /** Undefined when the object is being created. */
  readonly live: ApiObject | undefined;
  /** Its managedFields are what the request said of them. */
  readonly next: ApiObject;
}

/**
 * Who owns what after a create, an update or a patch. Gives back the array of the live object when nobody's part
 * changed, and undefined when the object is not tracked.
 */
export function trackUpdate(update: TrackUpdate): readonly ManagedFieldsEntry[] | undefined {
  const { live, next } = update;
  const base = entriesToStartFrom(update);
  // Tracking that was given up, or reset by the user, begins again with the next apply only.
  if (live !== undefined && (base === undefined || base.length === 0)) return undefined;
  if (update.subresource === 'scale' && live !== undefined) return trackScale(update, live, readOwners(base));
  const old = bodyOf(live) ?? emptyObject(update.schema, update.builtIn, next.kind);
  const comparison = compareValues(fieldTypeOf(update.schema), old, bodyOf(next));
  const changes = withoutReset(comparison, update.resetFields);
  if (isUnchanged(changes) && live !== undefined && base === live.metadata.managedFields) return base;
  const owners = ownersOrNone(base);
  if (owners.size === 0 && live !== undefined) return undefined;
  takeAway(owners, changes);
  own(owners, update, differenceOf(unionOf(changes.modified, changes.added), untrackedFields));
  joinAncientUpdaters(owners);
  return writeOwners(owners);
}

/** The object without its managedFields, which are never fields that somebody owns. */
export function bodyOf(object: ApiObject | undefined): Json | undefined {
  if (object === undefined) return undefined;
  if (object.metadata.managedFields === undefined) return object as unknown as Json;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as Json;
}

/**
 * Clients may edit managedFields, empty them to start anew, or know nothing of them and leave them out. What cannot be
 * read is as good as left out. A subresource does not change them directly.
 */
function entriesToStartFrom({
  live,
  next,
  subresource,
  builtIn,
}: TrackUpdate): readonly ManagedFieldsEntry[] | undefined {
  const old = live?.metadata.managedFields;
  const given = next.metadata.managedFields;
  if ((subresource !== undefined && subresource !== '') || !Array.isArray(given)) return old;
  if (old !== undefined && sameEntries(old, given)) return old;
  // The real server cannot tell an empty list from none in a custom resource.
  if (given.length === 0) return builtIn ? [] : old;
  if (given.length === 1 && Object.keys(given[0] ?? {}).length === 0) return [];
  return ownersOrNone(given).size === 0 ? old : given;
}

function ownersOrNone(entries: readonly ManagedFieldsEntry[] | undefined): Owners {
  try {
    return readOwners(entries);
  } catch {
    return new Map();
  }
}

export function withoutReset(comparison: Comparison, resetFields: Tracking['resetFields']): Comparison {
  if (resetFields === undefined || resetFields.length === 0) return comparison;
  const reset = resetSet(resetFields);
  return {
    removed: withoutTrees(comparison.removed, reset),
    modified: withoutTrees(comparison.modified, reset),
    added: withoutTrees(comparison.added, reset),
  };
}

const resetSets = new WeakMap<object, FieldSet>();

export function resetSet(resetFields: Tracking['resetFields']): FieldSet {
  if (resetFields === undefined) return noFields;
  const set = resetSets.get(resetFields) ?? fieldSetOfPaths(resetFields);
  resetSets.set(resetFields, set);
  return set;
}

function isUnchanged({ removed, modified, added }: Comparison): boolean {
  return isEmptySet(removed) && isEmptySet(modified) && isEmptySet(added);
}

/** Whoever owned a field that changed or went does not own it any more. */
export function takeAway(owners: Owners, { removed, modified, added }: Comparison, except?: string): void {
  for (const [id, owner] of owners) {
    if (id === except) continue;
    const left = differenceOf(differenceOf(differenceOf(owner.fields, modified), added), removed);
    setFields(owners, id, owner, left);
  }
}

function own(owners: Owners, { manager, apiVersion, subresource, time }: Tracking, fields: FieldSet): void {
  if (isEmptySet(fields)) return;
  const owner = {
    manager: manager === '' ? 'unknown' : manager,
    operation: 'Update',
    apiVersion,
    subresource: subresource === '' ? undefined : subresource,
  } as const;
  const id = ownerId(owner);
  const before = owners.get(id);
  owners.set(id, { ...owner, time, fields: before === undefined ? fields : unionOf(fields, before.fields) });
}
