/**
 * start-promotion: starts the promotion of a new Snapshot where environments take what is new by themselves.
 *
 *   wakes on   snapshot.changed.v1
 *   observes   the Snapshot, its Application, the Environments, and whether it was considered before
 *   decides    shared/domain/promotion/decide-start.ts
 *   commits    a PromotionRun; that the Snapshot was considered, on it and in the rows; promotion.changed.v1
 *   if down    new Snapshots are promoted late, when it is back; promotions under way go on
 */
import { PromotionChanged, SnapshotChanged } from '../../shared/contracts/knocks.ts';
import { decideStart, type StartEffect } from '../../shared/domain/promotion/decide-start.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import { type Applied, applyStart } from './apply.ts';
import { observeStart, type SeenByStep, type Services } from './observe.ts';

export const startPromotion = defineFunction<SeenByStep, StartEffect, Services, Applied>({
  name: 'start-promotion',
  consumes: [SnapshotChanged],
  emits: [PromotionChanged],
  services: ({ clusters, promotions }) => ({ clusters, promotions }),

  observe: observeStart,
  decide: decideStart,
  apply: applyStart,
  rows({ namespace, snapshot }, { effects }, { promotions }, { isRefused }) {
    return effects.flatMap((effect) => {
      if (effect.do === 'forget-snapshot') return [promotions.forgetSnapshot(effect.uid)];
      if (effect.do !== 'consider-snapshot' || snapshot === undefined) return [];
      const { created, sequence } = effect;
      return [promotions.consider({ ...snapshot, namespace, created, sequence, run: isRefused ? '' : effect.run })];
    });
  },
  // What it told the Snapshot itself is no news to it.
  version: ({ snapshot }, applied) => applied?.version ?? snapshot?.version,
});
