import type { ManagedFieldsEntry } from '../api-object.ts';
import { sameJson } from '../same-json.ts';
import type { Json } from '../schema/schema.ts';
import { type FieldSet, isEmptySet, unionOf } from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';

/** One entry of managedFields while it is worked on. */
export interface Owner {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string | undefined;
  readonly time: string | undefined;
  readonly fields: FieldSet;
  /** The entry this was read from, given back as it is when nothing changed. */
  readonly entry?: ManagedFieldsEntry;
}

export type Owners = Map<string, Owner>;

/** Names an owner. An applier is the same one in every version; the form also decides the order in messages. */
export function ownerId(owner: Pick<Owner, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string {
  return JSON.stringify({
    manager: owner.manager,
    operation: owner.operation,
    ...(owner.operation === 'Apply' ? {} : { apiVersion: owner.apiVersion }),
    ...(owner.subresource === undefined || owner.subresource === '' ? {} : { subresource: owner.subresource }),
  });
}

/** Throws when an entry is not one. */
export function readOwners(entries: readonly ManagedFieldsEntry[] | undefined): Owners {
  const owners: Owners = new Map();
  (entries ?? []).forEach((entry, place) => {
    const { manager = '', operation, apiVersion, fieldsType, time } = entry as Partial<ManagedFieldsEntry>;
    if (typeof manager !== 'string') throw new Error(`manager of managed fields entry ${place} is not a string`);
    if (time !== undefined && Number.isNaN(Date.parse(time)))
      throw new Error(`time of managed fields entry ${place} is not a time`);
    if (operation !== 'Apply' && operation !== 'Update') throw new Error('operation must be `Apply` or `Update`');
    if (!apiVersion) throw new Error('apiVersion must not be empty');
    if (!fieldsType) throw new Error(`missing fieldsType in managed fields entry ${place}`);
    if (fieldsType !== 'FieldsV1') {
      throw new Error(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${place}`);
    }
    const owner: Owner = {
      manager,
      operation,
      apiVersion,
      subresource: entry.subresource === '' ? undefined : entry.subresource,
      time,
      fields: decodeFieldsV1(entry.fieldsV1),
      entry,
    };
    owners.set(ownerId(owner), owner);
  });
  return owners;
}

/** The entries as they are stored, in the order of the real server; undefined when nobody owns anything. */
export function writeOwners(owners: Owners): ManagedFieldsEntry[] | undefined {
  if (owners.size === 0) return undefined;
  return [...owners.values()].toSorted(compareOwners).map(writeOwner);
}

function writeOwner(owner: Owner): ManagedFieldsEntry {
  const { entry, manager, operation, apiVersion, time, subresource, fields } = owner;
  const same =
    entry !== undefined &&
    (entry.fieldsV1 as unknown) === fields &&
    entry.time === time &&
    entry.apiVersion === apiVersion &&
    entry.manager === manager;
  if (same) return entry;
  return {
    manager,
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: encodeFieldsV1(fields),
    ...(subresource === undefined ? {} : { subresource }),
  };
}

function seconds(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function compareOwners(a: Owner, b: Owner): number {
  return (
    compareTexts(a.operation, b.operation) ||
    seconds(a.time) - seconds(b.time) ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource ?? '', b.subresource ?? '')
  );
}

/** Changes what an owner owns; an owner of nothing goes. */
export function setFields(owners: Owners, id: string, owner: Owner, fields: FieldSet): void {
  if (isEmptySet(fields)) owners.delete(id);
  else if (fields !== owner.fields) owners.set(id, { ...owner, fields });
}

/** An object remembers this many updaters; older ones are joined, so that the list does not grow for ever. */
const maximumUpdaters = 10;

export function joinAncientUpdaters(owners: Owners): void {
  const updaters = [...owners].filter(([, owner]) => owner.operation === 'Update');
  if (updaters.length <= maximumUpdaters) return;
  updaters.sort(([idA, a], [idB, b]) => seconds(a.time) - seconds(b.time) || compareTexts(idA, idB));
  const oldest = new Map<string, string>();
  let count = updaters.length;
  for (const [id, owner] of updaters) {
    if (count <= maximumUpdaters) return;
    const first = oldest.get(owner.apiVersion);
    if (first === undefined) {
      oldest.set(owner.apiVersion, id);
      continue;
    }
    const ancient = { ...owner, manager: 'ancient-changes', subresource: undefined };
    const bucket = ownerId(ancient);
    const joined = owners.get(bucket) ?? owners.get(first);
    if (!owners.has(bucket)) owners.delete(first);
    owners.delete(id);
    const fields = joined === undefined ? owner.fields : unionOf(owner.fields, joined.fields);
    owners.set(bucket, { ...ancient, fields });
    count -= 1;
  }
}

export function sameEntries(a: readonly ManagedFieldsEntry[], b: readonly ManagedFieldsEntry[]): boolean {
  return a === b || sameJson(a as unknown as Json, b as unknown as Json);
}
