/**
 * bind-claim: gives a claim the one target it will keep, and lets both go again.
 *
 *   wakes on   claim.changed.v1
 *   observes   the claim, the targets that it names or that name it, else the best free one; its class where it matters
 *   decides    shared/domain/claim/decide-claim.ts
 *   commits    both pointers, phases and conditions, finalizer and marks; the rows of who waits and who has what
 *   if down    new environments stay Pending, and claims that are deleted stay; nothing already bound is touched
 */
import { ClaimChanged, EnvironmentChanged, TargetChanged } from '../../shared/contracts/knocks.ts';
import { TargetRequested } from '../../shared/contracts/requests.ts';
import { decideClaim } from '../../shared/domain/claim/decide-claim.ts';
import type { ClaimEffect } from '../../shared/domain/claim/observed-claim.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import type { World } from '../../shared/runtime/world.ts';
import { applyClaim } from './apply.ts';
import { observeClaim, type SeenByStep } from './observe.ts';
import { claimRows } from './rows.ts';

export const bindClaim = defineFunction<SeenByStep, ClaimEffect, World>({
  name: 'bind-claim',
  consumes: [ClaimChanged],
  emits: [TargetRequested, EnvironmentChanged, TargetChanged],
  services: (world) => world,

  observe: observeClaim,
  decide: decideClaim,
  apply: applyClaim,
  rows: claimRows,
  version: ({ version }) => version,
});
