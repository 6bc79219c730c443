/**
 * reconcile-environment: gives an Environment the place that it deploys to, and keeps it while it is a parent.
 *
 *   wakes on   environment.changed.v1
 *   observes   the Environment among all of its namespace, its claim, target and Secret, and what was made of them
 *   decides    shared/domain/environment/decide-environment.ts
 *   commits    a managed environment, a copy of the Secret, the finalizer and the conditions; who looks at what; knocks
 *   if down    new Environments get no place, and new credentials do not reach them; what is deployed goes on
 */
import { EnvironmentChanged, ManagedEnvironmentChanged } from '../../shared/contracts/knocks.ts';
import { decideEnvironment } from '../../shared/domain/environment/decide-environment.ts';
import type { EnvironmentEffect } from '../../shared/domain/environment/environment.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import { applyEnvironment } from './apply.ts';
import { observeEnvironment, type SeenByStep, type Services } from './observe.ts';

export const reconcileEnvironment = defineFunction<SeenByStep, EnvironmentEffect, Services>({
  name: 'reconcile-environment',
  consumes: [EnvironmentChanged],
  emits: [EnvironmentChanged, ManagedEnvironmentChanged],
  services: ({ clusters, claimRows, environmentUses }) => ({ clusters, claimRows, environmentUses }),

  observe: observeEnvironment,
  decide: decideEnvironment,
  apply: applyEnvironment,
  rows({ namespace, name, environment, secretName }, _step, { environmentUses }) {
    if (environment === undefined) return [environmentUses.forget({ namespace, name })];
    const { uid, claimName } = environment;
    return [environmentUses.remember({ namespace, name, uid, claimName, secretName: secretName || undefined })];
  },
  version: ({ object }) => object?.metadata.resourceVersion,
});
