/** A built-in kind has no fields that are null: what a client sends so is as if it were absent. For private copies. */
export function dropNulls(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(item);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  for (const [name, item] of Object.entries(fields)) {
    if (item === null) delete fields[name];
    else dropNulls(item);
  }
}

const emptiedMetadata = ['labels', 'annotations', 'finalizers', 'ownerReferences'];

/** Empty maps and lists of the metadata are not shown. For private copies. */
export function dropEmptyMetadata(metadata: object): void {
  const fields = metadata as Record<string, unknown>;
  for (const name of emptiedMetadata) {
    const value = fields[name];
    if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) delete fields[name];
  }
}
