import type { Condition } from '../core/condition.ts';
import { instantOf } from '../core/instant.ts';
import { withConditions } from '../core/with-conditions.ts';
import { toldOf } from './describe-run.ts';
import type { Run, StoredEnd, StoredStep } from './promotion.ts';
import type { RunStatus } from './run-status.ts';

/**
 * What a run should say whose rows have its end, and which itself knows nothing of it: the cluster was brought back to an
 * earlier state, or somebody wrote over its status. It is told again, and nothing is done twice.
 */
export function recallEnd(run: Run, end: StoredEnd, steps: readonly StoredStep[], now: number): RunStatus {
  const isGood = end.result === 'Success';
  const conditions: Condition[] = [
    {
      type: 'ErrorOccurred',
      ...(isGood
        ? { status: 'False', reason: '', message: '' }
        : { status: 'True', reason: 'ErrorOccurred', message: end.message }),
    },
    {
      type: 'Promoted',
      ...(isGood
        ? { status: 'True', reason: 'Success', message: '' }
        : { status: 'False', reason: end.reason, message: end.message }),
    },
  ];
  return {
    ...run.status,
    state: 'Completed',
    completionResult: isGood ? 'Success' : 'Failure',
    environmentStatus: steps.map(toldOf),
    waiting: undefined,
    ...(end.started !== undefined && { promotionStartTime: instantOf(end.started) }),
    completionTime: instantOf(end.at),
    conditions: withConditions(run.status.conditions, conditions, now) ?? run.status.conditions,
  };
}
