/**
 * provision-target: has a target made for a claim that finds none, and frees what was made for nothing.
 *
 *   wakes on   target.requested.v1
 *   observes   the claim, its class, what the provisioner of the class has made for it, and the target kept for it
 *   decides    shared/domain/target/decide-provision.ts
 *   commits    requests to the provisioner, the DeploymentTarget, the claim's condition Provisioned, and claim.changed.v1
 *   if down    claims that need a new target stay Pending; what is bound is not touched
 */
import { ClaimChanged } from '../../shared/contracts/knocks.ts';
import { TargetRequested } from '../../shared/contracts/requests.ts';
import { decideProvision } from '../../shared/domain/target/decide-provision.ts';
import type { ProvisionEffect } from '../../shared/domain/target/provision-effect.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import type { World } from '../../shared/runtime/world.ts';
import { applyProvision } from './apply.ts';
import { observeProvision, type SeenByStep } from './observe.ts';

export const provisionTarget = defineFunction<SeenByStep, ProvisionEffect, World>({
  name: 'provision-target',
  consumes: [TargetRequested],
  emits: [ClaimChanged],
  services: (world) => world,

  observe: observeProvision,
  decide: decideProvision,
  apply: applyProvision,
  version: ({ claim }) => claim?.version,
});
