import { isFields } from '../core/fields.ts';

/** Is it the same, whatever the order of its keys? */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSameValue(item, other[index]))
    );
  }
  if (!isFields(one) || !isFields(other)) return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length && keys.every((key) => key in other && isSameValue(one[key], other[key]))
  );
}

/**
 * Without what says nothing: an absent, an empty text, an empty list and a plain false mean the same to Argo CD. Only
 * `enabled` tells an absent value from false.
 */
export function meaningful(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaningful);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, field]) => !saysNothing(field) && (field !== false || key === 'enabled'))
      .map(([key, field]) => [key, meaningful(field)]),
  );
}

/** The JSON merge patch that makes the one into the other: keys that have to go are null. Undefined: nothing differs. */
export function mergePatch(from: unknown, to: unknown): unknown {
  if (isSameValue(from, to)) return undefined;
  if (!isFields(to)) return to ?? null;
  const before = isFields(from) ? from : {};
  const gone = Object.keys(before).filter((key) => to[key] === undefined);
  const changed = Object.entries(to).flatMap(([key, field]) => {
    const patch = field === undefined ? undefined : mergePatch(before[key], field);
    return patch === undefined ? [] : [[key, patch] as const];
  });
  return Object.fromEntries([...gone.map((key) => [key, null] as const), ...changed]);
}

function saysNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
