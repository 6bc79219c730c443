import type { ApiObject } from '../../api-object.ts';
import { fieldsAt, listAt, textAt } from '../../kinds/rules/fields.ts';
import { managedBy } from './owned-objects.ts';

export function isReady(pod: ApiObject): boolean {
  return listAt(pod, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'Ready' && textAt(condition, 'status') === 'True',
  );
}

/** When the pod became available, in milliseconds; undefined while it is not ready. */
export function availableAt(pod: ApiObject, minReadySeconds: number): number | undefined {
  const ready = listAt(pod, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Ready');
  if (textAt(ready, 'status') !== 'True') return undefined;
  const since = Date.parse(textAt(ready, 'lastTransitionTime'));
  return (Number.isNaN(since) ? 0 : since) + minReadySeconds * 1000;
}

/** Neither ended nor on its way out. */
export function isActive(pod: ApiObject): boolean {
  const phase = textAt(pod, 'status', 'phase');
  return pod.metadata.deletionTimestamp === undefined && phase !== 'Succeeded' && phase !== 'Failed';
}

/** A pod as a template describes it, for the owner that will manage it. */
export function podFromTemplate(
  owner: ApiObject,
  extra: { readonly name?: string; readonly labels?: object },
): ApiObject {
  const template = fieldsAt(owner, 'spec', 'template');
  const metadata = fieldsAt(template, 'metadata');
  const { namespace = '', name: ownerName = '' } = owner.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(extra.name === undefined ? {} : { name: extra.name }),
      generateName: `${ownerName}-`,
      namespace,
      labels: { ...(metadata['labels'] as Record<string, string>), ...extra.labels },
      ...(metadata['annotations'] === undefined ? {} : { annotations: { ...(metadata['annotations'] as object) } }),
      ownerReferences: [managedBy(owner)],
    },
    spec: structuredClone(fieldsAt(template, 'spec')),
  };
}

/** Counters that are zero are left out, as the API shows them. */
export function withoutZeros(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}
