/** A JSON object whose fields nobody has judged yet. */
export type Fields = Record<string, unknown>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at the end of a path of field names, or undefined where the path breaks off. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let reached: unknown = value;
  for (const name of path) {
    if (!isFields(reached)) return undefined;
    reached = reached[name];
  }
  return reached;
}

export function fieldsAt(value: unknown, ...path: readonly string[]): Fields {
  const reached = valueAt(value, ...path);
  return isFields(reached) ? reached : {};
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const reached = valueAt(value, ...path);
  return Array.isArray(reached) ? reached : [];
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  const reached = valueAt(value, ...path);
  return typeof reached === 'string' ? reached : '';
}

export function numberAt(value: unknown, ...path: readonly string[]): number {
  const reached = valueAt(value, ...path);
  return typeof reached === 'number' ? reached : 0;
}

/** A map of texts, such as labels. */
export function textsAt(value: unknown, ...path: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [key, text] of Object.entries(fieldsAt(value, ...path))) {
    if (typeof text === 'string') texts[key] = text;
  }
  return texts;
}

/** Sets a field that is absent or null. For private copies only. */
export function setDefault(fields: Fields, name: string, value: unknown): void {
  if (fields[name] === undefined || fields[name] === null) fields[name] = value;
}

/** The object below a field, made if it is absent. For private copies only. */
export function openFields(fields: Fields, name: string): Fields {
  const present = fields[name];
  if (isFields(present)) return present;
  const made: Fields = {};
  fields[name] = made;
  return made;
}

export function hasField(fields: Fields, name: string): boolean {
  return fields[name] !== undefined && fields[name] !== null;
}

/** Field by field, in any order of keys. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, index) => isSame(item, right[index]))
    );
  }
  if (!isFields(left) || !isFields(right)) return false;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => isSame(left[name], right[name]));
}
