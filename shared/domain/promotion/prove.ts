import { isUnderWay } from '../gitops/is-under-way.ts';
import type { Report, StoredEvidence } from './promotion.ts';

/**
 * What has to be seen of a component. A sync that is under way has not said its last word, and what is said of another place,
 * or of a deployment that Argo CD is not told of as it is now, is no proof. Undefined: it has not been seen.
 */
export function proofOf({ report, isRefused }: StoredEvidence): Report | undefined {
  if (report === undefined || isRefused === true || report.isElsewhere === true) return undefined;
  return isGood(report) && !isUnderWay(report.operation) && report.contains === true ? report : undefined;
}

/** Would it be proof, if only it is about the right commit? */
export function isGood({ sync, health }: Pick<Report, 'sync' | 'health'>): boolean {
  return sync === 'Synced' && health === 'Healthy';
}

/** Why it has not been seen yet, for whoever can do something about it. */
export function whyNot(
  { component, deployment, report, isRefused }: StoredEvidence,
  commit: string,
): { readonly reason: string; readonly message: string } {
  const at = `commit ${commit.slice(0, 10)}`;
  if (isRefused === true)
    return {
      reason: 'DeploymentRefused',
      message: `Component ${component} is not deployed: see the condition ErrorOccurred of GitOpsDeployment ${deployment}`,
    };
  if (report === undefined)
    return {
      reason: 'NotReported',
      message: `Argo CD has said nothing of component ${component} (GitOpsDeployment ${deployment}) yet`,
    };
  const { sync, health, operation, contains, trouble } = report;
  const because = trouble === '' ? '' : `: ${trouble}`;
  const revision = report.revision.slice(0, 10) || 'none';
  if (report.isElsewhere === true)
    return {
      reason: 'OlderPlace',
      message: `Argo CD has looked at component ${component} only where it was before GitOpsDeployment ${deployment} changed${because}`,
    };
  // A sync that failed before was about an older commit.
  if (contains === false)
    return {
      reason: 'OlderRevision',
      message: `Argo CD has component ${component} at revision ${revision}, not at ${at}${because}`,
    };
  if (operation === 'Failed' || operation === 'Error')
    return { reason: 'SyncFailed', message: `Argo CD could not sync component ${component} to ${at}${because}` };
  if (sync !== 'Synced')
    return { reason: 'NotSynced', message: `Component ${component} is ${sync || 'not compared'} at ${at}${because}` };
  if (health !== 'Healthy')
    return {
      reason: 'NotHealthy',
      message: `Component ${component} is ${health || 'of unknown health'} at ${at}${because}`,
    };
  if (contains === undefined)
    return {
      reason: 'RevisionUnknown',
      message: `Component ${component} is well at revision ${revision}, of which nobody can tell whether it has ${at} in it`,
    };
  const does = operation === 'Terminating' ? 'stopping the sync of' : 'syncing';
  return { reason: 'SyncRunning', message: `Argo CD is still ${does} component ${component} to ${at}` };
}
