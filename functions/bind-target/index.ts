/**
 * bind-target: says how a target stands, and wakes the claims that may have it or had it.
 *
 *   wakes on   target.changed.v1
 *   observes   the DeploymentTarget, the claim that it names, who waits for one like it, and what its class says where that matters
 *   decides    shared/domain/target/decide-target.ts
 *   commits    phase, conditions and claimRef of the target, its row, and knocks at claims, Environments and the reclaimer
 *   if down    claims that wait do not hear of new targets, and targets of deleted claims stay Bound; what is bound goes on
 */
import { ClaimChanged, EnvironmentChanged, TargetChanged } from '../../shared/contracts/knocks.ts';
import { TargetReleased } from '../../shared/contracts/requests.ts';
import { decideTarget, type SeenTarget, type TargetEffect } from '../../shared/domain/target/decide-target.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import type { World } from '../../shared/runtime/world.ts';
import { applyTarget } from './apply.ts';
import { observeTarget } from './observe.ts';
import { targetRows } from './rows.ts';

export const bindTarget = defineFunction<SeenTarget, TargetEffect, World>({
  name: 'bind-target',
  consumes: [TargetChanged],
  emits: [ClaimChanged, EnvironmentChanged, TargetReleased],
  services: (world) => world,

  observe: observeTarget,
  decide: decideTarget,
  apply: applyTarget,
  rows: targetRows,
  version: ({ target }) => target?.version,
});
