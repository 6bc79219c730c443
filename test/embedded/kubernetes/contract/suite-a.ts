import type { ApiWorld } from '../../../support/api-world.ts';
import { describeCollectionDelete } from './collection-delete.ts';
import { describeCollectionGarbage } from './collection-garbage.ts';
import { describeDiscoveryDocuments } from './discovery-documents.ts';
import { describeDiscoveryGroups } from './discovery-groups.ts';
import { describeListsPaging } from './lists-paging.ts';
import { describeListsSelectors } from './lists-selectors.ts';
import { describeListsTables } from './lists-tables.ts';
import { describeListsVersions } from './lists-versions.ts';
import { describeNamespacesLifecycle } from './namespaces-lifecycle.ts';
import { describeObjectsCoreKinds } from './objects-core-kinds.ts';
import { describeObjectsCreate } from './objects-create.ts';
import { describeObjectsDelete } from './objects-delete.ts';
import { describeObjectsDryRun } from './objects-dry-run.ts';
import { describeObjectsMetadata } from './objects-metadata.ts';
import { describeObjectsRequests } from './objects-requests.ts';
import { describeObjectsStatus } from './objects-status.ts';
import { describeObjectsUpdate } from './objects-update.ts';
import { describePatchApply } from './patch-apply.ts';
import { describePatchApplyRequests } from './patch-apply-requests.ts';
import { describePatchJsonMerge } from './patch-json-merge.ts';
import { describePatchStrategic } from './patch-strategic.ts';
import { describeWatchBookmarks } from './watch-bookmarks.ts';
import { describeWatchEvents } from './watch-events.ts';
import { describeWatchStart } from './watch-start.ts';

/** Objects, patches, lists, watches, namespaces, garbage collection and discovery. */
export function describeSuiteA(world: () => ApiWorld): void {
  describeObjectsCreate(world);
  describeObjectsMetadata(world);
  describeObjectsRequests(world);
  describeObjectsUpdate(world);
  describeObjectsStatus(world);
  describeObjectsDelete(world);
  describeObjectsDryRun(world);
  describeObjectsCoreKinds(world);
  describePatchJsonMerge(world);
  describePatchStrategic(world);
  describePatchApply(world);
  describePatchApplyRequests(world);
  describeListsSelectors(world);
  describeListsPaging(world);
  describeListsTables(world);
  describeWatchEvents(world);
  describeCollectionDelete(world);
  describeDiscoveryGroups(world);
  // These have to wait for clocks of the server, so they stand together and run side by side.
  describeWatchBookmarks(world);
  describeNamespacesLifecycle(world);
  describeCollectionGarbage(world);
  describeWatchStart(world);
  describeListsVersions(world);
  describeDiscoveryDocuments(world);
}
