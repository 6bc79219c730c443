import type { ApiObject } from '../api-object.ts';
import { checkCrd } from '../schema/check-crd.ts';
import type { FieldError } from '../status-error.ts';
import type { CrdNames, CrdSpec, CrdVersion } from './custom-kinds.ts';
import type { KindRules } from './served-kind.ts';

/** What a CustomResourceDefinition gets and must hold beyond its schema. */
export const crdRules: KindRules = {
  setDefaults(object) {
    const spec = object['spec'] as (Mutable<CrdSpec> & { conversion?: { strategy?: string } }) | undefined;
    if (typeof spec !== 'object' || spec === null) return;
    const names = (spec.names ?? {}) as Mutable<CrdNames>;
    if (names.kind) {
      names.singular ||= names.kind.toLowerCase();
      names.listKind ||= `${names.kind}List`;
    }
    spec.conversion ??= {};
    spec.conversion.strategy ??= 'None';
  },
  prepareCreate(object) {
    object['status'] = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: stored(object) };
  },
  prepareUpdate(object, old) {
    const status = (old['status'] ?? {}) as { readonly storedVersions?: readonly string[] };
    const storedVersions = [...new Set([...(status.storedVersions ?? []), ...stored(object)])];
    object['status'] = { ...status, storedVersions };
  },
  validate: (object, old) => [...checkCrd(object, old), ...lostVersions(object)],
};

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A version that objects were stored in must stay known until none is left in it. */
function lostVersions(crd: ApiObject): FieldError[] {
  const { versions = [] } = (crd['spec'] ?? {}) as { readonly versions?: readonly CrdVersion[] };
  const { storedVersions = [] } = (crd['status'] ?? {}) as { readonly storedVersions?: readonly string[] };
  return storedVersions.flatMap((name, at): FieldError[] => {
    if (versions.some((version) => version.name === name)) return [];
    const message = `Invalid value: "${name}": missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    return [{ reason: 'FieldValueInvalid', field: `status.storedVersions[${at}]`, message }];
  });
}

function stored(crd: ApiObject): string[] {
  const { versions = [] } = (crd['spec'] ?? {}) as { readonly versions?: readonly CrdVersion[] };
  return versions.filter(({ storage }) => storage).map(({ name }) => name);
}
