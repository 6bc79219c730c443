import type { ApiObject, OwnerReference } from '../api-object.ts';
import { instant } from '../clock.ts';

/** Tells why an object went whose owner lives in another namespace: nobody who looks at the owner would guess it. */
export function foreignOwnerEvent(object: ApiObject, owner: OwnerReference, now: number): ApiObject {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = object.metadata;
  const at = instant(now);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { generateName: `${name}.`, namespace },
    involvedObject: { apiVersion: object.apiVersion, kind: object.kind, namespace, name, uid, resourceVersion },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef [${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}] does not exist in namespace "${namespace}"`,
    type: 'Warning',
    source: { component: 'garbage-collector-controller' },
    reportingComponent: 'garbage-collector-controller',
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  };
}
