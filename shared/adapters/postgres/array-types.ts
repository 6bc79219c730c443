import type postgres from 'postgres';

/** Element type and array type, as in pg_type: they are the same in every PostgreSQL. */
const arrayTypes: readonly (readonly [element: number, array: number])[] = [
  [16, 1000], // boolean
  [17, 1001], // bytea
  [20, 1016], // bigint
  [23, 1007], // integer
  [25, 1009], // text
  [701, 1022], // double precision
  [1043, 1015], // varchar
  [1184, 1185], // timestamptz
  [1700, 1231], // numeric
  [2950, 2951], // uuid
  [3802, 3807], // jsonb
];

type Codecs = {
  shared: { typeArrayMap: Record<number, number> };
  parsers: Record<number, (text: string) => unknown>;
  serializers: Record<number, (value: unknown) => unknown>;
};

/**
 * Teaches a client the array types.
 *
 * The driver can ask the server for them, but does so once per connection, and a connection that is lost in that very
 * moment ends the process with an unhandled rejection.
 */
export function addArrayTypes(sql: postgres.Sql): void {
  const { shared, parsers, serializers } = sql.options as unknown as Codecs;
  for (const [element, array] of arrayTypes) {
    shared.typeArrayMap[element] = array;
    parsers[array] = (text) => parseArray(text, (item) => parsers[element]?.(item) ?? item);
    serializers[array] = (value) => writeArray(value, (item) => String(serializers[element]?.(item) ?? item));
  }
}

function writeArray(value: unknown, writeItem: (item: unknown) => string): string {
  if (!Array.isArray(value)) return String(value);
  const items = value.map((item) => {
    if (item === null || item === undefined) return 'null';
    if (Array.isArray(item)) return writeArray(item, writeItem);
    return `"${writeItem(item).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  });
  return `{${items.join(',')}}`;
}

/** Reads `{a,"b c",NULL,{…}}`: nested, quoted where needed, backslash before a special character. */
function parseArray(text: string, parseItem: (item: string) => unknown): unknown[] {
  let at = text.indexOf('{');

  function list(): unknown[] {
    const items: unknown[] = [];
    at += 1;
    while (at < text.length) {
      if (text[at] === '}') {
        at += 1;
        return items;
      }
      if (text[at] === ',') at += 1;
      else items.push(text[at] === '{' ? list() : text[at] === '"' ? quoted() : bare());
    }
    return items;
  }

  function quoted(): unknown {
    let item = '';
    for (at += 1; text[at] !== '"' && at < text.length; at += 1) {
      if (text[at] === '\\') at += 1;
      item += text[at];
    }
    at += 1;
    return parseItem(item);
  }

  function bare(): unknown {
    const start = at;
    while (at < text.length && text[at] !== ',' && text[at] !== '}') at += 1;
    const item = text.slice(start, at);
    return item === 'NULL' ? null : parseItem(item);
  }

  return list();
}
