import type { Json, JsonObject } from '../schema/schema.ts';

/** A value the way the real server prints it in some messages: `map[name:x ports:[80 443]]`. */
export function goText(value: Json | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  const map = value as JsonObject;
  const names = Object.keys(map).toSorted();
  return `map[${names.map((name) => `${name}:${goText(map[name])}`).join(' ')}]`;
}

/** What a JSON value is called when it stands where another kind of value is expected. */
export function jsonKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
