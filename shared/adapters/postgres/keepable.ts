/** Words of users stand in rows, and a single character that PostgreSQL cannot keep would lose the step that writes them. */
export function keepable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd');
}

/** A parameter for jsonb. */
export function asJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return text;
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string') return keepable(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, field]) => [keepable(key), field]));
  });
}
