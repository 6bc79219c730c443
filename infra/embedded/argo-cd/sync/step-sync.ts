import type { Phase, ResourceResult, SyncOperation } from '../application.ts';
import type { Target } from '../cluster/clusters.ts';
import { healthOf } from '../compare/health.ts';
import { gvkOf, type KubeObject } from '../kube-object.ts';
import type { SyncPlan } from './plan-sync.ts';
import { runTask } from './run-task.ts';
import { isPrune, objectOf, resultKey, resultOf, type SyncTask } from './sync-task.ts';

export interface SyncStep {
  readonly phase: Phase;
  readonly message: string;
  readonly resources: readonly ResourceResult[];
}

// Many objects are applied at once, but not so many that a small API server has nobody else to listen to.
const atOnce = 8;
const nothingLeft = 'successfully synced (no more tasks)';

/**
 * Goes as far as a sync can go now: one wave after another, each when the one before is healthy. What was done before is in
 * `done`, so a sync goes on where it was, whoever runs it.
 */
export async function stepSync(
  cluster: Target,
  plan: SyncPlan,
  hooks: readonly KubeObject[],
  operation: SyncOperation,
  done: readonly ResourceResult[],
): Promise<SyncStep> {
  const tasks = recall(plan.tasks, done);
  const end = (phase: Phase, message: string): SyncStep => ({ phase, message, resources: report(tasks, done) });

  if (plan.invalid.length > 0)
    return end('Failed', `one or more synchronization tasks are not valid: ${plan.invalid.join('; ')}`);
  const [hook] = hooks;
  if (hook !== undefined)
    return end(
      'Failed',
      `resource hooks are not supported by the Argo CD stand-in: ${hook.kind} ${hook.metadata.name}`,
    );

  const namespace = tasks.find(({ syncPhase, status }) => syncPhase === 'PreSync' && status === undefined);
  if (namespace !== undefined) {
    await runTask(cluster, namespace, operation);
    if (namespace.status === 'SyncFailed') return end('Failed', because('the namespace failed to apply', [namespace]));
  }

  observe(tasks);
  const steps = new Set(tasks.filter(({ syncPhase }) => syncPhase === 'Sync').map(({ wave }) => wave));
  const running = tasks.filter(({ phase, syncPhase }) => phase === 'Running' && syncPhase === 'Sync');
  if (steps.size > 1 && running.length > 0) return end('Running', waitingFor('healthy state of', running));
  const leaving = tasks.filter(
    (task) => task.status === 'Pruned' && task.live?.metadata.deletionTimestamp !== undefined,
  );
  if (steps.size > 1 && leaving.length > 0) return end('Running', waitingFor('deletion of', leaving));
  const broken = tasks.filter(({ phase }) => phase === 'Failed' || phase === 'Error');
  if (broken.length > 0) {
    const failed = broken.filter(({ status }) => status === 'SyncFailed');
    return end('Failed', because('one or more synchronization tasks completed unsuccessfully', failed));
  }

  const pending = tasks.filter((task) => task.status === undefined && isWorthApplying(task, operation));
  const [first] = pending;
  if (first === undefined) return end('Succeeded', nothingLeft);
  const wave = pending.filter((task) => task.wave === first.wave && task.syncPhase === first.syncPhase);
  await runWave(cluster, wave, operation);
  const failed = wave.filter(({ status }) => status === 'SyncFailed');
  if (failed.length > 0) return end('Failed', because('one or more objects failed to apply', failed));
  if (operation.dryRun === true && wave.length === pending.length) return end('Succeeded', nothingLeft);
  if (wave.length === pending.length) return end('Succeeded', 'successfully synced (all tasks run)');
  // What was just applied shows its health only after its controller has seen it.
  return end('Running', waitingFor('healthy state of', wave));
}

/** What is pruned goes first; then kind after kind, since one kind may need another. */
async function runWave(cluster: Target, wave: readonly SyncTask[], operation: SyncOperation): Promise<void> {
  const prunes = wave.filter(isPrune);
  await inGroups(prunes, (task) => runTask(cluster, task, operation));
  if (prunes.some(({ status }) => status === 'SyncFailed')) return;
  const rest = wave.filter((task) => !isPrune(task));
  for (const kind of new Set(rest.map((task) => objectOf(task).kind))) {
    await inGroups(
      rest.filter((task) => objectOf(task).kind === kind),
      (task) => runTask(cluster, task, operation),
    );
  }
}

async function inGroups(tasks: readonly SyncTask[], run: (task: SyncTask) => Promise<void>): Promise<void> {
  for (let from = 0; from < tasks.length; from += atOnce) await Promise.all(tasks.slice(from, from + atOnce).map(run));
}

function recall(tasks: readonly SyncTask[], done: readonly ResourceResult[]): SyncTask[] {
  return tasks.map((task) => {
    const before = done.find((one) => keyOfResult(one) === resultKey(task));
    if (before === undefined) return task;
    return { ...task, status: before.status, phase: before.hookPhase, message: before.message ?? '' };
  });
}

/** The results so far, and those of objects that are no longer there. */
function report(tasks: readonly SyncTask[], done: readonly ResourceResult[]): readonly ResourceResult[] {
  const now = tasks.filter(({ status }) => status !== undefined);
  const keys = new Set(now.map(resultKey));
  return [...done.filter((one) => !keys.has(keyOfResult(one))), ...now.map(resultOf)];
}

function keyOfResult({ group, kind, namespace, name, syncPhase }: ResourceResult): string {
  return `${group}/${kind}/${namespace}/${name}:${syncPhase}`;
}

/** Lets the health of what runs decide: an object without health is well as soon as it is there. */
function observe(tasks: readonly SyncTask[]): void {
  for (const task of tasks) {
    if (task.phase !== 'Running' || task.live === undefined) continue;
    const health = healthOf(task.live);
    if (health === undefined || health.status === 'Healthy') task.phase = 'Succeeded';
    else if (health.status === 'Degraded') task.phase = 'Failed';
    if (health?.message !== undefined && task.phase !== 'Running') task.message = health.message;
  }
}

function isWorthApplying({ modified, live, target }: SyncTask, { syncOptions = [] }: SyncOperation): boolean {
  return !syncOptions.includes('ApplyOutOfSyncOnly=true') || modified || live === undefined || target === undefined;
}

function waitingFor(what: string, tasks: readonly SyncTask[]): string {
  const object = objectOf(tasks[0] as SyncTask);
  const more = tasks.length > 1 ? ` and ${tasks.length - 1} more resources` : '';
  return `waiting for ${what} ${gvkOf(object).group}/${object.kind}/${object.metadata.name}${more}`;
}

function because(message: string, tasks: readonly SyncTask[]): string {
  return tasks.length === 0
    ? message
    : `${message}, reason: ${[...new Set(tasks.map((task) => task.message))].join(',')}`;
}
