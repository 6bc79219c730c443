import { gitOpsDeployments } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { type ReportEffect, type ReportSeen, toldOf } from '../../shared/domain/status/decide-report.ts';
import { describeStatus } from '../../shared/domain/status/describe-status.ts';
import { gistOf } from '../../shared/domain/status/gist-of.ts';
import type { RowWrite } from '../../shared/ports/journal.ts';
import { Refused } from '../../shared/ports/trouble.ts';
import type { Services } from './observe.ts';

/** Tells the deployment, if it still is the version that was seen. */
export async function applyReport(
  seen: ReportSeen,
  { effects }: Step<ReportEffect>,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<void> {
  const report = effects.find((effect) => effect.do === 'report-status');
  const key = seen.rows.application?.deployment;
  if (report === undefined || key === undefined || seen.deployment === undefined) return;
  const { version, status: current } = seen.deployment;
  const told = toldOf(seen, current);

  async function patch(status: object | undefined): Promise<void> {
    if (status === undefined || key === undefined) return;
    await clusters.local.patch(
      gitOpsDeployments,
      key,
      { metadata: { resourceVersion: version }, status },
      { subresource: 'status', signal },
    );
  }

  try {
    await patch(describeStatus(told, report.at));
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    await patch(describeStatus(told, report.at, { refused: true }));
  }
}

/** The API server refuses more than three million bytes itself, and in its own words what is larger than its store takes. */
function isTooLarge(error: unknown): boolean {
  return error instanceof Refused && /too large|larger than max/i.test(error.message);
}

export function reportRows(
  { rows, argo }: ReportSeen,
  { effects }: Step<ReportEffect>,
  { reports }: Services,
): RowWrite[] {
  return effects.flatMap((effect) => {
    if (effect.do === 'keep-status')
      return argo === undefined
        ? []
        : [reports.keep(effect.application, argo.kept.text, effect.at, gistOf(argo.status))];
    if (effect.do === 'request-application')
      return [reports.request(effect.application, effect.instance, rows.application?.ownerUserId)];
    return [];
  });
}
