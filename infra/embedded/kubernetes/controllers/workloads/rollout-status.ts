import type { ApiObject } from '../../api-object.ts';
import { instant } from '../../clock.ts';
import { fieldsAt, listAt, numberAt, valueAt } from '../../kinds/rules/fields.ts';
import { withoutZeros } from './pod-state.ts';
import { fenceposts, replicasOf } from './rollout-plan.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastUpdateTime: string;
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

interface RolloutStatus {
  readonly status: Record<string, unknown>;
  readonly isComplete: boolean;
  /** When the rollout will have taken too long, in milliseconds. */
  readonly deadline?: number;
}

type Counts = Readonly<Record<'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas', number>>;

/** What a Deployment tells about its rollout, in the conditions that clients and health checks read. */
export function rolloutStatus(
  deployment: ApiObject,
  current: ApiObject | undefined,
  old: readonly ApiObject[],
  now: number,
): RolloutStatus {
  const all = current === undefined ? old : [current, ...old];
  const total = (name: string, sets = all) => sets.reduce((sum, set) => sum + numberAt(set, 'status', name), 0);
  const counts: Counts = {
    replicas: total('replicas'),
    updatedReplicas: total('replicas', current === undefined ? [] : [current]),
    readyReplicas: total('readyReplicas'),
    availableReplicas: total('availableReplicas'),
  };
  const wanted = numberAt(deployment, 'spec', 'replicas');
  const isComplete =
    counts.updatedReplicas === wanted && counts.replicas === wanted && counts.availableReplicas === wanted;
  const before = listAt(deployment, 'status', 'conditions') as readonly Condition[];
  const isAvailable = counts.availableReplicas >= wanted - fenceposts(deployment).unavailable;
  const available = isAvailable
    ? made('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', now)
    : made('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.', now);
  const conditions = withProgress(deployment, current, counts, isComplete, placed(before, available), now);
  const unavailable = all.reduce((sum, set) => sum + replicasOf(set), 0) - counts.availableReplicas;
  const collisions = valueAt(deployment, 'status', 'collisionCount');
  const status = {
    ...withoutZeros({ ...counts, unavailableReplicas: Math.max(0, unavailable) }),
    ...(collisions === undefined ? {} : { collisionCount: collisions }),
    conditions,
    observedGeneration: deployment.metadata.generation ?? 0,
    terminatingReplicas: 0,
  };
  const progressing = conditions.find(({ type }) => type === 'Progressing');
  const isRunning = progressing?.status === 'True' && progressing.reason !== 'NewReplicaSetAvailable';
  if (progressing === undefined || !isRunning) return { status, isComplete };
  const seconds = numberAt(deployment, 'spec', 'progressDeadlineSeconds');
  return { status, isComplete, deadline: Date.parse(progressing.lastUpdateTime) + (seconds + 1) * 1000 };
}

function withProgress(
  deployment: ApiObject,
  current: ApiObject | undefined,
  counts: Counts,
  isComplete: boolean,
  conditions: readonly Condition[],
  now: number,
): readonly Condition[] {
  const before = conditions.find(({ type }) => type === 'Progressing');
  const set = `ReplicaSet "${current?.metadata.name ?? ''}"`;
  if (valueAt(deployment, 'spec', 'paused') === true) {
    return placed(conditions, made('Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused', now));
  }
  const wasComplete = before?.reason === 'NewReplicaSetAvailable' && counts.replicas === counts.updatedReplicas;
  if (current === undefined || wasComplete) return conditions;
  if (isComplete) {
    const done = made('Progressing', 'True', 'NewReplicaSetAvailable', `${set} has successfully progressed.`, now);
    return placed(conditions, done);
  }
  if (before === undefined || before.status === 'Unknown' || isFurther(deployment, counts)) {
    const going = made('Progressing', 'True', 'ReplicaSetUpdated', `${set} is progressing.`, now);
    const since = before?.status === 'True' ? before.lastTransitionTime : going.lastTransitionTime;
    const others = conditions.filter(({ type }) => type !== 'Progressing');
    return [...others, { ...going, lastTransitionTime: since }];
  }
  if (before.reason === 'NewReplicaSetAvailable' || before.reason === 'ProgressDeadlineExceeded') return conditions;
  const limit = numberAt(deployment, 'spec', 'progressDeadlineSeconds') * 1000;
  if (Date.parse(before.lastUpdateTime) + limit >= now) return conditions;
  const late = made('Progressing', 'False', 'ProgressDeadlineExceeded', `${set} has timed out progressing.`, now);
  return placed(conditions, late);
}

/** Whether there is more of the new, or less of the old, than when the status was written last. */
function isFurther(deployment: ApiObject, counts: Counts): boolean {
  const was = (name: keyof Counts) => numberAt(deployment, 'status', name);
  const oldBefore = was('replicas') - was('updatedReplicas');
  return (
    counts.updatedReplicas > was('updatedReplicas') ||
    counts.replicas - counts.updatedReplicas < oldBefore ||
    counts.readyReplicas > was('readyReplicas') ||
    counts.availableReplicas > was('availableReplicas')
  );
}

function made(type: string, status: string, reason: string, message: string, now: number): Condition {
  const time = instant(now);
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message };
}

/** A condition that says the same is left alone; one that changes goes to the end. */
function placed(conditions: readonly Condition[], next: Condition): readonly Condition[] {
  const before = conditions.find(({ type }) => type === next.type);
  if (before?.status === next.status && before.reason === next.reason) return conditions;
  const others = conditions.filter(({ type }) => type !== next.type);
  const since = before?.status === next.status ? before.lastTransitionTime : next.lastTransitionTime;
  return [...others, { ...next, lastTransitionTime: since }];
}

/** The clock of a rollout starts when its ReplicaSet is made. */
export function withNewSet(deployment: ApiObject, set: ApiObject, now: number): Record<string, unknown> {
  const message = `Created new replica set "${set.metadata.name ?? ''}"`;
  const before = listAt(deployment, 'status', 'conditions') as readonly Condition[];
  const conditions = placed(before, made('Progressing', 'True', 'NewReplicaSetCreated', message, now));
  // None of the pods counted so far are of the new set.
  const { updatedReplicas: _before, ...status } = fieldsAt(deployment, 'status');
  return { ...status, conditions };
}
