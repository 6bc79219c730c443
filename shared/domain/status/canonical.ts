/** The same text for the same value, in whatever order its fields came. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, inOrder) ?? '';
}

/** The same value without empty texts, lists and objects: Kubernetes does not tell those from what is not there. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => withoutEmpty(item) ?? null);
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).flatMap(([name, field]) => {
      const kept = withoutEmpty(field);
      return kept === undefined ? [] : [[name, kept] as const];
    });
    return fields.length === 0 ? undefined : Object.fromEntries(fields);
  }
  return value === '' || value === null ? undefined : value;
}

export function isSame(one: unknown, other: unknown): boolean {
  return canonical(withoutEmpty(one)) === canonical(withoutEmpty(other));
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // Names are compared by code units, so that no locale decides.
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
