import { operationSubject } from '../../shared/domain/gitops/names.ts';
import { type Finding, stuckOperationSeconds } from '../../shared/domain/upkeep/drift.ts';
import type { StuckOperation } from '../../shared/ports/drift-rows.ts';
import { type Came, pageSize, type Turn } from './turn.ts';

/** Operations that are open for too long: whoever does them looks again. */
export async function lookAtOperations(turn: Turn): Promise<Came> {
  const { driftRows } = turn.machine.world;
  const since = turn.now - stuckOperationSeconds * 1_000;
  let { after } = turn;
  for (let looked = 0; ; ) {
    const stuck = await driftRows.stuck(since, after, pageSize);
    await turn.tell(stuck.map(toFinding));
    looked += stuck.length;
    after = stuck.at(-1)?.id ?? after;
    if (stuck.length < pageSize) return { done: true, after: '', looked };
    if (turn.isUp(looked)) return { done: false, after, looked };
  }
}

function toFinding({ type, resourceId, namespace, state }: StuckOperation): Finding {
  const subject = operationSubject(namespace, type, resourceId);
  return {
    kind: 'OperationStuck',
    subject,
    what: `An operation about this ${type} is ${state} for more than an hour`,
    knock: { type: 'operation.requested.v1', subject },
  };
}
