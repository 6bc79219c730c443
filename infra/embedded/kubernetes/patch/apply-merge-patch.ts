import type { Json, JsonObject } from '../schema/schema.ts';
import { badRequest } from '../status-error.ts';
import { jsonKind } from './go-text.ts';
import { setOwn } from './set-own.ts';
import { withoutNulls } from './without-directives.ts';

/**
 * RFC 7386: members are merged, null takes a member away, anything else replaces. As on the real server, a
 * list that does not replace an object loses the null members of its objects.
 */
export function applyMergePatch(document: JsonObject, patch: unknown): JsonObject {
  if (patch === null) throw badRequest('Invalid JSON Patch');
  if (!isMap(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`,
    );
  }
  return merged(document, patch);
}

function isMap(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function merged(target: Json | undefined, patch: JsonObject): JsonObject {
  const result: Record<string, Json | undefined> = isMap(target) ? { ...target } : {};
  for (const name of Object.keys(patch)) {
    const part = patch[name];
    const old = Object.hasOwn(result, name) ? result[name] : undefined;
    if (part === null || part === undefined) delete result[name];
    else if (isMap(part)) setOwn(result, name, merged(old, part));
    else setOwn(result, name, isMap(old) ? part : withoutNulls(part));
  }
  return result;
}
