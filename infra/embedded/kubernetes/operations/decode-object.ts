import { parseDocument } from 'yaml';
import type { ApiObject } from '../api-object.ts';
import { apiVersionOf, type ServedKind } from '../kinds/served-kind.ts';
import { decodeError } from '../schema/decode-error.ts';
import { objectMetaSchema } from '../schema/object-meta-schema.ts';
import { badRequest, invalid, type StatusError } from '../status-error.ts';
import { compiled } from './compiled-schema.ts';
import { duplicateFields } from './duplicate-fields.ts';
import type { Call } from './machinery.ts';

/** A body as JSON or YAML. What is neither is refused in the words of the API. */
export function parseBody(
  text: string,
  mustBe: string,
): { readonly value: unknown; readonly duplicates: () => string[] } {
  const trimmed = text.trimStart();
  if (trimmed.startsWith('{') || trimmed.startsWith('[') || trimmed === '') {
    try {
      return { value: JSON.parse(text) as unknown, duplicates: () => duplicateFields(text) };
    } catch (cause) {
      throw unrecognized(mustBe, `couldn't get version/kind; json parse error: ${inGoWords(cause)}`, text);
    }
  }
  // Aliases are resolved, within a limit: a short text must not become a huge object.
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined)
    throw unrecognized(mustBe, `couldn't get version/kind; yaml parse error: ${error.message}`, text);
  return { value: document.toJS({ maxAliasCount: 100 }) as unknown, duplicates: () => [] };
}

/** An object of this kind out of a request body: pruned, with its defaults, and told apart from what it is not. */
export function decodeObject(text: string, call: Call): ApiObject {
  const { kind } = call;
  const { value, duplicates } = parseBody(text, kind.kind);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unrecognized(kind.kind, "couldn't get version/kind; json parse error: it is not an object", text);
  }
  const object = value as ApiObject;
  if (kind.isCustom && !object.kind) throw unrecognized(kind.kind, `Object 'Kind' is missing in '${text}'`, text);
  object.apiVersion ??= apiVersionOf(kind);
  object.kind ??= kind.kind;
  if (object.apiVersion !== apiVersionOf(kind)) {
    throw badRequest(
      `the API version in the data (${object.apiVersion}) does not match the expected API version (${apiVersionOf(kind)})`,
    );
  }
  if (object.kind !== kind.kind) {
    const name = object.metadata?.name ?? '';
    if (!kind.isCustom) throw unrecognized(kind.kind, `no kind "${object.kind}" is registered for this path`, text);
    const message = `Invalid value: "${object.kind}": must be ${kind.kind}`;
    throw invalid({ group: kind.group, kind: object.kind }, name, [
      { reason: 'FieldValueInvalid', field: 'kind', message },
    ]);
  }
  checkMetadata(object, kind);
  const unknown = call.fieldValidation === 'Ignore' ? [] : strayFields(object, kind, duplicates());
  if (unknown.length > 0 && call.fieldValidation === 'Strict') {
    throw badRequest(`${cannotBe(kind)}: strict decoding error: ${unknown.join(', ')}`);
  }
  call.warnings.push(...unknown);
  return settleFields(object, kind);
}

/** Prunes and defaults, as every decoding of an object does: also after a patch and after a mutating webhook. */
export function settleFields(object: ApiObject, kind: ServedKind): ApiObject {
  const wrong = kind.isCustom ? undefined : decodeError(kind.schema, object);
  if (wrong !== undefined) throw badRequest(`${cannotBe(kind)}: ${wrong}`);
  const schema = compiled(kind.schema);
  const pruned = schema.prune(object);
  // Only the version that is stored has defaults.
  if (kind.isCustom) return kind.storedAs === apiVersionOf(kind) ? schema.applyDefaults(pruned) : pruned;
  const own = structuredClone(pruned);
  kind.rules.setDefaults?.(own);
  return own;
}

export function strayFields(object: ApiObject, kind: ServedKind, duplicates: readonly string[] = []): string[] {
  return [
    ...compiled(kind.schema)
      .unknownFields(object)
      .map((field) => `unknown field "${field}"`),
    ...duplicates.map((field) => `duplicate field "${field}"`),
  ];
}

/** Everything after this relies on metadata being what its type says. */
function checkMetadata(object: ApiObject, kind: ServedKind): void {
  object.metadata ??= {};
  const wrong = kind.isCustom ? decodeError(objectMetaSchema, object.metadata) : undefined;
  if (wrong !== undefined) throw badRequest(`${cannotBe(kind)}: ${wrong}`);
}

function cannotBe({ kind, version }: ServedKind): string {
  return `${kind} in version "${version}" cannot be handled as a ${kind}`;
}

function unrecognized(mustBe: string, why: string, text: string): StatusError {
  const shown = text === '' ? '<empty>' : text.length > 32 ? `${text.slice(0, 32)} ...` : text;
  return badRequest(`the object provided is unrecognized (must be of type ${mustBe}): ${why} (${shown})`);
}

function inGoWords(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return /end of JSON/i.test(text) ? 'unexpected end of JSON input' : text;
}
