import type { ApiObject } from '../api-object.ts';
import { badRequest, conflict, invalid } from '../status-error.ts';
import { changeObject } from './change-object.ts';
import { namespaceMismatch } from './create-object.ts';
import type { Call, Machinery } from './machinery.ts';

/** PUT: the whole object as it is to be. */
export async function putObject(machinery: Machinery, call: Call, object: ApiObject): Promise<ApiObject> {
  checkNamed(object, call);
  const { namespace } = call.attributes;
  const named = call.kind.namespaced ? { ...object, metadata: { ...object.metadata, namespace } } : object;
  const { resourceVersion, uid } = object.metadata;
  if (kindDemandsVersion(call) && !resourceVersion) {
    throw invalid({ group: call.kind.group, kind: call.kind.plural }, call.attributes.name, [
      {
        reason: 'FieldValueInvalid',
        field: 'metadata.resourceVersion',
        message: 'Invalid value: 0: must be specified for an update',
      },
    ]);
  }
  return changeObject(machinery, call, {
    isPinned: Boolean(resourceVersion),
    next: (live) => {
      if (uid && uid !== live.metadata.uid) {
        const { kind, attributes } = call;
        throw conflict(
          { group: kind.group, resource: kind.plural },
          attributes.name,
          `StorageError: invalid object, Code: 4, Key: /registry/${kind.plural}/${[attributes.namespace, attributes.name].filter(Boolean).join('/')}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid}`,
        );
      }
      return named;
    },
  });
}

function kindDemandsVersion({ kind }: Call): boolean {
  return kind.isCustom;
}

/** The body must name what the URL names. */
export function checkNamed(object: ApiObject, { kind, attributes }: Call): void {
  const { name, namespace } = object.metadata;
  if (!name) {
    throw badRequest(
      `the name of the object (${attributes.name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (name !== attributes.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${attributes.name})`);
  }
  const expected = kind.namespaced ? attributes.namespace : '';
  if (namespace && namespace !== expected) throw badRequest(namespaceMismatch);
}
