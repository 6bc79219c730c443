import { type Phase, type ResourceResult, syncOptionsAnnotation } from '../application.ts';
import type { ApiResource } from '../cluster/api-resources.ts';
import { imagesOf } from '../compare/images.ts';
import { gvkOf, hasOption, type KubeObject, textAt } from '../kube-object.ts';
import { waveOf } from './wave.ts';

/** One object to apply or to prune, and what became of it. */
export interface SyncTask {
  readonly target: KubeObject | undefined;
  readonly live: KubeObject | undefined;
  readonly resource: ApiResource | undefined;
  readonly modified: boolean;
  readonly syncPhase: 'PreSync' | 'Sync';
  /** What Argo CD reports as its namespace; an object that is applied without one is reported with the destination's. */
  readonly namespace: string;
  wave: number;
  status: ResourceResult['status'];
  phase: Phase | undefined;
  message: string;
}

// Those that others need come first. A kind that is not named comes last.
const kindOrder = [
  'Namespace NetworkPolicy ResourceQuota LimitRange PodSecurityPolicy PodDisruptionBudget ServiceAccount Secret SecretList',
  'ConfigMap StorageClass PersistentVolume PersistentVolumeClaim CustomResourceDefinition ClusterRole ClusterRoleList',
  'ClusterRoleBinding ClusterRoleBindingList Role RoleList RoleBinding RoleBindingList Service DaemonSet Pod',
  'ReplicationController ReplicaSet Deployment HorizontalPodAutoscaler StatefulSet Job CronJob IngressClass Ingress APIService',
]
  .join(' ')
  .split(' ');

export function objectOf({ target, live }: Pick<SyncTask, 'target' | 'live'>): KubeObject {
  return (target ?? live) as KubeObject;
}

export function isPrune({ target }: SyncTask): boolean {
  return target === undefined;
}

export function openTask(
  task: Pick<SyncTask, 'target' | 'live' | 'resource' | 'modified' | 'syncPhase' | 'namespace'>,
): SyncTask {
  return { ...task, wave: waveOf(objectOf(task)), status: undefined, phase: undefined, message: '' };
}

/** By phase, wave, kind and name. What is pruned goes in the opposite order of its making, or last of all where it asks to. */
export function orderTasks(tasks: readonly SyncTask[], pruneLast: boolean): SyncTask[] {
  const prunes = tasks.filter(isPrune);
  const waves = [...new Set(prunes.map(({ wave }) => wave))].sort((a, b) => a - b);
  for (const task of prunes) task.wave = waves.at(-1 - waves.indexOf(task.wave)) ?? task.wave;
  const last = Math.max(0, ...tasks.filter(({ syncPhase }) => syncPhase === 'Sync').map(({ wave }) => wave)) + 1;
  for (const task of prunes) {
    if (pruneLast || hasOption(task.live, syncOptionsAnnotation, 'PruneLast=true')) task.wave = last;
  }
  return [...tasks].sort(
    (a, b) =>
      Number(b.syncPhase === 'PreSync') - Number(a.syncPhase === 'PreSync') ||
      a.wave - b.wave ||
      rank(a) - rank(b) ||
      compareText(objectOf(a).metadata.name, objectOf(b).metadata.name),
  );
}

function rank(task: SyncTask): number {
  const at = kindOrder.indexOf(objectOf(task).kind);
  return at === -1 ? kindOrder.length : at;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The custom resource definition of a kind that is applied in the same sync. */
export function isDefinitionOf(task: SyncTask, { group, kind }: { group: string; kind: string }): boolean {
  const { target } = task;
  return (
    target?.kind === 'CustomResourceDefinition' &&
    textAt(target, 'spec', 'group') === group &&
    textAt(target, 'spec', 'names', 'kind') === kind
  );
}

export function resultKey(task: SyncTask): string {
  const { group, kind } = gvkOf(objectOf(task));
  return `${group}/${kind}/${task.namespace}/${objectOf(task).metadata.name}:${task.syncPhase}`;
}

export function resultOf(task: SyncTask): ResourceResult {
  const object = objectOf(task);
  const { group, version, kind } = gvkOf(object);
  const images = imagesOf(object);
  return {
    group,
    version,
    kind,
    namespace: task.namespace,
    name: object.metadata.name,
    ...(task.status !== undefined && { status: task.status }),
    ...(task.message !== '' && { message: task.message }),
    ...(task.phase !== undefined && { hookPhase: task.phase }),
    syncPhase: task.syncPhase,
    ...(images.length > 0 && { images }),
  };
}
