import type { ApiObject } from '../api-object.ts';
import { nameRuleOf } from '../kinds/rules/name-rules.ts';
import { validateMetadata } from '../kinds/rules/validate-metadata.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { type FieldError, invalid } from '../status-error.ts';
import { compiled } from './compiled-schema.ts';

/** Everything that a kind demands of an object before it is stored; all that is wrong is said at once. */
export function checkObject(kind: ServedKind, object: ApiObject, old: ApiObject | undefined, subresource = ''): void {
  const metadata = validateMetadata(object.metadata, {
    namespaced: kind.namespaced,
    nameRule: nameRuleOf(kind),
    // Definitions are judged as custom objects are: their own finalizer has no domain.
    isBuiltIn: !kind.isCustom && kind.group !== 'apiextensions.k8s.io',
    ...(old === undefined ? {} : { old: old.metadata }),
  });
  // The schema's own rules are passed over where the metadata is wrong already, so they are told what is.
  const errors = [...(kind.isCustom ? checkCustom() : metadata), ...(kind.rules.validate?.(object, old) ?? [])];
  if (errors.length > 0) throw invalid(kind, object.metadata.name ?? '', errors);

  function checkCustom(): readonly FieldError[] {
    const schema = compiled(kind.schema);
    return subresource === 'status'
      ? schema.validateStatus(object, old, metadata)
      : schema.validate(object, old, metadata);
  }
}
