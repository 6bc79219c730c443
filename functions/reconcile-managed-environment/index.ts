/**
 * reconcile-managed-environment: tries the cluster that a tenant named and keeps what Argo CD needs to deploy to it.
 *
 *   wakes on   managed-environment.changed.v1
 *   observes   the GitOpsDeploymentManagedEnvironment, its Secret, its rows, and whether its cluster lets us in
 *   decides    shared/domain/gitops/decide-managed-environment.ts
 *   commits    credentials, environment, access, mapping and operation rows, and the condition; a service account there
 *   if down    new clusters cannot be deployed to, and a new token does not reach Argo CD; what runs goes on
 */
import { GitOpsDeploymentChanged, ManagedEnvironmentChanged } from '../../shared/contracts/knocks.ts';
import { OperationRequested } from '../../shared/contracts/requests.ts';
import { decideManagedEnvironment } from '../../shared/domain/gitops/decide-managed-environment.ts';
import type { EnvironmentEffect } from '../../shared/domain/gitops/managed-environment.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import type { World } from '../../shared/runtime/world.ts';
import { applyEnvironment } from './apply.ts';
import { observeEnvironment, type SeenByStep } from './observe.ts';
import { environmentRows } from './rows.ts';

export const reconcileManagedEnvironment = defineFunction<SeenByStep, EnvironmentEffect, World>({
  name: 'reconcile-managed-environment',
  consumes: [ManagedEnvironmentChanged],
  emits: [OperationRequested, GitOpsDeploymentChanged, ManagedEnvironmentChanged],
  services: (world) => world,

  observe: observeEnvironment,
  decide: decideManagedEnvironment,
  apply: applyEnvironment,
  rows: environmentRows,
  version: ({ version }) => version,
});
