import { syncRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import type { SeenSync, SyncEffect } from '../../shared/domain/gitops/sync.ts';
import type { Services } from './observe.ts';

/** Tells the run, if it still is the version that was seen. */
export async function applySync(
  { namespace, name, run }: SeenSync,
  { effects }: Step<SyncEffect>,
  { cluster }: Services,
  signal: AbortSignal,
): Promise<void> {
  for (const effect of effects) {
    if (effect.do !== 'report-sync') continue;
    await cluster.patch(
      syncRuns,
      { namespace, name },
      { metadata: { resourceVersion: run?.version }, status: effect.status },
      { subresource: 'status', signal },
    );
  }
}
