import type { ApiObject } from '../../api-object.ts';
import { instant } from '../../clock.ts';
import type { StoreEvent } from '../../internal-api.ts';
import { fieldsAt, listAt, textAt } from '../../kinds/rules/fields.ts';
import { controllerUser } from '../../user.ts';
import { type Controller, type ControllerParts, isBeingDeleted, keyOf, objectKey } from '../controller.ts';
import { ignoreMissing } from '../ignore-missing.ts';
import type { WorkQueue } from '../work-queue.ts';
import { isReady } from './pod-state.ts';
import { fingerprint } from './template-hash.ts';

const user = controllerUser('pretend-node');
/** On a pod (or in the template of a workload): `fail` shows an image that cannot be pulled. */
const pretendAnnotation = 'stagecoach.dev/pretend';
const failure = 'ImagePullBackOff';

/** Of a pod or of the template of one. */
export function pretendsToFail(pod: object): boolean {
  return textAt(pod, 'metadata', 'annotations', pretendAnnotation) === 'fail';
}

/** Stands for the machines: pods run and are ready at once, claims are bound, and nothing really runs. */
export class PretendNode implements Controller {
  private readonly parts: ControllerParts;
  private readonly pods: WorkQueue;
  private readonly claims: WorkQueue;

  constructor(parts: ControllerParts) {
    this.parts = parts;
    this.pods = parts.queue('pretend-node', (key) => this.runPod(key));
    this.claims = parts.queue('pretend-storage', (key) => this.bindClaim(key));
  }

  observe({ type, storage, object }: StoreEvent): void {
    if (type === 'DELETED') return;
    if (storage === 'pods') this.pods.add(keyOf(object));
    else if (storage === 'persistentvolumeclaims') this.claims.add(keyOf(object));
  }

  private async runPod(key: string): Promise<void> {
    const { api, clock } = this.parts;
    const pod = api.read.get(objectKey('pods', key));
    if (pod === undefined || isBeingDeleted(pod)) return;
    const mustFail = pretendsToFail(pod);
    const isFresh =
      textAt(pod, 'status', 'phase') === 'Pending' && listAt(pod, 'status', 'containerStatuses').length === 0;
    // What somebody else says about a pod stands, as long as the wish to fail has not changed.
    const isChanged = mustFail ? isReady(pod) : isWaiting(pod);
    if (!isFresh && !isChanged) return;
    const status = mustFail ? failing(pod, instant(clock.now())) : running(pod, instant(clock.now()));
    await ignoreMissing(api.update(user, { ...pod, status }, 'status'));
  }

  private async bindClaim(key: string): Promise<void> {
    const { api } = this.parts;
    const claim = api.read.get(objectKey('persistentvolumeclaims', key));
    if (claim === undefined || textAt(claim, 'status', 'phase') !== 'Pending') return;
    const status = {
      accessModes: listAt(claim, 'spec', 'accessModes'),
      capacity: fieldsAt(claim, 'spec', 'resources', 'requests'),
      phase: 'Bound',
    };
    await ignoreMissing(api.update(user, { ...claim, status }, 'status'));
  }
}

function isWaiting(pod: ApiObject): boolean {
  return listAt(pod, 'status', 'containerStatuses').some(
    (one) => textAt(one, 'state', 'waiting', 'reason') === failure,
  );
}

function common(pod: ApiObject, now: string): Record<string, unknown> {
  return {
    hostIP: '127.0.0.1',
    hostIPs: [{ ip: '127.0.0.1' }],
    qosClass: textAt(pod, 'status', 'qosClass'),
    startTime: now,
  };
}

function condition(type: string, now: string): Record<string, unknown> {
  return { type, status: 'True', lastProbeTime: null, lastTransitionTime: now };
}

function running(pod: ApiObject, now: string): Record<string, unknown> {
  const number = fingerprint(pod.metadata.uid ?? '');
  const ip = `10.244.${(number >>> 8) & 255}.${number & 255}`;
  const types = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
  return {
    ...common(pod, now),
    phase: 'Running',
    podIP: ip,
    podIPs: [{ ip }],
    conditions: types.map((type) => condition(type, now)),
    containerStatuses: listAt(pod, 'spec', 'containers').map((container) => ({
      ...about(container),
      ready: true,
      started: true,
      state: { running: { startedAt: now } },
    })),
  };
}

function failing(pod: ApiObject, now: string): Record<string, unknown> {
  const containers = listAt(pod, 'spec', 'containers');
  const names = containers.map((container) => textAt(container, 'name')).join(' ');
  const unready = {
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${names}]`,
  };
  return {
    ...common(pod, now),
    phase: 'Pending',
    conditions: [
      condition('Initialized', now),
      { type: 'Ready', ...unready },
      { type: 'ContainersReady', ...unready },
      condition('PodScheduled', now),
    ],
    containerStatuses: containers.map((container) => ({
      ...about(container),
      ready: false,
      started: false,
      state: { waiting: { reason: failure, message: `Back-off pulling image "${textAt(container, 'image')}"` } },
    })),
  };
}

function about(container: unknown): Record<string, unknown> {
  return {
    name: textAt(container, 'name'),
    image: textAt(container, 'image'),
    imageID: '',
    restartCount: 0,
    lastState: {},
  };
}
