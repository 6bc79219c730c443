import jsonPatch, { type Operation } from 'fast-json-patch';
import { sameJson } from '../same-json.ts';
import type { Json, JsonObject } from '../schema/schema.ts';
import { badRequest, StatusError } from '../status-error.ts';
import { jsonKind } from './go-text.ts';

/** The limit of the real server. */
const maximumOperations = 10_000;

interface Step {
  readonly op?: string;
  readonly path?: string;
  readonly from?: string;
  readonly value?: Json;
}

/** RFC 6902, with the liberties of the real server: `replace` may add, indexes may be negative and count from the end. */
export function applyJsonPatch(document: JsonObject, operations: unknown): JsonObject {
  const steps = readSteps(operations);
  if (steps.length > maximumOperations) {
    throw new StatusError(
      413,
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${maximumOperations}, got ${steps.length}`,
    );
  }
  if (steps.length === 0) return document;
  let patched = jsonPatch.deepClone(document) as Json;
  for (const step of steps) patched = run(patched, step);
  return patched as JsonObject;
}

function readSteps(operations: unknown): readonly Step[] {
  if (operations === null) return [];
  if (!Array.isArray(operations)) throw undecodable(operations, 'Go value of type []handlers.jsonPatchOp');
  for (const step of operations) {
    if (step === null || typeof step !== 'object' || Array.isArray(step)) {
      throw undecodable(step, 'Go value of type handlers.jsonPatchOp');
    }
    for (const member of ['op', 'path', 'from']) {
      const value: unknown = (step as Record<string, unknown>)[member];
      if (value !== undefined && value !== null && typeof value !== 'string') {
        throw undecodable(value, `Go struct field jsonPatchOp.${member} of type string`);
      }
    }
  }
  return operations as readonly Step[];
}

function undecodable(value: unknown, target: string): StatusError {
  return badRequest(`error decoding patch: json: cannot unmarshal ${jsonKind(value)} into ${target}`);
}

function refused(): StatusError {
  return new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
}

interface Place {
  readonly parent: Json;
  readonly key: string;
  /** As a pointer whose last part is a plain index, as the library wants it. */
  readonly pointer: string;
  readonly value: Json | undefined;
}

/** Finds the place that a pointer names. Its parent must be there, and an index must be one of the list. */
function placeOf(document: Json, path: string, adding: boolean): Place {
  const parts = path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = parts.pop();
  if (last === undefined) throw refused();
  let parent: Json = document;
  const pointer: string[] = [];
  for (const part of parts) {
    const key = keyIn(parent, part, false);
    const below: Json | undefined = memberOf(parent, key);
    if (below === undefined || below === null || typeof below !== 'object') throw refused();
    pointer.push(key);
    parent = below;
  }
  const key = keyIn(parent, last, adding);
  pointer.push(key);
  const escaped = pointer.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return { parent, key, pointer: escaped.join(''), value: memberOf(parent, key) };
}

function memberOf(parent: Json, key: string): Json | undefined {
  return Object.hasOwn(parent as object, key) ? (parent as JsonObject)[key] : undefined;
}

function keyIn(parent: Json, part: string, adding: boolean): string {
  // A prototype is nobody's member; the library refuses these names too, but only by an error of its own.
  if (part === '__proto__' || part === 'constructor' || part === 'prototype') throw refused();
  if (!Array.isArray(parent)) return part;
  const length = adding ? parent.length + 1 : parent.length;
  if (part === '-' && adding) return '-';
  const index = /^[+-]?\d+$/.test(part) ? Number(part) : Number.NaN;
  const place = index < 0 ? index + length : index;
  if (!(place >= 0 && place < length)) throw refused();
  return String(place);
}

function run(document: Json, step: Step): Json {
  const path = pathOf(step.path);
  switch (step.op) {
    case 'add':
      return apply(document, { op: 'add', path: placeOf(document, path, true).pointer, value: step.value ?? null });
    case 'replace':
      if (path === '') return step.value ?? null;
      return apply(document, {
        op: 'replace',
        path: placeOf(document, path, false).pointer,
        value: step.value ?? null,
      });
    case 'remove': {
      const place = placeOf(document, path, false);
      if (place.value === undefined) throw refused();
      return apply(document, { op: 'remove', path: place.pointer });
    }
    case 'test': {
      const value = path === '' ? document : placeOf(document, path, false).value;
      if (!sameJson(value ?? null, step.value ?? null)) throw refused();
      return document;
    }
    case 'move':
      return move(document, pathOf(step.from), path);
    case 'copy': {
      // A member that is not there is copied as null.
      const value = placeOf(document, pathOf(step.from), false).value ?? null;
      return apply(document, {
        op: 'add',
        path: placeOf(document, path, true).pointer,
        value: jsonPatch.deepClone(value),
      });
    }
    default:
      throw refused();
  }
}

/** What stands before the first slash is not looked at. */
function pathOf(path: string | null | undefined): string {
  if (path === undefined || path === null) throw refused();
  return path;
}

function move(document: Json, from: string, path: string): Json {
  const source = placeOf(document, from, false);
  if (source.value === undefined) throw refused();
  const without = apply(document, { op: 'remove', path: source.pointer });
  return apply(without, { op: 'add', path: placeOf(without, path, true).pointer, value: source.value });
}

function apply(document: Json, operation: Operation): Json {
  try {
    return jsonPatch.applyOperation(document, operation, false, true, true).newDocument;
  } catch {
    throw refused();
  }
}
