/** Values written the way Go writes them, because clients read and compare the texts of the API. */

const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const named: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
};

/** A string in double quotes, escaped as `%q` does it. */
export function quote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (named[character] !== undefined) quoted += named[character];
    else if (code < 0x20 || code === 0x7f) quoted += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (code >= 0x80 && code < 0xa0) quoted += `\\u${code.toString(16).padStart(4, '0')}`;
    else quoted += character;
  }
  return `${quoted}"`;
}

/** Whole numbers up to 64 bits are printed plainly. Others have an exponent from a million on, and below 0.0001. */
export function numberText(value: number): string {
  const size = Math.abs(value);
  if (isWhole(value)) return String(value);
  const text = size < 1e-4 || size >= 1e6 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Beyond 64 bits a number is no longer an integer to the API. */
export function isWhole(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

const unsafe: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON with sorted keys and escaped angle brackets. */
export function jsonText(value: unknown): string {
  return JSON.stringify(sorted(value)).replace(/[<>&\u2028\u2029]/g, (found) => unsafe[found] ?? found);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, sorted(item)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The value of a field as an error shows it. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return numberText(value);
  return jsonText(value);
}
