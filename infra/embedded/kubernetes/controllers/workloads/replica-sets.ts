import type { ApiObject } from '../../api-object.ts';
import type { StoreEvent } from '../../internal-api.ts';
import { isSame, numberAt, textsAt } from '../../kinds/rules/fields.ts';
import { controllerUser } from '../../user.ts';
import { type Controller, type ControllerParts, isBeingDeleted, keyIn, keyOf, objectKey } from '../controller.ts';
import { ignoreMissing } from '../ignore-missing.ts';
import { makeObject } from '../make-object.ts';
import type { WorkQueue } from '../work-queue.ts';
import { claimObjects, managersOf } from './owned-objects.ts';
import { availableAt, isActive, isReady, podFromTemplate, withoutZeros } from './pod-state.ts';

const user = controllerUser('replicaset-controller');
const storage = 'replicasets.apps';

/** Keeps as many pods as a ReplicaSet wants. */
export class ReplicaSets implements Controller {
  private readonly parts: ControllerParts;
  private readonly queue: WorkQueue;

  constructor(parts: ControllerParts) {
    this.parts = parts;
    this.queue = parts.queue('replicaset', (key) => this.sync(key));
  }

  observe({ type, storage: changed, object }: StoreEvent): void {
    if (changed === storage && type !== 'DELETED') this.queue.add(keyOf(object));
    if (changed !== 'pods') return;
    for (const key of managersOf(this.parts, object, 'ReplicaSet', storage)) this.queue.add(key);
  }

  private async sync(key: string): Promise<void> {
    const { api } = this.parts;
    const set = api.read.get(objectKey(storage, key));
    if (set === undefined) return;
    if (!isBeingDeleted(set)) {
      const pods = (await claimObjects(this.parts, user, set, 'pods')).filter(isActive);
      const missing = numberAt(set, 'spec', 'replicas') - pods.length;
      if (missing > 0) {
        // One after the other, so that names come in the same order for the same seed.
        for (let made = 0; made < missing; made += 1) await makeObject(api, user, podFromTemplate(set, {}));
      }
      const surplus = missing < 0 ? leastWorthy(pods).slice(0, -missing) : [];
      for (const pod of surplus) {
        const { uid = '' } = pod.metadata;
        await ignoreMissing(api.remove(user, keyIn('pods', pod), { uid }));
      }
    }
    await this.report(key);
  }

  private async report(key: string): Promise<void> {
    const { api, clock } = this.parts;
    const set = api.read.get(objectKey(storage, key));
    if (set === undefined) return;
    const uid = set.metadata.uid ?? '';
    const pods = api.read
      .list('pods', set.metadata.namespace ?? '')
      .filter(
        (pod) =>
          isActive(pod) &&
          pod.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.controller === true),
      );
    const wait = numberAt(set, 'spec', 'minReadySeconds');
    const times = pods.map((pod) => availableAt(pod, wait));
    const later = times.filter((time) => time !== undefined && time > clock.now()) as number[];
    if (later.length > 0) this.queue.addAfter(key, Math.min(...later) - clock.now());
    const labels = Object.entries(textsAt(set, 'spec', 'template', 'metadata', 'labels'));
    const isLabelled = (pod: ApiObject) => labels.every(([name, value]) => pod.metadata.labels?.[name] === value);
    const status = {
      ...withoutZeros({
        availableReplicas: times.filter((time) => time !== undefined && time <= clock.now()).length,
        fullyLabeledReplicas: pods.filter(isLabelled).length,
        readyReplicas: pods.filter(isReady).length,
      }),
      observedGeneration: set.metadata.generation ?? 0,
      replicas: pods.length,
      terminatingReplicas: 0,
    };
    if (!isSame(set['status'], status)) await ignoreMissing(api.update(user, { ...set, status }, 'status'));
  }
}

/** Pods that do not work go first, then the youngest. */
function leastWorthy(pods: readonly ApiObject[]): readonly ApiObject[] {
  return pods.toSorted((left, right) => {
    const byReadiness = Number(isReady(left)) - Number(isReady(right));
    if (byReadiness !== 0) return byReadiness;
    const [one = '', other = ''] = [left.metadata.creationTimestamp, right.metadata.creationTimestamp];
    if (one !== other) return one > other ? -1 : 1;
    return (left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1;
  });
}
