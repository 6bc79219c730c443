import type { ApiObject, ManagedFieldsEntry } from '../api-object.ts';
import { sameJson } from '../same-json.ts';
import type { Json } from '../schema/schema.ts';
import { badRequest, StatusError } from '../status-error.ts';
import { type ApplyConflict, applyConflict, conflictsOf } from './apply-conflict.ts';
import { checkApplied } from './check-applied.ts';
import { collectFields } from './collect-fields.ts';
import { compareValues } from './compare-values.ts';
import {
  differenceOf,
  type FieldSet,
  hasPath,
  intersectionOf,
  isEmptySet,
  noFields,
  unionOf,
  withoutTrees,
} from './field-set.ts';
import { type FieldType, fieldTypeOf } from './field-type.ts';
import { kubectlManager, lastAppliedFields, withLastApplied } from './last-applied.ts';
import { mergeValues } from './merge-values.ts';
import { type Owners, ownerId, readOwners, setFields, writeOwners } from './owners.ts';
import { removeFields, withNamedFields } from './remove-fields.ts';
import { bodyOf, resetSet, type Tracking, takeAway, trackUpdate, withoutReset } from './track-update.ts';
import { untrackedFields } from './untracked-fields.ts';

export interface ApplyConfiguration extends Tracking {
  /** Undefined when the apply creates the object. */
  readonly live: ApiObject | undefined;
  readonly applied: ApiObject;
  readonly force: boolean;
}

export interface Applied {
  /** The live object itself when nothing changed. */
  readonly object: ApiObject;
  readonly changed: boolean;
}

/**
 * Server-side apply: what is applied is laid over the live object and owned by the manager; what the manager applied
 * before and does not apply any more goes, unless somebody else owns it. Throws the conflict when it would change what
 * others own and is not forced.
 */
export function applyConfiguration(given: ApplyConfiguration): Applied {
  // A body may leave its metadata out: the name is in the address.
  const input = given.applied.metadata ? given : { ...given, applied: { ...given.applied, metadata: {} } };
  const { live, applied, manager, apiVersion } = input;
  if (applied.apiVersion !== apiVersion) {
    throw badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${applied.apiVersion}, expected: ${apiVersion}`,
    );
  }
  if (applied.metadata.managedFields !== undefined && applied.metadata.managedFields !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const type = fieldTypeOf(input.schema);
  checkApplied(type, applied);
  const entries = entriesOf(input);
  const outcome = applyTo(input, type, entries);
  const body = outcome.body as unknown as ApiObject;
  const kept = manager === kubectlManager ? withLastApplied(body, applied) : body;
  const managedFields = writeOwners(outcome.owners);
  const same =
    live !== undefined &&
    (outcome.body === bodyOf(live) || sameJson(kept, bodyOf(live))) &&
    sameJson(managedFields, live.metadata.managedFields);
  if (same) return { object: live, changed: false };
  const metadata = managedFields === undefined ? kept.metadata : { ...kept.metadata, managedFields };
  return { object: { ...kept, metadata }, changed: true };
}

/** An object that nobody tracked so far belongs to a manager of that name, so that the first apply can conflict. */
function entriesOf(input: ApplyConfiguration): readonly ManagedFieldsEntry[] | undefined {
  const { live } = input;
  const entries = live?.metadata.managedFields;
  if (live === undefined || (entries !== undefined && entries.length > 0)) return entries;
  return trackUpdate({ ...input, live: undefined, next: live, manager: 'before-first-apply' });
}

function readOrRefuse(entries: readonly ManagedFieldsEntry[] | undefined): Owners {
  try {
    return readOwners(entries);
  } catch (cause) {
    throw new StatusError(
      500,
      '',
      `failed to decode managed fields: ${cause instanceof Error ? cause.message : cause}`,
    );
  }
}

interface Outcome {
  readonly body: Json;
  readonly owners: Owners;
}

function applyTo(
  input: ApplyConfiguration,
  type: FieldType,
  entries: readonly ManagedFieldsEntry[] | undefined,
): Outcome {
  const owners = readOrRefuse(entries);
  const self = {
    manager: input.manager === '' ? 'unknown' : input.manager,
    operation: 'Apply',
    apiVersion: input.apiVersion,
    subresource: input.subresource === '' ? undefined : input.subresource,
  } as const;
  const id = ownerId(self);
  const before = owners.get(id);
  const live = bodyOf(input.live) ?? {};
  const merged = mergeValues(type, live, input.applied as unknown as Json) ?? {};
  const stated = withoutTrees(collectFields(type, input.applied as unknown as Json), resetSet(input.resetFields));
  const claimed = { ...self, time: before?.time, fields: stated };
  owners.set(id, claimed);
  const abandons = before !== undefined && !isEmptySet(differenceOf(before.fields, stated));
  const next = abandons ? withoutAbandoned(type, merged, owners, before.fields) : merged;
  const changes = withoutReset(compareValues(type, live, next), input.resetFields);
  const conflicts = conflictsWith(owners, id, unionOf(changes.modified, changes.added));
  if (conflicts.length > 0 && !input.force) refuse(input, type, conflicts);
  takeAway(owners, changes, id);
  const isNew = input.live === undefined || !sameJson(live, next);
  const fields = differenceOf(stated, untrackedFields);
  const owner = { ...claimed, time: isNew ? input.time : before?.time };
  owners.set(id, owner);
  setFields(owners, id, owner, fields);
  return { body: isNew ? next : live, owners };
}

function conflictsWith(owners: Owners, self: string, changed: FieldSet): ApplyConflict[] {
  return [...owners].flatMap(([id, owner]) =>
    id === self ? [] : conflictsOf(id, owner, intersectionOf(owner.fields, changed)),
  );
}

function refuse({ live, manager, apiVersion }: ApplyConfiguration, type: FieldType, conflicts: ApplyConflict[]): void {
  const allowed =
    manager === kubectlManager && live !== undefined ? lastAppliedFields(type, live, apiVersion) : noFields;
  const left = conflicts.filter(({ path }) => !hasPath(allowed, path));
  if (left.length > 0) throw applyConflict(left);
}

/** Takes out what the manager applied before and nobody applies or owns now. */
function withoutAbandoned(type: FieldType, merged: Json, owners: Owners, before: FieldSet): Json {
  const last = withNamedFields(type, before);
  const pruned = removeFields(type, merged, last);
  let owned = noFields;
  for (const { fields } of owners.values()) owned = unionOf(owned, fields);
  const all = withNamedFields(type, collectFields(type, merged));
  const left = withNamedFields(type, collectFields(type, pruned));
  const unowned = differenceOf(all, unionOf(left, withNamedFields(type, owned)));
  const restored = removeFields(type, merged, unowned);
  // What was there without an owner stays: only what this manager itself applied may go.
  const remaining = withNamedFields(type, collectFields(type, restored));
  return removeFields(type, merged, intersectionOf(differenceOf(all, remaining), last));
}
