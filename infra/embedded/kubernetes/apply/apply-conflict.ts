import { StatusError } from '../status-error.ts';
import { type FieldSet, pathsOf } from './field-set.ts';
import type { Owner } from './owners.ts';
import { printPath } from './path-element.ts';

/** A field that somebody else owns and that an apply would change. */
export interface ApplyConflict {
  readonly id: string;
  readonly owner: Owner;
  readonly path: readonly string[];
}

export function conflictsOf(id: string, owner: Owner, fields: FieldSet): ApplyConflict[] {
  return pathsOf(fields).map((path) => ({ id, owner, path }));
}

/** Updaters are named with their version: the same name in another version is another owner. */
function printOwner({ manager, operation, apiVersion, subresource }: Owner): string {
  const named = JSON.stringify(manager);
  const where = subresource === undefined ? named : `${named} with subresource ${JSON.stringify(subresource)}`;
  return operation === 'Update' ? `${where} using ${apiVersion}` : where;
}

export function applyConflict(conflicts: readonly ApplyConflict[]): StatusError {
  const sorted = conflicts.toSorted((a, b) => (a.id === b.id ? 0 : a.id < b.id ? -1 : 1));
  const causes = sorted.map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${printOwner(owner)}`,
    field: printPath(path),
  }));
  return new StatusError(409, 'Conflict', textOf(sorted), { causes });
}

function textOf(conflicts: readonly ApplyConflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${printOwner(first.owner)}: ${printPath(first.path)}`;
  }
  const lines: string[] = [];
  let last: string | undefined;
  for (const { id, owner, path } of conflicts) {
    if (id !== last) lines.push(`conflicts with ${printOwner(owner)}:`);
    lines.push(`- ${printPath(path)}`);
    last = id;
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}
