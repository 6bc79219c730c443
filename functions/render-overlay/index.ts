/**
 * render-overlay: makes a repository hold what the Bindings want, all that is wanted of it in one commit.
 *
 *   wakes on   overlay.requested.v1
 *   observes   what Bindings want of one branch of one repository, and what stands there
 *   decides    shared/domain/binding/decide-repository.ts; what is written is shared/domain/binding/plan-repository.ts
 *   commits    one commit and push; which commit holds which snapshot; binding.changed.v1; overlay.requested.v1 where more is to come
 *   if down    promoted snapshots and new values do not reach Git; what runs goes on
 */
import { BindingChanged } from '../../shared/contracts/knocks.ts';
import { OverlayRequested } from '../../shared/contracts/requests.ts';
import { decideRepository, type RepositoryEffect } from '../../shared/domain/binding/decide-repository.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import { applyRepository, type Outcome } from './apply.ts';
import { observeRepository, type SeenRepository, type Services } from './observe.ts';
import { repositoryRows } from './rows.ts';

export const renderOverlay = defineFunction<SeenRepository, RepositoryEffect, Services, Outcome>({
  name: 'render-overlay',
  consumes: [OverlayRequested],
  emits: [BindingChanged, OverlayRequested],
  services: ({ overlays, credentials, gitOpsRepositories, repositoryHost }) => ({
    overlays,
    credentials,
    gitOpsRepositories,
    repositoryHost,
  }),

  observe: observeRepository,
  decide: decideRepository,
  apply: applyRepository,
  rows: repositoryRows,
});
