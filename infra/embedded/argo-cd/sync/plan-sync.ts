import { type Application, type SyncOperation, syncOptionsAnnotation } from '../application.ts';
import type { Target } from '../cluster/clusters.ts';
import { readObject } from '../cluster/write-object.ts';
import type { Comparison, Pair } from '../compare/compare-application.ts';
import { isSkipped } from '../compare/normalize-targets.ts';
import { isOwnTracking } from '../compare/tracking.ts';
import { gvkOf, isFields, type KubeObject } from '../kube-object.ts';
import { type AppProject, isDestinationPermitted, isKindPermitted } from '../project/app-project.ts';
import { missingKind } from './run-task.ts';
import { isDefinitionOf, objectOf, openTask, orderTasks, type SyncTask } from './sync-task.ts';

export interface SyncPlan {
  readonly tasks: readonly SyncTask[];
  /** Why it cannot even be begun; empty where it can. */
  readonly invalid: readonly string[];
}

/** What a sync has to do, in order. Each object is checked against the project and the kinds of the cluster first. */
export async function planSync(
  cluster: Target,
  app: Application,
  project: AppProject,
  comparison: Comparison,
  operation: SyncOperation,
): Promise<SyncPlan> {
  const options = operation.syncOptions ?? [];
  const tasks = comparison.pairs
    .filter((pair) => isAsked(pair, operation) && !isSkipped(pair.target))
    .filter(({ target, live }) => live === undefined || isOwnTracking(live, target))
    .map((pair) => openTask({ ...pair, syncPhase: 'Sync', namespace: reportedNamespace(pair, app) }));
  const namespace = await namespaceTask(cluster, app, comparison, options);
  if (namespace !== undefined) tasks.unshift(namespace);

  const invalid: string[] = [];
  for (const task of tasks) {
    const problem = check(task, tasks, cluster, project);
    if (problem === undefined) continue;
    Object.assign(task, { status: 'SyncFailed', message: problem.message });
    invalid.push(problem.raw);
  }
  return {
    tasks: orderTasks(tasks, options.includes('PruneLast=true')),
    invalid: [...new Set(invalid)].sort(),
  };
}

function check(task: SyncTask, all: readonly SyncTask[], cluster: Target, project: AppProject) {
  const object = objectOf(task);
  const { group, version, kind } = gvkOf(object);
  if (task.resource === undefined) {
    if (all.some((other) => isDefinitionOf(other, { group, kind }))) return undefined;
    if (cluster.resources.serves(group, version)) return both(`${kind}${group === '' ? '' : `.${group}`} "" not found`);
    const raw = `failed to discover server resources for group version ${group === '' ? '' : `${group}/`}${version}: the server could not find the requested resource`;
    return { raw, message: missingKind(object) };
  }
  const { name, namespace = '' } = object.metadata;
  if (!isKindPermitted(project, { group, kind }, name, task.resource.namespaced))
    return both(`resource ${group}:${kind} is not permitted in project ${project.metadata.name}`);
  if (task.resource.namespaced && !isDestinationPermitted(project, cluster, namespace))
    return both(`namespace ${namespace} is not permitted in project '${project.metadata.name}'`);
  return undefined;
}

function reportedNamespace({ target, live }: Pair, app: Application): string {
  const own = (target ?? live)?.metadata.namespace;
  return own ?? (target === undefined ? '' : (app.spec.destination.namespace ?? ''));
}

function both(message: string) {
  return { raw: message, message };
}

function isAsked({ target, live }: Pair, { resources }: SyncOperation): boolean {
  if (resources === undefined || resources.length === 0) return true;
  const object = (target ?? live) as KubeObject;
  const { group, kind } = gvkOf(object);
  return resources.some(
    (one) =>
      one.kind === kind &&
      (one.group ?? '') === group &&
      one.name === object.metadata.name &&
      ((one.namespace ?? '') === '' || one.namespace === object.metadata.namespace),
  );
}

/** With CreateNamespace=true the namespace comes before everything else, unless it is there or Git brings it along. */
async function namespaceTask(cluster: Target, app: Application, { pairs }: Comparison, options: readonly string[]) {
  const name = app.spec.destination.namespace ?? '';
  if (!options.includes('CreateNamespace=true') || name === '') return undefined;
  if (pairs.some(({ target }) => target?.kind === 'Namespace' && target.metadata.name === name)) return undefined;
  const resource = await cluster.resources.find({ group: '', version: 'v1', kind: 'Namespace' });
  if (resource === undefined) return undefined;
  const managed = app.spec.syncPolicy?.managedNamespaceMetadata;
  const live = await readObject(cluster, resource, { metadata: { name } });
  if (live !== undefined && managed === undefined) return undefined;
  const target = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...namespaceMetadata(managed) } };
  return openTask({ target, live, resource, modified: true, syncPhase: 'PreSync', namespace: '' });
}

function namespaceMetadata(managed: Readonly<Record<string, unknown>> | undefined): object {
  if (managed === undefined) return {};
  const labels = isFields(managed['labels']) ? { labels: managed['labels'] } : {};
  const annotations = isFields(managed['annotations']) ? managed['annotations'] : {};
  return { ...labels, annotations: { ...annotations, [syncOptionsAnnotation]: 'ServerSideApply=true' } };
}
