/** Whether two JSON values say the same. A member that is undefined counts as absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && equalLists(a, b);
  return equalMaps(a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>);
}

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (!sameJson(a[i], b[i])) return false;
  return true;
}

function equalMaps(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  let size = 0;
  for (const key in a) {
    const mine = a[key];
    if (mine === undefined) continue;
    size += 1;
    if (!Object.hasOwn(b, key) || !sameJson(mine, b[key])) return false;
  }
  for (const key in b) if (b[key] !== undefined) size -= 1;
  return size === 0;
}
