/**
 * report-status: tells a GitOpsDeployment what Argo CD says about it.
 *
 *   wakes on   argo-application.changed.v1
 *   observes   the Argo CD Application, its rows, and the GitOpsDeployment where something is new
 *   decides    shared/domain/status/decide-report.ts
 *   commits    the deployment's status, what Argo CD said, and knocks for syncs and promotions under way and for Applications without a row
 *   if down    deployments go on, and their status stays as it was; observedAt tells how old it is
 */
import { ArgoApplicationChanged, PromotionChanged, SyncRunChanged } from '../../shared/contracts/knocks.ts';
import { OperationRequested } from '../../shared/contracts/requests.ts';
import { decideReport } from '../../shared/domain/status/decide-report.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import { applyReport, reportRows } from './apply.ts';
import { observeReport } from './observe.ts';

export const reportStatus = defineFunction({
  name: 'report-status',
  consumes: [ArgoApplicationChanged],
  emits: [OperationRequested, SyncRunChanged, PromotionChanged, ArgoApplicationChanged],
  services: ({ clusters, reports }) => ({ clusters, reports }),
  observe: observeReport,
  decide: decideReport,
  apply: applyReport,
  rows: reportRows,
  version: ({ argo }) => argo?.version,
});
