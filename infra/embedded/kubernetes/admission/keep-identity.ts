import type { ApiObject } from '../api-object.ts';
import type { AdmissionAttributes } from '../request-attributes.ts';
import { badRequest, conflict, modifiedMeanwhile, StatusError } from '../status-error.ts';

/**
 * A webhook may change what an object holds, not which object it is. What only the server gives out (uid, times of
 * creation and deletion of a new object) is given out again; the rest is refused as the API refuses it.
 */
export function keepIdentity(patched: ApiObject, before: ApiObject, attributes: AdmissionAttributes): ApiObject {
  if (patched.kind !== before.kind || patched.apiVersion !== before.apiVersion) {
    const [from, to] = [patched, before].map((object) => `(${object.apiVersion}.${object.kind})`);
    throw new StatusError(500, '', `converting ${from} to ${to}: unknown conversion`);
  }
  if ((patched.metadata.namespace ?? '') !== (before.metadata.namespace ?? '')) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const { resourceVersion } = before.metadata;
  if (attributes.operation !== 'CREATE') {
    if (patched.metadata.resourceVersion === resourceVersion) return patched;
    throw conflict(attributes, attributes.name, modifiedMeanwhile);
  }
  if (patched.metadata.resourceVersion) {
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
  }
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, ...rest } = patched.metadata;
  const own = before.metadata;
  const metadata = {
    ...rest,
    ...(own.uid === undefined ? {} : { uid: own.uid }),
    ...(own.creationTimestamp === undefined ? {} : { creationTimestamp: own.creationTimestamp }),
  };
  return { ...patched, metadata };
}
