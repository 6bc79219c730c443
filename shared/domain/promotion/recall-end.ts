import { instantOf } from '../core/instant.ts';
import { describeEnded, toldOf } from './describe-run.ts';
import type { Run, StoredEnd, StoredStep } from './promotion.ts';
import type { RunStatus } from './run-status.ts';

/**
 * What a run should say whose rows have its end, and which itself knows nothing of it: the cluster was brought back to an
 * earlier state, or somebody wrote over its status. It is told again, and nothing is done twice.
 */
export function recallEnd(run: Run, end: StoredEnd, steps: readonly StoredStep[], now: number): RunStatus {
  const { reason, message, started, at } = end;
  const result = end.result === 'Success' ? 'Success' : 'Failure';
  return {
    ...describeEnded(run, { result, reason, message }, now),
    environmentStatus: steps.map(toldOf),
    ...(started !== undefined && { promotionStartTime: instantOf(started) }),
    completionTime: instantOf(at),
  };
}
