/**
 * advance-promotion: brings a PromotionRun from its turn to its end, one environment after the other.
 *
 *   wakes on   promotion.changed.v1
 *   observes   the run, its place in the line, the Environments, its Bindings, what stands in Git, and what Argo CD says
 *   decides    shared/domain/promotion/decide-promotion.ts
 *   commits    Bindings, the status of the run, the run that follows it; the way it took, with the evidence; knocks
 *   if down    snapshots are not promoted any further; what is deployed goes on
 */
import {
  ArgoApplicationChanged,
  BindingChanged,
  GitOpsDeploymentChanged,
  PromotionChanged,
} from '../../shared/contracts/knocks.ts';
import { decidePromotion } from '../../shared/domain/promotion/decide-promotion.ts';
import type { PromotionEffect } from '../../shared/domain/promotion/promotion-effect.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import { type Applied, applyPromotion } from './apply.ts';
import { observePromotion, type SeenByStep, type Services } from './observe.ts';
import { promotionRows } from './rows.ts';

export const advancePromotion = defineFunction<SeenByStep, PromotionEffect, Services, Applied>({
  name: 'advance-promotion',
  consumes: [PromotionChanged],
  emits: [PromotionChanged, BindingChanged, GitOpsDeploymentChanged, ArgoApplicationChanged],
  services: ({ clusters, claimRows, promotions, gitOpsRepositories, credentials, repositoryHost, places }) => ({
    clusters,
    claimRows,
    promotions,
    gitOpsRepositories,
    credentials,
    repositoryHost,
    places,
  }),

  observe: observePromotion,
  decide: decidePromotion,
  apply: applyPromotion,
  rows: promotionRows,
  // What it told the run itself is no news to it.
  version: ({ run }, applied) => applied?.version ?? run?.version,
});
