import type { Application, Condition, Health, ResourceStatus, Source, SyncCode, SyncStatus } from '../application.ts';
import { saidByServer } from '../cluster/api-error.ts';
import type { ApiResource } from '../cluster/api-resources.ts';
import { ClusterTrouble } from '../cluster/cluster-trouble.ts';
import type { Target } from '../cluster/clusters.ts';
import { gvkOf, hasOption, type KubeObject, keyOf } from '../kube-object.ts';
import { type AppProject, isKindPermitted } from '../project/app-project.ts';
import { SourceError } from '../source/source-error.ts';
import { waveOf } from '../sync/wave.ts';
import type { Differences } from './difference.ts';
import { healthOf, isWorse } from './health.ts';
import { imagesOf } from './images.ts';
import { loadLive } from './load-live.ts';
import type { LoadRequest, TargetState } from './load-target.ts';
import { isHook, isSkipped, normalizeTargets } from './normalize-targets.ts';
import { isOwnTracking, trackingOf } from './tracking.ts';

/** One object, as it is wanted and as it is. One of both is there. */
export interface Pair {
  readonly target: KubeObject | undefined;
  readonly live: KubeObject | undefined;
  readonly resource: ApiResource | undefined;
  readonly modified: boolean;
}

export interface Comparison {
  readonly sync: SyncStatus;
  readonly health: Health['status'];
  readonly resources: readonly ResourceStatus[];
  readonly conditions: readonly Condition[];
  readonly pairs: readonly Pair[];
  readonly hooks: readonly KubeObject[];
  readonly images: readonly string[];
  readonly sourceType: string | undefined;
}

export interface CompareSettings {
  readonly load: (request: LoadRequest) => Promise<TargetState>;
  readonly differences: Differences;
}

/** Compares what Git wants with what the cluster has. What cannot be loaded becomes a condition, never an exception. */
export async function compareApplication(
  settings: CompareSettings,
  cluster: Target,
  project: AppProject,
  request: LoadRequest,
): Promise<Comparison> {
  try {
    return await compareWith(settings, cluster, project, request);
  } catch (error) {
    if (!(error instanceof ClusterTrouble)) throw error;
    return withoutCluster(cluster.server, request, `error synchronizing cache state : ${error.message}`);
  }
}

async function compareWith(
  { load, differences }: CompareSettings,
  cluster: Target,
  project: AppProject,
  request: LoadRequest,
): Promise<Comparison> {
  const { app, source } = request;
  const namespace = app.spec.destination.namespace ?? '';
  const conditions: Condition[] = [];
  let failed = false;
  function fail(what: string, error: unknown): void {
    failed = true;
    conditions.push({ type: 'ComparisonError', message: `${what}: ${explain(error)}` });
  }

  let state: TargetState | undefined;
  try {
    state = await load(request);
  } catch (error) {
    fail('Failed to load target state', error);
  }
  const targets = await normalizeTargets(state?.objects ?? [], app.metadata.name, namespace, cluster).catch(
    (error: unknown) => {
      if (error instanceof ClusterTrouble) throw error;
      fail('Failed to normalize target state', error);
      return { wanted: [], hooks: [], conditions: [] };
    },
  );
  conditions.push(...targets.conditions);
  const live = await loadLive(cluster, app, project, targets.wanted).catch((error: unknown) => {
    if (error instanceof ClusterTrouble) throw error;
    fail('Failed to load live state', error);
    return new Map<string, { object: KubeObject; resource: ApiResource | undefined }>();
  });
  for (const { object } of live.values()) {
    const owner = trackingOf(object)?.application;
    if (owner === undefined || owner === app.metadata.name) continue;
    const mine = `${app.metadata.namespace ?? ''}/${app.metadata.name}`;
    const message = `${object.kind}/${object.metadata.name} is part of applications ${mine} and ${owner}`;
    conditions.push({ type: 'SharedResourceWarning', message });
  }

  const pairs: Pair[] = [];
  for (const { object: target, resource } of targets.wanted) {
    const found = live.get(keyOf(target))?.object;
    live.delete(keyOf(target));
    let modified = false;
    if (found !== undefined && resource !== undefined) {
      try {
        modified = await differences.isModified(cluster, resource, target, found, app.spec.ignoreDifferences ?? []);
      } catch (error) {
        fail('Failed to compare desired state to live state', error);
      }
    }
    if (resource?.namespaced !== false && target.metadata.namespace === undefined)
      conditions.push({
        type: 'InvalidSpecError',
        message: `Namespace for ${target.metadata.name} ${words(target)} is missing.`,
      });
    pairs.push({ target, live: found, resource, modified });
  }
  for (const { object, resource } of live.values()) {
    if (!isHook(object)) pairs.push({ target: undefined, live: object, resource, modified: false });
  }

  const resources = pairs.map((pair) => statusOf(pair, project, failed));
  return {
    sync: {
      status: failed ? 'Unknown' : overall(pairs),
      revision: state?.revision ?? (request.revision || source.targetRevision || ''),
      comparedTo: comparedTo(app, source),
    },
    health: overallHealth(pairs),
    resources: resources.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)),
    conditions,
    pairs,
    hooks: targets.hooks,
    images: [...new Set(pairs.flatMap(({ live }) => (live === undefined ? [] : imagesOf(live))))].sort(),
    sourceType: state?.sourceType,
  };
}

/** Argo CD can say nothing about an application whose cluster it cannot read, not even what Git wants. */
function withoutCluster(server: string, { app, source, revision }: LoadRequest, trouble: string): Comparison {
  const info = `failed to get cluster info for "${server}": ${trouble}`;
  return {
    sync: {
      status: 'Unknown',
      revision: revision || source.targetRevision || '',
      comparedTo: comparedTo(app, source),
    },
    health: 'Healthy',
    resources: [],
    conditions: [
      {
        type: 'ComparisonError',
        message: `Failed to load target state: failed to get cluster version for cluster "${server}": ${info}`,
      },
      { type: 'ComparisonError', message: `Failed to load live state: ${info}` },
      { type: 'UnknownError', message: trouble },
    ],
    pairs: [],
    hooks: [],
    images: [],
    sourceType: undefined,
  };
}

function comparedTo({ spec }: Application, source: Source) {
  const ignored = spec.ignoreDifferences;
  return { source, destination: spec.destination, ...(ignored !== undefined && { ignoreDifferences: ignored }) };
}

function statusOf(pair: Pair, project: AppProject, failed: boolean): ResourceStatus {
  const { target, live, resource } = pair;
  const object = (live ?? target) as KubeObject;
  const { group, version, kind } = gvkOf(object);
  const own = live === undefined || isOwnTracking(live, target);
  const wave = target === undefined ? 0 : waveOf(target);
  const health = live === undefined ? ({ status: 'Missing' } as const) : healthOf(live);
  const permitted = isKindPermitted(project, { group, kind }, object.metadata.name, resource?.namespaced ?? false);
  const status = failed || !permitted ? 'Unknown' : isSkipped(target) || !own ? undefined : codeOf(pair);
  return {
    ...(group !== '' && { group }),
    version,
    kind,
    ...(object.metadata.namespace !== undefined && { namespace: object.metadata.namespace }),
    name: object.metadata.name,
    ...(status !== undefined && { status }),
    ...(health !== undefined && !isSkipped(target) && { health }),
    ...(target === undefined && own && { requiresPruning: true }),
    ...(wave !== 0 && { syncWave: wave }),
  };
}

function codeOf({ target, live, modified }: Pair): SyncCode {
  return modified || target === undefined || live === undefined ? 'OutOfSync' : 'Synced';
}

function overall(pairs: readonly Pair[]): SyncCode {
  const counts = pairs.some((pair) => {
    const { target, live } = pair;
    if (isSkipped(target) || (live !== undefined && !isOwnTracking(live, target))) return false;
    const mayStay = target === undefined && hasOption(live, 'argocd.argoproj.io/compare-options', 'IgnoreExtraneous');
    return codeOf(pair) === 'OutOfSync' && !mayStay;
  });
  return counts ? 'OutOfSync' : 'Synced';
}

/** The worst of what is there. What is missing shows as out of sync; only where nothing at all is there, it is Missing. */
function overallHealth(pairs: readonly Pair[]): Health['status'] {
  const counted = pairs.filter(({ target, live }) => !isSkipped(target) && !(live !== undefined && isHook(live)));
  let worst: Health['status'] = 'Healthy';
  for (const { live } of counted) {
    if (live === undefined || live.metadata.annotations?.['argocd.argoproj.io/ignore-healthcheck'] === 'true') continue;
    const status = healthOf(live)?.status;
    if (status !== undefined && isWorse(worst, status)) worst = status;
  }
  const nothing = counted.length > 0 && counted.every(({ live }) => live === undefined);
  return nothing && isWorse(worst, 'Missing') ? 'Missing' : worst;
}

function explain(error: unknown): string {
  if (error instanceof SourceError)
    return `failed to generate manifest for source 1 of 1: rpc error: code = ${error.code} desc = ${error.message}`;
  return saidByServer(error);
}

function orderOf({ group = '', kind, namespace = '', name }: ResourceStatus): string {
  return [group, kind, namespace, name].join('/');
}

function words(object: KubeObject): string {
  const { group, version, kind } = gvkOf(object);
  return `${group}/${version}, Kind=${kind}`;
}
