import type { ApiObject } from '../api-object.ts';
import { apiVersionOf, type ServedKind } from '../kinds/served-kind.ts';
import { compiled } from './compiled-schema.ts';

const shown = new WeakMap<ApiObject, { readonly kind: ServedKind; readonly as: ApiObject }>();

/**
 * An object as this version of its kind shows it. Versions of a CRD differ by what they know, for there is no conversion
 * webhook here; what the schema has learnt since the object was stored is filled in.
 */
export function shownAs(object: ApiObject, kind: ServedKind): ApiObject {
  // The scale of a Deployment and the token of a ServiceAccount are kinds of their own.
  if (object.kind !== kind.kind || !kind.isCustom) return object;
  const known = shown.get(object);
  if (known?.kind === kind) return known.as;
  const as = convert(object, kind, apiVersionOf(kind));
  shown.set(object, { kind, as });
  return as;
}

/** An object as it is stored. */
export function storedForm(object: ApiObject, kind: ServedKind): ApiObject {
  if (!kind.isCustom || object.apiVersion === kind.storedAs) return object;
  const { prune, applyDefaults } = compiled(kind.storedSchema);
  return applyDefaults(prune({ ...object, apiVersion: kind.storedAs }));
}

function convert(object: ApiObject, kind: ServedKind, apiVersion: string): ApiObject {
  const { prune, applyDefaults } = compiled(kind.schema);
  const pruned = prune(object.apiVersion === apiVersion ? object : { ...object, apiVersion });
  return apiVersion === kind.storedAs ? applyDefaults(pruned) : pruned;
}
