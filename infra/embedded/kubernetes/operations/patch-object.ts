import type { ApiObject } from '../api-object.ts';
import { applyConfiguration } from '../apply/apply-configuration.ts';
import { applyJsonPatch } from '../patch/apply-json-patch.ts';
import { applyMergePatch } from '../patch/apply-merge-patch.ts';
import { applyStrategicMergePatch } from '../patch/apply-strategic-merge-patch.ts';
import { unsupportedPatchType } from '../patch/unsupported-patch-type.ts';
import type { JsonObject } from '../schema/schema.ts';
import { badRequest, invalid } from '../status-error.ts';
import { changeObject } from './change-object.ts';
import { checkPatched } from './check-patched.ts';
import { createObject } from './create-object.ts';
import { parseBody, settleFields, strayFields } from './decode-object.ts';
import type { Call, Machinery } from './machinery.ts';
import { checkNamed } from './put-object.ts';
import { trackingOf } from './tracking-of.ts';

export interface Patch {
  readonly mediaType: string;
  readonly text: string;
  readonly force: boolean;
}

/** PATCH in its four forms. */
export async function patchObject(machinery: Machinery, call: Call, patch: Patch): Promise<ApiObject> {
  if (patch.mediaType === 'application/apply-patch+yaml') return applyObject(machinery, call, patch);
  const patched = patcher(call, patch);
  return changeObject(machinery, call, {
    isPinned: false,
    next: (live) => {
      const result = patched(live as unknown as JsonObject) as unknown as ApiObject;
      checkNamed(result, call);
      checkPatched(result, { kind: call.kind, patch });
      checkStrays(result, call);
      return settleFields(result, call.kind);
    },
  });
}

function patcher({ kind }: Call, { mediaType, text }: Patch): (live: JsonObject) => JsonObject {
  switch (mediaType) {
    case 'application/json-patch+json': {
      const operations = parsePatch(text);
      return (live) => applyJsonPatch(live, operations);
    }
    case 'application/merge-patch+json': {
      const patch = parsePatch(text);
      return (live) => applyMergePatch(live, patch);
    }
    case 'application/strategic-merge-patch+json': {
      if (kind.isCustom) throw unsupportedPatchType(true);
      const patch = parsePatch(text);
      return (live) => applyStrategicMergePatch(live, patch, kind.schema);
    }
    default:
      throw unsupportedPatchType(kind.isCustom);
  }
}

async function applyObject(machinery: Machinery, call: Call, patch: Patch): Promise<ApiObject> {
  const { kind, attributes } = call;
  const { value } = parseBody(patch.text, kind.kind);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('the applied configuration must be an object');
  const applied = value as ApiObject;
  applied.metadata ??= {};
  if (!applied.metadata.name) applied.metadata.name = attributes.name;
  checkNamed(applied, call);
  const merged = (live: ApiObject | undefined) =>
    applyConfiguration({ live, applied, force: patch.force, ...trackingOf(machinery, call) });
  const change = {
    isPinned: false,
    isApplied: true,
    next: (live: ApiObject) => {
      const { object, changed } = merged(live);
      return changed ? settleFields(object, kind) : object;
    },
  };
  if (attributes.subresource !== '') return changeObject(machinery, call, change);
  return changeObject(machinery, call, {
    ...change,
    otherwise: () => createObject(machinery, call, settleFields(structuredClone(merged(undefined).object), kind), true),
  });
}

function parsePatch(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw badRequest(
      `error decoding patch: ${/end of JSON/i.test(message) ? 'unexpected end of JSON input' : message}`,
    );
  }
}

function checkStrays(object: ApiObject, call: Call): void {
  if (call.fieldValidation === 'Ignore') return;
  const strays = strayFields(object, call.kind);
  if (strays.length > 0 && call.fieldValidation === 'Strict') {
    const message = `Invalid value: ${JSON.stringify(JSON.stringify(object))}: strict decoding error: ${strays.join(', ')}`;
    throw invalid({ group: '', kind: '' }, '', [{ reason: 'FieldValueInvalid', field: 'patch', message }]);
  }
  for (const stray of strays) if (!call.warnings.includes(stray)) call.warnings.push(stray);
}
