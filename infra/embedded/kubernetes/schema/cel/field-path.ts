import type { Schema } from '../schema.ts';

type Found = { readonly path: string } | { readonly error: string };

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

/** The path of a rule's `fieldPath`, for example `.spec.name` or `.parts['a.b']`, as errors print it. */
export function findFieldPath(text: string, schema: Schema): Found {
  const tokens = text.match(/'(?:\\.|[^'\\])*'|[.[\]]|[^.[\]']+|'/g) ?? [];
  let path = '';
  let here: Schema | undefined = schema;
  let at = 0;
  while (at < tokens.length) {
    const opening = tokens[at];
    if (opening !== '.' && opening !== '[') return { error: `expected [ or . but got: ${opening}` };
    const token = tokens[at + 1];
    if (token === undefined) return { error: 'unexpected end of JSON path' };
    if (opening === '[' && !/^'.*'$/.test(token)) return { error: `expected single quoted string but got ${token}` };
    const name: string = opening === '[' ? unquoted(token) : token;
    if (here?.properties !== undefined) {
      const field: Schema | undefined = Object.hasOwn(here.properties, name) ? here.properties[name] : undefined;
      if (field === undefined) return { error: 'does not refer to a valid field' };
      path += path === '' ? name : `.${name}`;
      here = field;
    } else if (typeof here?.additionalProperties === 'object') {
      path += `[${name}]`;
      here = here.additionalProperties;
    } else return { error: 'does not refer to a valid field' };
    at += 2;
    if (opening === '[') {
      if (tokens[at] === undefined) return { error: 'unexpected end of JSON path' };
      if (tokens[at] !== ']') return { error: `expected ] but got ${tokens[at]}` };
      at += 1;
    }
  }
  return { path };
}

function unquoted(token: string): string {
  return token.slice(1, -1).replace(/\\(.)/g, (_, character: string) => escapes[character] ?? character);
}
