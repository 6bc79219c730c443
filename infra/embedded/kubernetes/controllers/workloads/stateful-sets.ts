import type { ApiObject } from '../../api-object.ts';
import type { StoreEvent } from '../../internal-api.ts';
import { fieldsAt, isSame, listAt, numberAt, textAt } from '../../kinds/rules/fields.ts';
import { controllerUser } from '../../user.ts';
import { type Controller, type ControllerParts, isBeingDeleted, keyIn, keyOf, objectKey } from '../controller.ts';
import { ignoreMissing } from '../ignore-missing.ts';
import { makeObject } from '../make-object.ts';
import type { WorkQueue } from '../work-queue.ts';
import { claimObjects, managersOf } from './owned-objects.ts';
import { availableAt, isActive, isReady, podFromTemplate, withoutZeros } from './pod-state.ts';
import { templateHash } from './template-hash.ts';

const user = controllerUser('statefulset-controller');
const storage = 'statefulsets.apps';
const revisionLabel = 'controller-revision-hash';

/** Keeps pods with lasting names: made in order, taken away and replaced from the last to the first. */
export class StatefulSets implements Controller {
  private readonly parts: ControllerParts;
  private readonly queue: WorkQueue;

  constructor(parts: ControllerParts) {
    this.parts = parts;
    this.queue = parts.queue('statefulset', (key) => this.sync(key));
  }

  observe({ type, storage: changed, object }: StoreEvent): void {
    if (changed === storage && type !== 'DELETED') this.queue.add(keyOf(object));
    if (changed !== 'pods') return;
    for (const key of managersOf(this.parts, object, 'StatefulSet', storage)) this.queue.add(key);
  }

  private async sync(key: string): Promise<void> {
    const set = this.parts.api.read.get(objectKey(storage, key));
    if (set === undefined || isBeingDeleted(set)) return;
    const pods = await claimObjects(this.parts, user, set, 'pods');
    await this.nextStep(set, pods);
    await this.report(key);
  }

  /** One step towards what is wanted; the event of it brings us back for the next. */
  private async nextStep(set: ApiObject, pods: readonly ApiObject[]): Promise<void> {
    const { api } = this.parts;
    const first = numberAt(set, 'spec', 'ordinals', 'start');
    const wanted = numberAt(set, 'spec', 'replicas');
    const isParallel = textAt(set, 'spec', 'podManagementPolicy') === 'Parallel';
    const byName = new Map(pods.map((pod) => [pod.metadata.name, pod]));
    for (let ordinal = first; ordinal < first + wanted; ordinal += 1) {
      const pod = byName.get(podName(set, ordinal));
      if (pod === undefined) await this.makePod(set, ordinal);
      else if (!isActive(pod)) await this.remove(pod);
      else if (isReady(pod)) continue;
      if (!isParallel) return this.replaceBroken(set, pod);
    }
    const surplus = pods
      .filter((pod) => ordinalOf(pod) < first || ordinalOf(pod) >= first + wanted)
      .toSorted((left, right) => ordinalOf(right) - ordinalOf(left));
    for (const pod of isParallel ? surplus : surplus.slice(0, 1)) await this.remove(pod);
    if (surplus.length > 0) return;
    const strategy = fieldsAt(set, 'spec', 'updateStrategy');
    if (strategy['type'] !== 'RollingUpdate') return;
    const partition = numberAt(strategy, 'rollingUpdate', 'partition');
    const present = api.read.get(keyIn(storage, set)) ?? set;
    const outdated = pods.filter((pod) => ordinalOf(pod) >= partition && !isCurrent(present, pod));
    const last = outdated.toSorted((left, right) => ordinalOf(right) - ordinalOf(left))[0];
    if (last !== undefined) await this.remove(last);
  }

  /** A pod of an older template that never got ready would block its own repair. */
  private async replaceBroken(set: ApiObject, pod: ApiObject | undefined): Promise<void> {
    if (pod !== undefined && isActive(pod) && !isReady(pod) && !isCurrent(set, pod)) await this.remove(pod);
  }

  private async remove(pod: ApiObject): Promise<void> {
    const { uid = '' } = pod.metadata;
    await ignoreMissing(this.parts.api.remove(user, keyIn('pods', pod), { uid }));
  }

  private async makePod(set: ApiObject, ordinal: number): Promise<void> {
    const { api } = this.parts;
    const name = podName(set, ordinal);
    const labels = {
      'apps.kubernetes.io/pod-index': String(ordinal),
      [revisionLabel]: revisionOf(set),
      'statefulset.kubernetes.io/pod-name': name,
    };
    const pod = podFromTemplate(set, { name, labels });
    const spec = fieldsAt(pod, 'spec');
    spec['hostname'] = name;
    spec['subdomain'] = textAt(set, 'spec', 'serviceName');
    const claims = listAt(set, 'spec', 'volumeClaimTemplates') as readonly ApiObject[];
    for (const claim of claims) await this.makeClaim(set, claim, name);
    const volumes = claims.map(({ metadata: { name: volume = '' } }) => ({
      name: volume,
      persistentVolumeClaim: { claimName: `${volume}-${name}` },
    }));
    if (volumes.length > 0) {
      const own = listAt(spec, 'volumes').filter(
        (one) => !volumes.some(({ name: taken }) => taken === textAt(one, 'name')),
      );
      spec['volumes'] = [...own, ...volumes];
    }
    await makeObject(api, user, pod);
  }

  private async makeClaim(set: ApiObject, template: ApiObject, pod: string): Promise<void> {
    const { api } = this.parts;
    const { namespace = '' } = set.metadata;
    const name = `${template.metadata.name ?? ''}-${pod}`;
    if (api.read.get({ storage: 'persistentvolumeclaims', namespace, name }) !== undefined) return;
    const labels = { ...template.metadata.labels, ...(fieldsAt(set, 'spec', 'selector', 'matchLabels') as object) };
    const metadata = { ...template.metadata, name, namespace, labels };
    await makeObject(api, user, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: structuredClone(template['spec']),
    });
  }

  private async report(key: string): Promise<void> {
    const { api, clock } = this.parts;
    const set = api.read.get(objectKey(storage, key));
    if (set === undefined) return;
    const uid = set.metadata.uid ?? '';
    const pods = api.read
      .list('pods', set.metadata.namespace ?? '')
      .filter((pod) => isActive(pod) && pod.metadata.ownerReferences?.some((owner) => owner.uid === uid));
    const updated = pods.filter((pod) => isCurrent(set, pod)).length;
    const revision = revisionOf(set);
    const isDone = updated === pods.length && pods.length === numberAt(set, 'spec', 'replicas') && pods.every(isReady);
    const before = textAt(set, 'status', 'currentRevision') || revision;
    const current = isDone ? revision : before;
    const wait = numberAt(set, 'spec', 'minReadySeconds');
    const status = {
      ...withoutZeros({
        currentReplicas: pods.filter((pod) => pod.metadata.labels?.[revisionLabel] === current).length,
        readyReplicas: pods.filter(isReady).length,
        updatedReplicas: updated,
      }),
      availableReplicas: pods.filter((pod) => (availableAt(pod, wait) ?? Number.POSITIVE_INFINITY) <= clock.now())
        .length,
      collisionCount: 0,
      currentRevision: current,
      observedGeneration: set.metadata.generation ?? 0,
      replicas: pods.length,
      updateRevision: revision,
    };
    if (!isSame(set['status'], status)) await ignoreMissing(api.update(user, { ...set, status }, 'status'));
  }
}

function podName(set: ApiObject, ordinal: number): string {
  return `${set.metadata.name ?? ''}-${ordinal}`;
}

function ordinalOf(pod: ApiObject): number {
  return Number(/-(\d+)$/.exec(pod.metadata.name ?? '')?.[1] ?? -1);
}

function revisionOf(set: ApiObject): string {
  return `${set.metadata.name ?? ''}-${templateHash(fieldsAt(set, 'spec', 'template'))}`;
}

function isCurrent(set: ApiObject, pod: ApiObject): boolean {
  return pod.metadata.labels?.[revisionLabel] === revisionOf(set);
}
