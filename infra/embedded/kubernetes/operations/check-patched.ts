import type { ApiObject } from '../api-object.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { decodeError } from '../schema/decode-error.ts';
import { quote } from '../schema/go-text.ts';
import { invalid } from '../status-error.ts';

/** What a built-in kind says about a patch that leaves a value of a wrong type behind. */
export function checkPatched(
  patched: ApiObject,
  { kind, patch }: { readonly kind: ServedKind; readonly patch: { readonly mediaType: string; readonly text: string } },
): void {
  const wrong = kind.isCustom ? undefined : decodeError(kind.schema, patched);
  if (wrong === undefined) return;
  const isStrategic = patch.mediaType === 'application/strategic-merge-patch+json';
  const shown = isStrategic ? mapText(JSON.parse(patch.text)) : JSON.stringify(patched);
  const message = `Invalid value: ${quote(shown)}: ${isStrategic ? conversionError(wrong) : wrong}`;
  throw invalid({ group: '', kind: '' }, '', [{ reason: 'FieldValueInvalid', field: 'patch', message }]);
}

const goKinds: Readonly<Record<string, string>> = { number: 'int64', object: 'map', array: 'slice' };

/** A strategic merge patch is not read as JSON but converted value by value, which has texts of its own. */
function conversionError(decoding: string): string {
  const [, from = '', to = ''] = /cannot unmarshal (\w+) .*of type (.+)$/.exec(decoding) ?? [];
  const given = goKinds[from] ?? from;
  if (to.startsWith('map[') || to === 'v1.ResourceList') return `cannot restore map from ${given}`;
  if (to.startsWith('[]')) return `cannot restore slice from ${given}`;
  if (given === 'int64' && !/^(bool|int|float)/.test(to)) return `cannot convert int64 to ${to}`;
  return to === '' ? decoding : `unrecognized type: ${to}`;
}

/** A map as Go prints it. */
function mapText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(mapText).join(' ')}]`;
  if (typeof value !== 'object' || value === null) return value === null ? '<nil>' : String(value);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `map[${entries.map(([key, item]) => `${key}:${mapText(item)}`).join(' ')}]`;
}
