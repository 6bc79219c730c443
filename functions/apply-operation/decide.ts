import { type Moment, type Step, settled } from '../../shared/domain/core/step.ts';
import { decideOperation, decideStray } from '../../shared/domain/gitops/decide-operation.ts';
import type { OperationEffect } from '../../shared/domain/gitops/operation.ts';
import type { Seen } from './sight.ts';

/** Which rule is asked, by what was seen. */
export function decide(seen: Seen, moment: Moment): Step<OperationEffect> {
  switch (seen.kind) {
    case 'stray':
      return decideStray(seen.object.metadata.name, seen.verdict);
    case 'done-by-agent': {
      const knocks = [{ type: 'operation.requested.v1', subject: seen.subject }];
      return { effects: [], conditions: [], knocks, next: settled };
    }
    case 'operation': {
      const step = decideOperation(seen.observed, moment);
      // An agent does not wait: whoever handed the operation over does, and touches the object to have it looked at again.
      const waitsElsewhere = seen.observed.engine.transport === 'agent' && seen.observed.object !== undefined;
      return waitsElsewhere ? { ...step, next: settled } : step;
    }
  }
}
