import { argoApplications, gitOpsDeployments } from '../../shared/contracts/kubernetes/kinds.ts';
import { labels } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import { applicationIdOf } from '../../shared/domain/gitops/names.ts';
import { unknownStatus } from '../../shared/domain/status/argo-status.ts';
import { goesOnFirst, type ReportSeen } from '../../shared/domain/status/decide-report.ts';
import { keepStatus } from '../../shared/domain/status/keep.ts';
import type { Clusters } from '../../shared/ports/cluster.ts';
import type { ReportRows } from '../../shared/ports/report-rows.ts';

export interface Services {
  readonly clusters: Clusters;
  readonly reports: ReportRows;
}

/** The rows, the Application, and the GitOpsDeployment where there may be something to tell it. */
export async function observeReport(
  subject: Subject,
  { clusters, reports }: Services,
  signal: AbortSignal,
): Promise<ReportSeen | undefined> {
  const id = applicationIdOf(subject.name);
  if (id === undefined) return undefined;
  const found = await reports.observe(subject.namespace, id);
  if (found === undefined) return undefined;

  const { rows, access } = found;
  const engine = access === undefined ? clusters.local : clusters.at(access);
  const application = await engine.read(argoApplications, subject, { signal, atLeast: subject.version });
  if (application === undefined) return { rows, argo: undefined, deployment: undefined };

  const { resourceVersion, labels: marks } = application.metadata;
  const status = application.status ?? unknownStatus;
  const kept = keepStatus(status, reports.fits);
  const argo = {
    version: resourceVersion,
    ours: marks[labels.databaseId] === id,
    isNew: application.status === undefined,
    status,
    kept,
  };
  const { deployment: key, kept: before } = rows.application ?? {};
  // What was kept was told before: the deployment is looked at for news, and where somebody asks without a version.
  const isNews = subject.version === undefined || before !== kept.text || kept.without.length > 0;
  const isSilent = argo.isNew && before === undefined;
  const isLater = goesOnFirst({ rows, argo });
  if (!argo.ours || key === undefined || !isNews || isSilent || isLater) return { rows, argo, deployment: undefined };

  const deployment = await clusters.local.read(gitOpsDeployments, key, { signal });
  // Gone, or another one of the same name: nobody wants to hear about the one of before.
  if (deployment === undefined || deployment.metadata.uid !== id) return { rows, argo, deployment: undefined };
  return {
    rows,
    argo,
    deployment: {
      version: deployment.metadata.resourceVersion,
      status: deployment.status ?? { conditions: [], resources: [] },
    },
  };
}
