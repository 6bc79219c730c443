import type { Json, JsonObject } from '../schema/schema.ts';

const escaped = /[<>&\u2028\u2029]/;
const escapedAll = /[<>&\u2028\u2029]/g;

/** The wire has some signs escaped inside the names of `v:` and `k:` elements. */
function goJson(value: Json): string {
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value);
  if (!escaped.test(text)) return text;
  return text.replace(escapedAll, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function fieldElement(name: string): string {
  return `f:${name}`;
}

export function valueElement(value: Json): string {
  return `v:${goJson(value)}`;
}

/** The fields must be given in the order of their names. */
export function keyElement(fields: readonly (readonly [string, Json])[]): string {
  let text = 'k:{';
  for (const [name, value] of fields) text += `${text.length > 3 ? ',' : ''}${JSON.stringify(name)}:${goJson(value)}`;
  return `${text}}`;
}

const classes = 'fkvi';

/** The canonical order: names, then keys, then values, then indexes; each by its content. */
export function compareElements(a: string, b: string): number {
  if (a === b) return 0;
  const kind = classes.indexOf(a[0] ?? '') - classes.indexOf(b[0] ?? '');
  if (kind !== 0) return kind;
  if (a[0] === 'f') return a < b ? -1 : 1;
  const quick = compareTexts(a, b);
  if (quick !== 0) return quick;
  if (a[0] === 'k') return compareKeys(JSON.parse(a.slice(2)), JSON.parse(b.slice(2)));
  return compareScalars(JSON.parse(a.slice(2)), JSON.parse(b.slice(2)));
}

const letter = /[A-Za-z_.]/;

/** Most keys differ first at a letter inside a string, and need not be parsed to be compared. Zero: not decided. */
function compareTexts(a: string, b: string): number {
  let place = 2;
  while (a[place] === b[place]) place += 1;
  const [x, y] = [a[place] ?? '', b[place] ?? ''];
  return letter.test(x) && letter.test(y) && !a.includes('\\') && !b.includes('\\') ? (x < y ? -1 : 1) : 0;
}

function compareKeys(a: JsonObject, b: JsonObject): number {
  const left = Object.entries(a);
  const right = Object.entries(b);
  for (let i = 0; i < left.length && i < right.length; i += 1) {
    const [leftName, leftValue] = left[i] ?? ['', null];
    const [rightName, rightValue] = right[i] ?? ['', null];
    if (leftName !== rightName) return leftName < rightName ? -1 : 1;
    const order = compareScalars(leftValue ?? null, rightValue ?? null);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const ranks: Readonly<Record<string, number>> = { number: 0, string: 1, boolean: 2, object: 3 };

function compareScalars(a: Json, b: Json): number {
  const rank = (ranks[typeof a] ?? 3) - (ranks[typeof b] ?? 3);
  if (rank !== 0) return rank;
  if (a === b || a === null || b === null) return 0;
  return a < b ? -1 : 1;
}

/** Whether a key of `fieldsV1` is one that the API knows: undefined when it is to be ignored, an error text when not. */
export function canonicalElement(element: string): { readonly element: string } | undefined | Error {
  if (element.length < 2) return new Error('key must be 2 characters long:');
  if (element[1] !== ':') return new Error(`missing colon: ${element}`);
  const content = element.slice(2);
  if (element[0] === 'f') return { element };
  if (!classes.includes(element[0] ?? '')) return undefined;
  try {
    const value = JSON.parse(content) as Json;
    if (element[0] === 'v') return { element: valueElement(value) };
    if (element[0] === 'i') return Number.isInteger(value) ? { element: `i:${value}` } : new Error('not an index');
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return new Error('not a key');
    const fields = Object.entries(value as JsonObject).map(([name, part]) => [name, part ?? null] as const);
    return { element: keyElement(fields.toSorted(([x], [y]) => (x < y ? -1 : 1))) };
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}

function printScalar(value: Json): string {
  return JSON.stringify(value);
}

/** As messages show it: `.spec.ports[port=80,protocol="TCP"].name`. */
export function printPath(path: readonly string[]): string {
  return path.map(printElement).join('');
}

export function printElement(element: string): string {
  const content = element.slice(2);
  if (element[0] === 'f') return `.${content}`;
  if (element[0] === 'v') return `[=${printScalar(JSON.parse(content))}]`;
  if (element[0] === 'i') return `[${content}]`;
  const fields = Object.entries(JSON.parse(content) as JsonObject);
  return `[${fields.map(([name, value]) => `${name}=${printScalar(value ?? null)}`).join(',')}]`;
}
