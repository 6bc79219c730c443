import type { Step } from '../../shared/domain/core/step.ts';
import { isNews, type SeenTarget, type TargetEffect } from '../../shared/domain/target/decide-target.ts';
import type { RowWrite } from '../../shared/ports/journal.ts';
import type { World } from '../../shared/runtime/world.ts';

/** The target as it was seen. What the step did to it comes as a later version. */
export function targetRows(
  seen: SeenTarget,
  _step: Step<TargetEffect>,
  { claimRows }: Pick<World, 'claimRows'>,
): readonly RowWrite[] {
  const { target, known } = seen;
  if (!isNews(seen)) return [];
  return [
    ...(known === undefined || known.uid === target?.uid ? [] : [claimRows.forgetTarget(known.uid)]),
    ...(target === undefined ? [] : [claimRows.rememberTarget(target)]),
  ];
}
