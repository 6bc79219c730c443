/**
 * How the API server's messages write strings and lists. Clients and people compare these texts, so that they are
 * formed here in one place.
 */

/** A string in double quotes, with everything unprintable escaped. */
export function quoted(text: string): string {
  return JSON.stringify(text)
    .replace(/\\u00([0-7][0-9a-f])/g, (_escape, code: string) => {
      if (code === '07') return '\\a';
      return code === '0b' ? '\\v' : `\\x${code}`;
    })
    .replaceAll('\u007f', '\\x7f');
}

/** `["a" "b"]`. */
export function quotedList(items: readonly string[]): string {
  return `[${items.map(quoted).join(' ')}]`;
}

/** Several errors as one text: each once, in brackets where there is more than one. */
export function joinedErrors(errors: readonly string[]): string {
  const unique = [...new Set(errors)];
  return unique.length === 1 ? (unique[0] as string) : `[${unique.join(', ')}]`;
}
