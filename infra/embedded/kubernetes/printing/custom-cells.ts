import type { ApiObject } from '../api-object.ts';
import type { PrinterColumn } from '../kinds/served-kind.ts';
import { type ColumnDefinition, columnDefinition } from './column-definition.ts';
import { compileJsonPath, JsonPathError } from './json-path.ts';
import { since } from './row-printer.ts';

/** A CRD that names no columns of its own gets the age. */
const ageColumn: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

interface CustomColumns {
  readonly definitions: readonly ColumnDefinition[];
  cells(object: ApiObject, now: number): readonly unknown[];
}

export function customColumns(columns: readonly PrinterColumn[]): CustomColumns {
  const { shown, read } = readable(columns.length === 0 ? [ageColumn] : columns);
  return {
    definitions: [columnDefinition('Name:string:name'), ...shown.map(definitionOf)],
    cells: (object, now) => [
      object.metadata.name ?? '',
      ...read.map(({ type, find }) => {
        const [found] = find(object);
        return found === undefined ? null : cellOf(type, found, now);
      }),
    ],
  };
}

/** A path that cannot be read ends the table before its column: the others are of use without it. */
function readable(columns: readonly PrinterColumn[]) {
  const shown: PrinterColumn[] = [];
  const read: { readonly type: string; readonly find: (value: unknown) => readonly unknown[] }[] = [];
  for (const column of columns) {
    try {
      read.push({ type: column.type, find: compileJsonPath(column.jsonPath) });
    } catch (error) {
      if (error instanceof JsonPathError) break;
      throw error;
    }
    shown.push(column);
  }
  return { shown, read };
}

function definitionOf({ name, type, format, description, priority, jsonPath }: PrinterColumn): ColumnDefinition {
  return {
    name,
    type,
    format: format ?? '',
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: priority ?? 0,
  };
}

function cellOf(type: string, value: unknown, now: number): unknown {
  if (value === null) return type === 'string' ? '<no value>' : null;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      if (typeof value !== 'string') return null;
      return /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)) ? since(value, now) : '<invalid>';
    default:
      return inText(value);
  }
}

function inText(value: unknown): string {
  return typeof value === 'object' ? orderedJson(value) : String(value);
}

/** JSON as the server prints it inside a cell: keys in order, and `<`, `>`, `&` escaped. */
function orderedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(orderedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return escaped(JSON.stringify(value) ?? 'null');
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, item]) => `${escaped(JSON.stringify(key))}:${orderedJson(item)}`).join(',')}}`;
}

function escaped(json: string): string {
  return json.replaceAll(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}
