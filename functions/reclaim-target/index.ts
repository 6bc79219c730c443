/**
 * reclaim-target: frees what is behind a target that nobody needs any more, and lets the target go when that is done.
 *
 *   wakes on   target.released.v1
 *   observes   the target, its class, and what its provisioner says of what is behind it
 *   decides    shared/domain/target/decide-reclaim.ts
 *   commits    requests to the provisioner, finalizer, phase Failed and condition of the target
 *   if down    targets stay in deletion, and so do their claims; nothing is lost and nothing leaks
 */
import { ClaimChanged, TargetChanged } from '../../shared/contracts/knocks.ts';
import { TargetReleased } from '../../shared/contracts/requests.ts';
import { decideReclaim, type ReclaimEffect } from '../../shared/domain/target/decide-reclaim.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import type { World } from '../../shared/runtime/world.ts';
import { applyReclaim } from './apply.ts';
import { observeReclaim, type SeenByStep } from './observe.ts';

export const reclaimTarget = defineFunction<SeenByStep, ReclaimEffect, World>({
  name: 'reclaim-target',
  consumes: [TargetReleased],
  emits: [TargetChanged, ClaimChanged],
  services: (world) => world,

  observe: observeReclaim,
  decide: decideReclaim,
  apply: applyReclaim,
  version: ({ target }) => target.version,
});
