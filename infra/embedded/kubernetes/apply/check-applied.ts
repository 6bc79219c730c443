import type { ApiObject } from '../api-object.ts';
import { goText } from '../patch/go-text.ts';
import type { Json } from '../schema/schema.ts';
import { StatusError } from '../status-error.ts';
import { type FieldType, formOf, type ListType, type MapType } from './field-type.ts';
import { asList, asMap, elementOf } from './list-elements.ts';
import { printElement } from './path-element.ts';

interface Mistake {
  readonly path: string;
  readonly message: string;
}

/** What is applied must fit the schema: an unknown field, a wrong type or an item given twice is refused. */
export function checkApplied(type: FieldType, applied: ApiObject): void {
  const mistakes = check(type, applied as unknown as Json, '');
  if (mistakes.length === 0) return;
  const lines = mistakes.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const listed = lines.length === 1 ? lines[0] : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n');
  throw new StatusError(500, '', `failed to create typed patch object (${titleOf(applied)}): ${listed}`);
}

function titleOf({ apiVersion, kind, metadata }: ApiObject): string {
  const versioned = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}; ${versioned}, Kind=${kind}`;
}

function check(type: FieldType, value: Json, path: string): Mistake[] {
  const form = formOf(type, value);
  if (value === null) return [];
  if (form === 'map' && type.map !== undefined) return checkMap(type.map, value, path);
  if (form === 'list' && type.list !== undefined) return checkList(type.list, value, path);
  const message = wrongScalar(type.scalar, value);
  return message === undefined ? [] : [{ path, message }];
}

function goType(value: Json): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** As Go prints a value with its types. */
function goSyntax(value: Json): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  const map = asMap(value);
  if (map === undefined) return value === null ? 'interface {}(nil)' : JSON.stringify(value);
  const names = Object.keys(map).toSorted();
  const members = names.map((name) => `${JSON.stringify(name)}:${goSyntax(map[name] ?? null)}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}

function wrongScalar(scalar: FieldType['scalar'], value: Json): string | undefined {
  switch (scalar) {
    case 'numeric':
      return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goText(value)}}`;
    default:
      return typeof value === 'object' ? `expected any scalar, got &{${goText(value)}}` : undefined;
  }
}

function checkMap(type: MapType, value: Json, path: string): Mistake[] {
  const map = asMap(value);
  if (map === undefined) return [{ path, message: `expected map, got &{${goText(value)}}` }];
  const mistakes: Mistake[] = [];
  // The real server meets the fields in no order; sorted, the text is always the same.
  for (const name of Object.keys(map).toSorted()) {
    const part = map[name];
    if (part === undefined) continue;
    const below = type.fields.get(name) ?? type.elements;
    if (below === undefined) mistakes.push({ path: `${path}.${name}`, message: 'field not declared in schema' });
    else mistakes.push(...check(below, part, `${path}.${name}`));
  }
  return mistakes;
}

function checkList(type: ListType, value: Json, path: string): Mistake[] {
  const list = asList(value);
  if (list === undefined) return [{ path, message: `expected list, got &{${goText(value)}}` }];
  const mistakes: Mistake[] = [];
  const seen = new Set<string>();
  for (const [place, item] of list.entries()) {
    const element = type.relation === 'atomic' ? `i:${place}` : elementOf(type, item);
    if (typeof element !== 'string') return [...mistakes, { path, message: `element ${place}: ${element.wrong}` }];
    if (seen.has(element)) mistakes.push({ path, message: `duplicate entries for key ${printElement(element)}` });
    seen.add(element);
    mistakes.push(...check(type.items, item, path + printElement(element)));
  }
  return mistakes;
}
