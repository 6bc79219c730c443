/**
 * reconcile-binding: brings a snapshot into Git and from there to the place of an Environment.
 *
 *   wakes on   binding.changed.v1
 *   observes   the Binding, what it names, the Components of its Snapshot, its GitOpsDeployments, and what stands in Git
 *   decides    shared/domain/binding/decide-snapshot-binding.ts
 *   commits    labels, GitOpsDeployments and status; what should stand in the repository; knocks
 *   if down    promoted snapshots and new values are not deployed; what runs goes on
 */
import { BindingChanged, PromotionChanged } from '../../shared/contracts/knocks.ts';
import { OverlayRequested } from '../../shared/contracts/requests.ts';
import type { BindingEffect } from '../../shared/domain/binding/binding.ts';
import { decideSnapshotBinding } from '../../shared/domain/binding/decide-snapshot-binding.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import { applyBinding } from './apply.ts';
import { observeBinding, type SeenByStep, type Services } from './observe.ts';
import { bindingRows } from './rows.ts';

export const reconcileBinding = defineFunction<SeenByStep, BindingEffect, Services>({
  name: 'reconcile-binding',
  consumes: [BindingChanged],
  emits: [BindingChanged, OverlayRequested, PromotionChanged],
  services: ({ clusters, claimRows, places, overlays }) => ({ clusters, claimRows, places, overlays }),

  observe: observeBinding,
  decide: decideSnapshotBinding,
  apply: applyBinding,
  rows: bindingRows,
  version: ({ binding }) => binding?.version,
});
