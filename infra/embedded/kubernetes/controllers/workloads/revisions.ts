import type { ApiObject } from '../../api-object.ts';
import { fieldsAt, isSame, numberAt, textsAt } from '../../kinds/rules/fields.ts';
import { managedBy } from './owned-objects.ts';
import { fenceposts } from './rollout-plan.ts';
import { templateHash } from './template-hash.ts';

const hashLabel = 'pod-template-hash';
export const revisionAnnotation = 'deployment.kubernetes.io/revision';
const historyAnnotation = 'deployment.kubernetes.io/revision-history';
const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
const maximumAnnotation = 'deployment.kubernetes.io/max-replicas';
/** What belongs to the Deployment alone. */
const ownAnnotations = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maximumAnnotation,
  'deprecated.deployment.rollback.to',
]);

function withoutHash(template: unknown): unknown {
  const { [hashLabel]: _hash, ...labels } = textsAt(template, 'metadata', 'labels');
  return { ...fieldsAt(template), metadata: { ...fieldsAt(template, 'metadata'), labels } };
}

/** The ReplicaSet whose pods are what the Deployment wants now; the oldest, should there be several. */
export function currentSet(deployment: ApiObject, sets: readonly ApiObject[]): ApiObject | undefined {
  const wanted = withoutHash(fieldsAt(deployment, 'spec', 'template'));
  return byAge(sets).find((set) => isSame(withoutHash(fieldsAt(set, 'spec', 'template')), wanted));
}

export function byAge(sets: readonly ApiObject[]): readonly ApiObject[] {
  const age = ({ metadata: { creationTimestamp = '', name = '' } }: ApiObject) => `${creationTimestamp} ${name}`;
  return sets.toSorted((left, right) => (age(left) < age(right) ? -1 : 1));
}

export function revisionOf(object: ApiObject): number {
  return Number(object.metadata.annotations?.[revisionAnnotation] ?? 0);
}

/** The annotations of the current ReplicaSet: those of its Deployment, and where it stands in the history. */
export function setAnnotations(deployment: ApiObject, set: ApiObject | undefined, old: readonly ApiObject[]) {
  const next = Math.max(0, ...old.map(revisionOf)) + 1;
  const known = set === undefined ? 0 : revisionOf(set);
  const shared = Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !ownAnnotations.has(name));
  const annotations: Record<string, string> = { ...set?.metadata.annotations, ...Object.fromEntries(shared) };
  annotations[revisionAnnotation] = String(Math.max(known, next));
  if (known !== 0 && known < next) {
    const history = set?.metadata.annotations?.[historyAnnotation];
    annotations[historyAnnotation] = history === undefined ? String(known) : `${history},${known}`;
  }
  return { ...annotations, ...sizeAnnotations(deployment) };
}

export function sizeAnnotations(deployment: ApiObject): Record<string, string> {
  const replicas = numberAt(deployment, 'spec', 'replicas');
  const most = replicas === 0 ? 0 : replicas + fenceposts(deployment).surge;
  return { [desiredAnnotation]: String(replicas), [maximumAnnotation]: String(most) };
}

/** The ReplicaSet for what the Deployment wants now. Its name follows from the template, so that it is made once. */
export function newSet(deployment: ApiObject, replicas: number, old: readonly ApiObject[]): ApiObject {
  const { name = '', namespace = '' } = deployment.metadata;
  const template = structuredClone(fieldsAt(deployment, 'spec', 'template'));
  const hash = templateHash(template, numberAt(deployment, 'status', 'collisionCount'));
  const labels = { ...textsAt(template, 'metadata', 'labels'), [hashLabel]: hash };
  const selector = fieldsAt(deployment, 'spec', 'selector');
  const wait = numberAt(deployment, 'spec', 'minReadySeconds');
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels,
      annotations: setAnnotations(deployment, undefined, old),
      ownerReferences: [managedBy(deployment)],
    },
    spec: {
      replicas,
      ...(wait === 0 ? {} : { minReadySeconds: wait }),
      selector: { ...selector, matchLabels: { ...textsAt(selector, 'matchLabels'), [hashLabel]: hash } },
      template: { ...template, metadata: { ...fieldsAt(template, 'metadata'), labels } },
    },
  };
}
