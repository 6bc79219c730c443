import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import { coreRules } from '../../../../infra/embedded/kubernetes/kinds/rules/core-rules.ts';
import { invalid } from '../../../../infra/embedded/kubernetes/status-error.ts';

/** The steps that an object of a built-in kind takes on its way into the store. */
export function ruleBook(services: readonly ApiObject[] = []) {
  const rules = coreRules({ list: (storage) => (storage === 'services' ? services : []), now: () => 0 });

  function rulesOf({ apiVersion, kind }: ApiObject) {
    const found = rules.get(`${apiVersion}/${kind}`);
    if (found === undefined) throw new Error(`There are no rules for ${apiVersion} ${kind}`);
    return found;
  }

  function said(object: ApiObject, old?: ApiObject): string {
    const errors = rulesOf(object).validate?.(object, old) ?? [];
    const group = object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '';
    return errors.length === 0
      ? 'fine'
      : invalid({ group, kind: object.kind }, object.metadata.name ?? '', errors).message;
  }

  function created(given: ApiObject): ApiObject {
    const object = structuredClone(given);
    rulesOf(object).setDefaults?.(object);
    rulesOf(object).prepareCreate?.(object);
    return object;
  }

  function updated(old: ApiObject, given: ApiObject): ApiObject {
    const object = structuredClone(given);
    rulesOf(object).setDefaults?.(object);
    rulesOf(object).prepareUpdate?.(object, old);
    return object;
  }

  return {
    created,
    updated,
    /** What the server says to a new object: `fine`, or the text of its refusal. */
    onCreate: (given: ApiObject) => said(created(given)),
    /** What the server says to a change of an object that it made. */
    onUpdate: (given: ApiObject, change: (copy: ApiObject) => void) => {
      const old = created(given);
      const next = structuredClone(old);
      change(next);
      return said(updated(old, next), old);
    },
  };
}

export function anObject(apiVersion: string, kind: string, rest: Record<string, unknown> = {}): ApiObject {
  const { metadata, ...fields } = rest;
  return {
    ...fields,
    apiVersion,
    kind,
    metadata: { name: 'one', namespace: 'home', uid: 'u1', ...(metadata as object) },
  };
}
