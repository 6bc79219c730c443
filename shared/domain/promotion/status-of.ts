import { considerPromotion } from './consider-promotion.ts';
import { turnNeverCame } from './decide-promotion.ts';
import { describeActive, describeEnded, describeForeign, describeWaiting } from './describe-run.ts';
import { handOver } from './hand-over.ts';
import { firstInLine, waitForTurn } from './line-up.ts';
import type { Run, SeenPromotion } from './promotion.ts';
import { recallEnd } from './recall-end.ts';
import type { RunStatus } from './run-status.ts';

/** What a run should say, for whoever writes it: the same that decide-promotion.ts found to be news. */
export function statusOf(seen: SeenPromotion, run: Run, now: number): RunStatus {
  if (seen.end !== undefined) return recallEnd(run, seen.end, seen.steps, now);
  const stored = seen.open.find(({ uid }) => uid === run.uid);
  if (stored?.state === 'Active') return describeActive(run, stored, considerPromotion(seen, run, stored, now), now);
  const handedOver = handOver(seen, stored, now);
  if (handedOver !== undefined)
    return now < handedOver.until
      ? describeForeign(run, handedOver, stored !== undefined, now)
      : describeEnded(run, { result: 'Failure', reason: handedOver.reason, message: handedOver.message }, now);
  const first = firstInLine(seen, run);
  if (first === undefined) return run.status;
  const wait = waitForTurn(run, first, stored, now);
  return wait.isOver
    ? describeEnded(run, { result: 'Failure', reason: turnNeverCame, message: wait.message }, now)
    : describeWaiting(run, wait, now);
}
