import type { ApiObject } from '../api-object.ts';
import type { Json } from '../schema/schema.ts';
import { collectFields } from './collect-fields.ts';
import { compareValues } from './compare-values.ts';
import { differenceOf, type FieldSet, noFields } from './field-set.ts';
import type { FieldType } from './field-type.ts';
import { asMap } from './list-elements.ts';
import { bodyOf } from './track-update.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** `kubectl apply` and `kubectl apply --server-side` are the same user: only this manager is looked at. */
export const kubectlManager = 'kubectl';

/**
 * What `kubectl apply` wrote before and what still stands as it was written: `kubectl apply --server-side` may take
 * these over from whoever is entered as their owner.
 */
export function lastAppliedFields(type: FieldType, live: ApiObject, apiVersion: string): FieldSet {
  const text = live.metadata.annotations?.[annotation];
  const applied = text === undefined || text === '' ? undefined : parsed(text);
  if (applied === undefined || asMap(applied)?.['apiVersion'] !== apiVersion) return noFields;
  const { removed, modified, added } = compareValues(type, applied, bodyOf(live));
  return differenceOf(differenceOf(differenceOf(collectFields(type, applied), modified), added), removed);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Where the annotation of `kubectl apply` is, it follows what `kubectl apply --server-side` applies. */
export function withLastApplied(object: ApiObject, applied: ApiObject): ApiObject {
  const annotations = object.metadata.annotations;
  if (annotations === undefined || (annotations[annotation] ?? '') === '') return object;
  const { [annotation]: _, ...others } = applied.metadata.annotations ?? {};
  const { annotations: __, ...metadata } = applied.metadata;
  const bare = Object.keys(others).length === 0 ? metadata : { ...metadata, annotations: others };
  const text = `${JSON.stringify(sorted({ ...applied, metadata: bare } as unknown as Json))}\n`;
  if (annotations[annotation] === text) return object;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [annotation]: text } } };
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  const map = asMap(value);
  if (map === undefined) return value;
  const names = Object.keys(map).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(map[name] ?? null)]));
}
