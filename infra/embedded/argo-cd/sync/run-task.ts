import { type ResourceResult, type SyncOperation, syncOptionsAnnotation } from '../application.ts';
import { saidByServer } from '../cluster/api-error.ts';
import type { Target } from '../cluster/clusters.ts';
import { applyObject, deleteObject } from '../cluster/write-object.ts';
import { gvkOf, hasOption, type KubeObject, keyOf, optionValue } from '../kube-object.ts';
import { isPrune, type SyncTask } from './sync-task.ts';

const definitionTimeoutMs = 10_000;

/** Applies or prunes one object, and writes down what came of it. Never throws: a refusal is a result. */
export async function runTask(cluster: Target, task: SyncTask, operation: SyncOperation): Promise<void> {
  const dryRun = operation.dryRun === true;
  try {
    if (isPrune(task)) await prune(cluster, task, operation);
    else await apply(cluster, task, operation);
    if (dryRun && task.phase === 'Running') task.phase = 'Succeeded';
  } catch (error) {
    note(task, 'SyncFailed', saidByServer(error));
  }
}

async function apply(cluster: Target, task: SyncTask, operation: SyncOperation): Promise<void> {
  const target = task.target as KubeObject;
  const resource = task.resource ?? (await cluster.resources.find(gvkOf(target)));
  if (resource === undefined) return note(task, 'SyncFailed', missingKind(target));
  const asks = (option: string) =>
    (operation.syncOptions ?? []).includes(option) || hasOption(target, syncOptionsAnnotation, option);
  const message = await applyObject(cluster, resource, target, task.live, {
    dryRun: operation.dryRun === true,
    replace: asks('Replace=true'),
    serverSide: asks('ServerSideApply=true'),
    validate: !asks('Validate=false'),
  });
  note(task, 'Synced', message);
  if (target.kind === 'CustomResourceDefinition' && operation.dryRun !== true) await established(cluster, target);
}

async function prune(cluster: Target, task: SyncTask, operation: SyncOperation): Promise<void> {
  const live = task.live as KubeObject;
  if (operation.prune !== true) return note(task, 'PruneSkipped', 'ignored (requires pruning)');
  const option = optionValue(live, syncOptionsAnnotation, 'Prune') ?? optionOf(operation.syncOptions, 'Prune');
  if (option === 'false') return note(task, 'PruneSkipped', 'ignored (no prune)');
  if (operation.dryRun === true) return note(task, 'Pruned', 'pruned (dry run)');
  if (live.metadata.deletionTimestamp === undefined) {
    const resource = task.resource ?? (await cluster.resources.find(gvkOf(live)));
    if (resource === undefined) return note(task, 'SyncFailed', missingKind(live));
    await deleteObject(cluster, resource, live, propagationOf(operation.syncOptions));
    // With nothing to wait for, it is gone; the watch says the same a moment later.
    if ((live.metadata.finalizers ?? []).length === 0) cluster.live.forget(keyOf(live));
  }
  note(task, 'Pruned', 'pruned');
}

function propagationOf(options: readonly string[] = []): 'Foreground' | 'Background' | 'Orphan' {
  const asked = optionOf(options, 'PrunePropagationPolicy');
  return asked === 'background' ? 'Background' : asked === 'orphan' ? 'Orphan' : 'Foreground';
}

export function missingKind(object: KubeObject): string {
  const { group, kind } = gvkOf(object);
  const { namespace = '', name } = object.metadata;
  return `The Kubernetes API could not find ${group}/${kind} for requested resource ${namespace}/${name}. Make sure the "${kind}" CRD is installed on the destination cluster.`;
}

function optionOf(options: readonly string[] = [], name: string): string | undefined {
  return options.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
}

function note(task: SyncTask, status: NonNullable<ResourceResult['status']>, message: string): void {
  const phases = { Synced: 'Running', SyncFailed: 'Failed', Pruned: 'Succeeded', PruneSkipped: 'Succeeded' } as const;
  task.status = status;
  task.phase = phases[status];
  task.message = message;
}

/** Until a definition is established, its kind is not served, and objects of it would be refused. */
async function established(cluster: Target, { spec }: KubeObject): Promise<void> {
  const { group, names, versions } = spec as { group: string; names: { kind: string }; versions: { name: string }[] };
  const deadline = Date.now() + definitionTimeoutMs;
  const kind = { group, kind: names.kind, version: versions[0]?.name ?? '' };
  while (Date.now() < deadline && (await cluster.resources.find(kind)) === undefined)
    await new Promise((resolve) => setTimeout(resolve, 100));
}
