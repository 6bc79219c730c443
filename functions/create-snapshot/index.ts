/**
 * create-snapshot: freezes the images of an Application together whenever one of them is another, and says how a Component is.
 *
 *   wakes on   component.changed.v1
 *   observes   the Component, its Application with its row, then all Components, and the Snapshots that may hold their images
 *   decides    shared/domain/snapshot/decide-snapshot.ts
 *   commits    a Snapshot, the row of the newest one, the Component's row, status and condition; knocks
 *   if down    new images are not deployed anywhere, and Components that go stay in Git; what runs goes on
 */
import { ApplicationChanged, ComponentChanged, SnapshotChanged } from '../../shared/contracts/knocks.ts';
import { OverlayRequested } from '../../shared/contracts/requests.ts';
import { decideSnapshot } from '../../shared/domain/snapshot/decide-snapshot.ts';
import type { SnapshotEffect } from '../../shared/domain/snapshot/seen-component.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import { applySnapshot, snapshotRows } from './apply.ts';
import { observeComponent, type SeenByStep, type Services } from './observe.ts';

export const createSnapshot = defineFunction<SeenByStep, SnapshotEffect, Services>({
  name: 'create-snapshot',
  consumes: [ComponentChanged],
  emits: [SnapshotChanged, OverlayRequested, ApplicationChanged, ComponentChanged],
  // The memory is of one message: its looks learn from one another.
  services: ({ clusters, places }) => ({ clusters, places, memory: { refusal: undefined } }),

  observe: observeComponent,
  decide: decideSnapshot,
  apply: applySnapshot,
  rows: snapshotRows,
  version: ({ object }) => object?.metadata.resourceVersion,
});
