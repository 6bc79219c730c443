import type { BindingEffect } from '../../shared/domain/binding/binding.ts';
import { considerBinding } from '../../shared/domain/binding/consider-binding.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import type { RowWrite } from '../../shared/ports/journal.ts';
import type { SeenByStep, Services } from './observe.ts';

export function bindingRows(
  seen: SeenByStep,
  { effects }: Step<BindingEffect>,
  { overlays }: Services,
): readonly RowWrite[] {
  return effects.flatMap((effect): RowWrite[] => {
    switch (effect.do) {
      case 'want-overlay':
        return want(seen, { overlays });
      case 'leave-overlay':
        return [overlays.leave(effect.uid)];
      case 'forget-overlay':
        return [overlays.forget(effect.uid)];
      default:
        return [];
    }
  });
}

function want(seen: SeenByStep, { overlays }: Pick<Services, 'overlays'>): RowWrite[] {
  const { namespace, name, binding, application } = seen;
  if (binding === undefined || application === undefined) return [];
  const wish = considerBinding(seen, binding, application).rendering?.wish;
  if (wish === undefined) return [];
  const { uid, environment, snapshot, generation, promotion, promotionUid } = binding;
  return [
    overlays.want({
      uid,
      namespace,
      name,
      application: binding.application,
      environment,
      snapshot,
      generation,
      promotion,
      promotionUid,
      ...wish,
    }),
  ];
}
