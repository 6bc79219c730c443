import type { Json, JsonObject, Schema } from '../schema/schema.ts';
import { badRequest } from '../status-error.ts';
import { jsonKind } from './go-text.ts';
import { badDirective, checkOrder, mergeStrategicList } from './merge-strategic-list.ts';
import { isMap, orderItems, unexpected } from './order-items.ts';
import { setOwn } from './set-own.ts';
import { strategyOf } from './strategy-of.ts';
import { withoutDirectives, withoutNulls } from './without-directives.ts';

const deletePrefix = '$deleteFromPrimitiveList/';
const orderPrefix = '$setElementOrder/';

/** A strategic merge patch: as a merge patch, but lists with a merge strategy are merged item by item. */
export function applyStrategicMergePatch(document: JsonObject, patch: unknown, schema: Schema): JsonObject {
  if (patch === null) return document;
  if (!isMap(patch)) {
    throw badRequest(`json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`);
  }
  return mergeMaps(document, patch, schema);
}

function mergeMaps(original: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  const directive = patch['$patch'];
  if (directive !== undefined) return obeyDirective(directive, patch);
  const result = retained(original, patch);
  const done = new Set<string>();
  for (const name of Object.keys(patch)) {
    if (name.startsWith(orderPrefix)) mergeInOrder(result, patch, name, schema, done);
  }
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    if (name === '$retainKeys' || name.startsWith(orderPrefix) || done.has(name) || value === undefined) continue;
    if (name.startsWith(deletePrefix)) deleteFromList(result, name.slice(deletePrefix.length), value);
    else mergeMember(result, name, value, schema);
  }
  return result;
}

function obeyDirective(directive: Json, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw badDirective(directive, patch);
  const { $patch: _, ...rest } = patch;
  return rest;
}

/** `$retainKeys` takes away every member that it does not name. */
function retained(original: JsonObject, patch: JsonObject): Record<string, Json | undefined> {
  const keys = patch['$retainKeys'];
  if (keys === undefined) return { ...original };
  if (!Array.isArray(keys)) throw badRequest('invalid patch format of retainKeys');
  for (const name of Object.keys(patch)) {
    const free = patch[name] === null || name === '$retainKeys' || name.startsWith(deletePrefix);
    if (!free && !name.startsWith(orderPrefix) && !keys.includes(name)) {
      throw badRequest('invalid patch format of retainKeys');
    }
  }
  return Object.fromEntries(Object.entries(original).filter(([name]) => keys.includes(name)));
}

function asListOrRefuse(value: Json | undefined): readonly Json[] | undefined {
  if (value === undefined || Array.isArray(value)) return value as readonly Json[] | undefined;
  const given = isMap(value) ? 'map[string]interface {}' : jsonKind(value);
  throw unexpected(`expected a []interface {}, but received a ${given}`);
}

function mergeInOrder(
  result: Record<string, Json | undefined>,
  patch: JsonObject,
  directive: string,
  schema: Schema | undefined,
  done: Set<string>,
): void {
  const name = directive.slice(orderPrefix.length);
  const order = asListOrRefuse(patch[directive]) ?? [];
  const original = asListOrRefuse(Object.hasOwn(result, name) ? result[name] : undefined);
  const changes = asListOrRefuse(Object.hasOwn(patch, name) ? patch[name] : undefined);
  const { merges, mergeKey, below } = strategyOf(schema, name);
  checkOrder(changes ?? [], order, mergeKey);
  if (original === undefined && changes === undefined) return;
  const merged =
    changes === undefined
      ? (original ?? [])
      : original === undefined
        ? ((withoutDirectives(changes) ?? []) as readonly Json[])
        : merges
          ? mergeStrategicList(original, changes, mergeKey, below, mergeMaps)
          : changes;
  setOwn(result, name, orderItems(merged, order, original ?? [], mergeKey));
  done.add(name);
}

function deleteFromList(result: Record<string, Json | undefined>, name: string, value: Json): void {
  const list = Object.hasOwn(result, name) ? result[name] : undefined;
  if (value === null) delete result[name];
  else if (Array.isArray(list) && Array.isArray(value)) {
    setOwn(
      result,
      name,
      list.filter((item) => !value.includes(item)),
    );
  }
}

function mergeMember(
  result: Record<string, Json | undefined>,
  name: string,
  value: Json,
  schema: Schema | undefined,
): void {
  const original = Object.hasOwn(result, name) ? result[name] : undefined;
  if (value === null) {
    delete result[name];
    return;
  }
  const { merges, replacesMap, mergeKey, below } = strategyOf(schema, name);
  if (isMap(original) && isMap(value)) {
    setOwn(result, name, replacesMap ? value : mergeMaps(original, value, below));
  } else if (Array.isArray(original) && Array.isArray(value)) {
    setOwn(result, name, merges ? mergeStrategicList(original, value, mergeKey, below, mergeMaps) : value);
  } else {
    const taken = withoutDirectives(withoutNulls(value));
    if (taken === undefined) delete result[name];
    else setOwn(result, name, taken);
  }
}
