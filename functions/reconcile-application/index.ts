/**
 * reconcile-application: gives an Application the repository that what is deployed of it is kept in.
 *
 *   wakes on   application.changed.v1
 *   observes   the Application, the rows of its name, the service's own place for repositories and who reads what is there
 *   decides    shared/domain/application/decide-application.ts
 *   commits    a repository, its row, what opens it for Argo CD, status and condition; component.changed.v1, operation.requested.v1
 *   if down    new Applications get no repository, so nothing of them is deployed; what is deployed goes on
 */
import { ApplicationChanged, ComponentChanged } from '../../shared/contracts/knocks.ts';
import { OperationRequested } from '../../shared/contracts/requests.ts';
import type { ApplicationEffect } from '../../shared/domain/application/application.ts';
import { decideApplication } from '../../shared/domain/application/decide-application.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import { applicationRows, applyApplication } from './apply.ts';
import { observeApplication, type SeenByStep, type Services } from './observe.ts';

export const reconcileApplication = defineFunction<SeenByStep, ApplicationEffect, Services>({
  name: 'reconcile-application',
  consumes: [ApplicationChanged],
  emits: [ComponentChanged, OperationRequested],
  services: ({ clusters, places, credentials, tenants, argoCdNamespaces, repositoryHost }) => ({
    clusters,
    places,
    credentials,
    tenants,
    argoCdNamespaces,
    repositoryHost,
    // Of one message: its looks learn from one another.
    memory: { refusal: undefined },
  }),

  observe: observeApplication,
  decide: decideApplication,
  apply: applyApplication,
  rows: applicationRows,
  version: ({ version }) => version,
});
