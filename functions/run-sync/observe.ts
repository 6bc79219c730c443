import type { GitOpsDeploymentSyncRun } from '../../shared/contracts/kubernetes/gitops-deployment-sync-run.ts';
import { gitOpsDeployments, syncRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import { isObjectName } from '../../shared/domain/core/object-name.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import { isOlder, type SeenSync, type SyncedDeployment, type SyncRun } from '../../shared/domain/gitops/sync.ts';
import { isUndecided } from '../../shared/domain/gitops/tell-sync.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import type { SyncRows } from '../../shared/ports/sync-rows.ts';

export interface Services {
  readonly cluster: Cluster;
  readonly syncs: SyncRows;
}

/** The run, its rows, and the deployment where it has not started. */
export async function observeSync(
  subject: Subject,
  { cluster, syncs }: Services,
  signal: AbortSignal,
): Promise<SeenSync | undefined> {
  const { namespace, name } = subject;
  const object = await cluster.read(syncRuns, subject, { signal, atLeast: subject.version });
  const run = object && toSyncRun(object);
  const named = run !== undefined && isObjectName(run.deploymentName) ? run.deploymentName : undefined;
  const found = await syncs.observe({ namespace, name, uid: run?.uid, deploymentName: named });
  if (run === undefined && found.rows.length === 0) return undefined;

  const row = found.rows.find(({ id }) => id === run?.uid);
  const isStarting =
    run !== undefined && !run.deleting && row?.requestedAt === undefined && row?.finishedAt === undefined;
  const deploymentName = row?.deploymentName || run?.deploymentName || '';
  const deployment = isStarting ? await readDeployment(namespace, deploymentName, cluster, signal) : undefined;
  const isNext = run !== undefined && found.targets.some(({ applicationId }) => applicationId === deployment?.uid);
  const expected = isNext
    ? await findExpected({ namespace, name, run, deploymentName }, { cluster, syncs }, signal)
    : undefined;
  return { namespace, name, run, deployment, expected, ...found };
}

/**
 * Runs that were made in one moment are looked at in any order, and after an outage even more so. The API server knows all
 * that are older, so whoever wants to start asks it; this happens about once in the life of a run.
 */
async function findExpected(
  { namespace, name, run, deploymentName }: { namespace: string; name: string; run: SyncRun; deploymentName: string },
  { cluster, syncs }: Services,
  signal: AbortSignal,
): Promise<SeenSync['expected']> {
  const older: { readonly uid: string; readonly name: string; readonly createdAt: number }[] = [];
  for await (const page of cluster.list(syncRuns, { namespace, signal }))
    for (const object of page) {
      const other = { ...toSyncRun(object), name: object.metadata.name };
      const isRival = other.uid !== run.uid && other.deploymentName === deploymentName && isUndecided(other);
      if (isRival && isOlder(other, { ...run, name })) older.push(other);
    }
  if (older.length === 0) return undefined;
  const known = await syncs.known(older.map(({ uid }) => uid));
  const [first] = older.filter(({ uid }) => !known.has(uid)).sort((one, other) => (isOlder(one, other) ? -1 : 1));
  return first && { name: first.name, createdAt: first.createdAt };
}

async function readDeployment(
  namespace: string,
  name: string,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<SyncedDeployment | undefined> {
  // What cannot be the name of an object is no question for the API server; without one it would list all of them.
  if (!isObjectName(name)) return undefined;
  const deployment = await cluster.read(gitOpsDeployments, { namespace, name }, { signal });
  if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return undefined;
  const { metadata, spec } = deployment;
  return { uid: metadata.uid, type: spec.type, targetRevision: spec.source.targetRevision };
}

function toSyncRun({ metadata, spec, status }: GitOpsDeploymentSyncRun): SyncRun {
  return {
    uid: metadata.uid,
    version: metadata.resourceVersion,
    createdAt: Date.parse(metadata.creationTimestamp) || 0,
    deploymentName: spec.gitopsDeploymentName,
    revisionId: spec.revisionID,
    deleting: metadata.deletionTimestamp !== undefined,
    conditions: status?.conditions ?? [],
    syncStatus: status?.syncStatus ?? '',
    health: status?.health,
  };
}
