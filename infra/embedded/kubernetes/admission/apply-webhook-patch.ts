import type { ApiObject } from '../api-object.ts';
import { applyJsonPatch } from '../patch/apply-json-patch.ts';
import type { JsonObject } from '../schema/schema.ts';
import { StatusError } from '../status-error.ts';

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What the API says of an operation that cannot be done. */
function problemOf(operation: unknown): string {
  const step = (typeof operation === 'object' && operation !== null ? operation : {}) as Record<string, unknown>;
  const op = text(step['op']);
  const path = text(step['path']);
  const last = (place: string) => place.slice(place.lastIndexOf('/') + 1);
  if (!['add', 'remove', 'replace', 'move', 'copy', 'test'].includes(op)) return `Unexpected kind: ${op || 'unknown'}`;
  if (step['path'] === undefined) return `${op} operation failed to decode path: missing value`;
  switch (op) {
    case 'test':
      return `testing value ${path} failed: test failed`;
    case 'remove':
      return `error in remove for path: '${path}': Unable to remove nonexistent key: ${last(path)}: missing value`;
    case 'move': {
      const from = last(text(step['from']));
      return `error in move for path: '${from}': Unable to remove nonexistent key: ${from}: missing value`;
    }
    default:
      return `${op} operation does not apply: doc is missing path: ${JSON.stringify(path)}: missing value`;
  }
}

export function internalError(message: string): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** The object with a webhook's patch in it; the object itself is not touched. Throws the 500 of the API. */
export function applyWebhookPatch(object: ApiObject, operations: readonly unknown[]): ApiObject {
  let patched = object as unknown as JsonObject;
  for (const operation of operations) {
    try {
      patched = applyJsonPatch(patched, [operation]);
    } catch (error) {
      if (error instanceof StatusError) throw internalError(problemOf(operation));
      throw error;
    }
  }
  const { metadata } = patched as { readonly metadata?: unknown };
  if (typeof patched !== 'object' || patched === null || typeof metadata !== 'object' || metadata === null) {
    throw internalError('a webhook took away the metadata of the object');
  }
  return patched as unknown as ApiObject;
}
