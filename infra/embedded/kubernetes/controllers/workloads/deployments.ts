import type { ApiObject } from '../../api-object.ts';
import type { StoreEvent } from '../../internal-api.ts';
import { fieldsAt, isSame, numberAt, textAt, valueAt } from '../../kinds/rules/fields.ts';
import { isEmptySelector } from '../../kinds/rules/label-selector.ts';
import { controllerUser } from '../../user.ts';
import { type Controller, type ControllerParts, isBeingDeleted, keyIn, keyOf, objectKey } from '../controller.ts';
import { ignoreMissing } from '../ignore-missing.ts';
import { makeObject } from '../make-object.ts';
import type { WorkQueue } from '../work-queue.ts';
import { claimObjects, managersOf } from './owned-objects.ts';
import {
  byAge,
  currentSet,
  newSet,
  revisionAnnotation,
  revisionOf,
  setAnnotations,
  sizeAnnotations,
} from './revisions.ts';
import { firstReplicas, nextScaling, replicasOf, type Scaling } from './rollout-plan.ts';
import { rolloutStatus, withNewSet } from './rollout-status.ts';

const user = controllerUser('deployment-controller');
const storage = 'deployments.apps';
const setStorage = 'replicasets.apps';

/** Rolls a Deployment out: a ReplicaSet for each template, the new one growing as the old ones shrink. */
export class Deployments implements Controller {
  private readonly parts: ControllerParts;
  private readonly queue: WorkQueue;

  constructor(parts: ControllerParts) {
    this.parts = parts;
    this.queue = parts.queue('deployment', (key) => this.sync(key));
  }

  observe({ type, storage: changed, object }: StoreEvent): void {
    if (changed === storage && type !== 'DELETED') this.queue.add(keyOf(object));
    if (changed !== setStorage) return;
    for (const key of managersOf(this.parts, object, 'Deployment', storage)) this.queue.add(key);
  }

  private async sync(key: string): Promise<void> {
    const deployment = this.read(key);
    if (deployment === undefined || isEmptySelector(valueAt(deployment, 'spec', 'selector'))) return;
    const sets = byAge(await claimObjects(this.parts, user, deployment, setStorage));
    const isPaused = valueAt(deployment, 'spec', 'paused') === true;
    const found = currentSet(deployment, sets);
    const old = sets.filter((set) => set !== found);
    if (found === undefined && !isPaused) return this.startRollout(deployment, old);
    if (found !== undefined && !isPaused && (await this.annotate(deployment, found, old))) return;
    const steps = isPaused
      ? pausedScaling(deployment, found, old)
      : found === undefined
        ? []
        : nextScaling(deployment, found, old);
    // Every change of a set comes back as an event, and the next step follows from what it led to.
    for (const step of steps) await this.scale(deployment, step);
    await this.report(key, found, old);
  }

  private read(key: string): ApiObject | undefined {
    const deployment = this.parts.api.read.get(objectKey(storage, key));
    return deployment === undefined || isBeingDeleted(deployment) ? undefined : deployment;
  }

  private async startRollout(deployment: ApiObject, old: readonly ApiObject[]): Promise<void> {
    const { api } = this.parts;
    const wanted = newSet(deployment, firstReplicas(deployment, old), old);
    const taken = api.read.get(keyIn(setStorage, wanted));
    if (taken === undefined) {
      await makeObject(api, user, wanted);
      const status = withNewSet(deployment, wanted, this.parts.clock.now());
      await ignoreMissing(api.update(user, { ...deployment, status }, 'status'));
      return;
    }
    // Another template has the same short name: count on, until a name is free.
    const status = { ...fieldsAt(deployment, 'status') };
    status['collisionCount'] = numberAt(status, 'collisionCount') + 1;
    await api.update(user, { ...deployment, status }, 'status');
  }

  /** Whether anything was written; then the event of that brings us back. */
  private async annotate(deployment: ApiObject, set: ApiObject, old: readonly ApiObject[]): Promise<boolean> {
    const { api } = this.parts;
    const annotations = setAnnotations(deployment, set, old);
    const wait = numberAt(deployment, 'spec', 'minReadySeconds');
    const hasWait = numberAt(set, 'spec', 'minReadySeconds') === wait;
    if (!isSame(annotations, set.metadata.annotations) || !hasWait) {
      const spec = { ...fieldsAt(set, 'spec'), minReadySeconds: wait };
      await api.update(user, {
        ...set,
        metadata: { ...set.metadata, annotations },
        spec: hasWait ? set['spec'] : spec,
      });
      return true;
    }
    const revision = annotations[revisionAnnotation] ?? '';
    if (deployment.metadata.annotations?.[revisionAnnotation] === revision) return false;
    const own = { ...deployment.metadata.annotations, [revisionAnnotation]: revision };
    await api.update(user, { ...deployment, metadata: { ...deployment.metadata, annotations: own } }, 'status');
    return true;
  }

  private async scale(deployment: ApiObject, { set, replicas }: Scaling): Promise<void> {
    const annotations = { ...set.metadata.annotations, ...sizeAnnotations(deployment) };
    const spec = { ...fieldsAt(set, 'spec'), replicas };
    await this.parts.api.update(user, { ...set, metadata: { ...set.metadata, annotations }, spec });
  }

  private async report(key: string, found: ApiObject | undefined, old: readonly ApiObject[]): Promise<void> {
    const { api, clock } = this.parts;
    const deployment = this.read(key);
    if (deployment === undefined) return;
    const fresh = (set: ApiObject) => api.read.get(keyIn(setStorage, set)) ?? set;
    const current = found === undefined ? undefined : fresh(found);
    const others = old.map(fresh);
    const { status, isComplete, deadline } = rolloutStatus(deployment, current, others, clock.now());
    if (deadline !== undefined) this.queue.addAfter(key, Math.max(0, deadline - clock.now()));
    if (!isSame(deployment['status'], status))
      await ignoreMissing(api.update(user, { ...deployment, status }, 'status'));
    if (isComplete) await this.forgetHistory(deployment, others);
  }

  private async forgetHistory(deployment: ApiObject, old: readonly ApiObject[]): Promise<void> {
    const kept = numberAt(deployment, 'spec', 'revisionHistoryLimit');
    const empty = old.filter((set) => replicasOf(set) === 0 && numberAt(set, 'status', 'replicas') === 0);
    const oldestFirst = empty.toSorted((left, right) => revisionOf(left) - revisionOf(right));
    for (const set of oldestFirst.slice(0, Math.max(0, empty.length - kept))) {
      const uid = textAt(set, 'metadata', 'uid');
      await ignoreMissing(this.parts.api.remove(user, keyIn(setStorage, set), { uid }));
    }
  }
}

/** While paused only the number of pods follows, and only where one set has them all. */
function pausedScaling(
  deployment: ApiObject,
  found: ApiObject | undefined,
  old: readonly ApiObject[],
): readonly Scaling[] {
  const wanted = numberAt(deployment, 'spec', 'replicas');
  const active = [...old, ...(found === undefined ? [] : [found])].filter((set) => replicasOf(set) > 0);
  const [only = found ?? old.at(-1)] = active;
  if (active.length > 1 || only === undefined || replicasOf(only) === wanted) return [];
  return [{ set: only, replicas: wanted }];
}
