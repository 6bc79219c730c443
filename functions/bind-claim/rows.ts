import { isInLine } from '../../shared/domain/claim/needs.ts';
import type { ClaimEffect } from '../../shared/domain/claim/observed-claim.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import type { RowWrite } from '../../shared/ports/journal.ts';
import type { World } from '../../shared/runtime/world.ts';
import type { SeenByStep } from './observe.ts';

/** Who stands in line for a target, and who has got one. */
export function claimRows(seen: SeenByStep, step: Step<ClaimEffect>, world: World): readonly RowWrite[] {
  const { claim, targets } = seen;
  const rows = world.claimRows;
  const taken = step.effects.flatMap((effect) => {
    const target = effect.do === 'reserve-target' ? targets.find(({ name }) => name === effect.target) : undefined;
    return claim === undefined || target === undefined ? [] : [rows.claimTarget(target.uid, claim)];
  });
  const line = claim !== undefined && isInLine(claim, step) ? rows.rememberWaiting(claim) : rows.forgetWaiting(seen);
  return [...taken, line];
}
