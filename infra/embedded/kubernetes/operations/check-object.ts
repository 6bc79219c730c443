import type { ApiObject } from '../api-object.ts';
import { nameRuleOf } from '../kinds/rules/name-rules.ts';
import { validateMetadata } from '../kinds/rules/validate-metadata.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { invalid } from '../status-error.ts';
import { compiled } from './compiled-schema.ts';

/** Everything that a kind demands of an object before it is stored; all that is wrong is said at once. */
export function checkObject(kind: ServedKind, object: ApiObject, old: ApiObject | undefined, subresource = ''): void {
  const errors = [
    ...validateMetadata(object.metadata, {
      namespaced: kind.namespaced,
      nameRule: nameRuleOf(kind),
      ...(old === undefined ? {} : { old: old.metadata }),
    }),
    ...(kind.isCustom ? compiled(kind.schema).validate(object, old) : []),
    ...(kind.rules.validate?.(object, old) ?? []),
  ];
  if (errors.length === 0) return;
  // What is wrong with a reported status is told as if the status were the whole body.
  const told =
    subresource === 'status'
      ? errors.map((error) => ({ ...error, message: error.message.replaceAll('status.', '') }))
      : errors;
  throw invalid(kind, object.metadata.name ?? '', told);
}
