import type { ApiObject, ManagedFieldsEntry } from '../api-object.ts';
import { differenceOf, fieldSetOfPaths, hasPath, isEmptySet } from './field-set.ts';
import { type Owner, type Owners, writeOwners } from './owners.ts';
import { fieldElement } from './path-element.ts';
import type { TrackUpdate } from './track-update.ts';

const usualPath = ['spec', 'replicas'];

/**
 * Who owns the replicas after a write through `/scale`. It goes by the Scale object, which has one field and leaves a
 * zero out: nobody owns zero replicas, nobody comes to own what nobody owned before, and times get lost on the way.
 */
export function trackScale(
  { next, manager, apiVersion, replicasPath = usualPath }: TrackUpdate,
  live: ApiObject,
  owners: Owners,
): readonly ManagedFieldsEntry[] | undefined {
  const path = replicasPath.map(fieldElement);
  const replicas = fieldSetOfPaths([replicasPath]);
  const holders = [...owners].filter(([, { fields }]) => hasPath(fields, path));
  if (holders.length === 0) return live.metadata.managedFields;
  const before = replicasOf(live, replicasPath);
  const after = replicasOf(next, replicasPath);
  const unchanged = before === after;
  const entries: Owners = new Map();
  for (const [id, owner] of owners) {
    const keeps = !hasPath(owner.fields, path) || (unchanged && owner.operation === 'Apply');
    const fields = keeps ? owner.fields : differenceOf(owner.fields, replicas);
    if (!isEmptySet(fields)) entries.set(id, keeps ? owner : { ...owner, fields });
  }
  const self = { manager: manager === '' ? 'unknown' : manager, operation: 'Update', subresource: 'scale' } as const;
  const updaters = holders.map(([, owner]) => owner).filter(({ operation }) => operation === 'Update');
  const claims: readonly Pick<Owner, 'manager' | 'operation' | 'subresource'>[] = unchanged
    ? updaters
    : after === 0
      ? []
      : [self];
  claims.forEach(({ manager: name, operation, subresource }, place) => {
    // Not under the name of the owner: the real server lists such an owner twice when it owns other fields as well.
    entries.set(`scale ${place}`, {
      manager: name,
      operation,
      apiVersion,
      subresource,
      time: undefined,
      fields: replicas,
    });
  });
  return writeOwners(entries);
}

function replicasOf(object: ApiObject, path: readonly string[]): number {
  let value: unknown = object;
  for (const name of path) value = (value as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'number' ? value : 0;
}
