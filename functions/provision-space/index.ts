/**
 * provision-space: makes the namespace that a SpaceRequest asks for, where no toolchain operator does it.
 *
 *   wakes on   space-request.changed.v1
 *   observes   the SpaceRequest, the namespace that was made for it and what is in there, and the Secret that opens it
 *   decides    shared/domain/space/decide-space.ts
 *   commits    namespace, account, role, quota, token and kubeconfig, and the status of the request; no rows
 *   if down    new namespaces are not made and old ones not deleted; what was made can be deployed to
 */
import { SpaceRequestChanged } from '../../shared/contracts/knocks.ts';
import { decideSpace } from '../../shared/domain/space/decide-space.ts';
import type { SpaceEffect } from '../../shared/domain/space/space-request.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import type { World } from '../../shared/runtime/world.ts';
import { applySpace } from './apply.ts';
import { observeSpace, type SeenByStep } from './observe.ts';

export const provisionSpace = defineFunction<SeenByStep, SpaceEffect, World>({
  name: 'provision-space',
  consumes: [SpaceRequestChanged],
  emits: [],
  services: (world) => world,

  observe: observeSpace,
  decide: decideSpace,
  apply: applySpace,
  version: ({ object }) => object.metadata.resourceVersion,
});
