import type { Step } from '../../shared/domain/core/step.ts';
import { considerPromotion } from '../../shared/domain/promotion/consider-promotion.ts';
import type { Run } from '../../shared/domain/promotion/promotion.ts';
import type { PromotionEffect } from '../../shared/domain/promotion/promotion-effect.ts';
import { statusOf } from '../../shared/domain/promotion/status-of.ts';
import type { RowWrite } from '../../shared/ports/journal.ts';
import type { KeptRun } from '../../shared/ports/promotion-rows.ts';
import type { Applied } from './apply.ts';
import type { SeenByStep, Services } from './observe.ts';

export function promotionRows(
  seen: SeenByStep,
  { effects }: Step<PromotionEffect>,
  { promotions }: Services,
  { refusals }: Applied,
): readonly RowWrite[] {
  const { run } = seen;
  return effects.flatMap((effect): readonly RowWrite[] => {
    switch (effect.do) {
      case 'take-turn':
        return run === undefined ? [] : [promotions.takeTurn(keptRun(seen, run, undefined), effect.at)];
      case 'keep-run':
        return run === undefined ? [] : [promotions.keep(keptRun(seen, run, statusOf(seen, run, effect.at).waiting))];
      case 'end-run': {
        const { uid, at } = effect;
        const said = run?.uid === uid ? saidAtItsEnd(seen, run, at) : [];
        const message = said.find(({ type }) => type === 'Promoted')?.message ?? '';
        return promotions.end(uid, { ...effect, message });
      }
      // What ends is written down ahead of everything: see apply.ts.
      case 'begin-step':
      case 'keep-step':
        return run === undefined ? [] : stepRows(seen, run, effect, refusals.get(effect.environment), promotions);
      default:
        return [];
    }
  });
}

/** Of one that is deleted, or has told its end, nothing was looked at from which that could be told again. */
function saidAtItsEnd(seen: SeenByStep, run: Run, at: number): Run['status']['conditions'] {
  if (run.isDeleting) return [];
  return run.status.state === 'Completed' ? run.status.conditions : statusOf(seen, run, at).conditions;
}

function stepRows(
  seen: SeenByStep,
  run: Run,
  { environment, at, ...effect }: Extract<PromotionEffect, { do: 'begin-step' | 'keep-step' }>,
  refusal: string | undefined,
  promotions: Services['promotions'],
): readonly RowWrite[] {
  const stored = seen.open.find(({ uid }) => uid === run.uid);
  if (stored === undefined) return [];
  const { steps, begin } = considerPromotion(seen, run, stored, at);
  const key = { namespace: seen.namespace, name: run.name, uid: run.uid };
  const judged = steps.find((one) => one.environment === environment);
  if (judged !== undefined) return promotions.keepStep(key, judged);
  const beginning = begin.find((one) => one.environment === environment);
  if (beginning === undefined) return [];
  const failure =
    refusal === undefined
      ? beginning.failure
      : { reason: 'BindingRefused', message: `SnapshotEnvironmentBinding ${beginning.name} was refused: ${refusal}` };
  return promotions.keepStep(key, {
    environment,
    step: effect.step,
    binding: beginning.name,
    status: failure === undefined ? 'in-progress' : 'failed',
    reason: failure?.reason ?? effect.reason,
    message: failure?.message ?? '',
    began: at,
    ready: undefined,
    ended: failure === undefined ? undefined : at,
    commit: '',
    before: beginning.before,
    snapshotUid: seen.snapshot?.uid ?? '',
    evidence: [],
  });
}

function keptRun({ namespace }: SeenByStep, run: Run, waiting: KeptRun['waiting']): KeptRun {
  const { uid, name, application, snapshot, goal, cause, created } = run;
  return {
    uid,
    namespace,
    name,
    application,
    snapshot,
    isAutomated: goal.kind === 'automated',
    beginsIn: goal.kind === 'automated' ? goal.initial : [goal.target],
    cause,
    created,
    waiting,
  };
}
