import type { ArgoWorld } from '../../../support/argo-world.ts';
import { describeBrokenSources } from './broken-sources.ts';
import { describeDeletion } from './deletion.ts';
import { describeDestinations } from './destinations.ts';
import { describeFirstSync } from './first-sync.ts';
import { describeGitChanges } from './git-changes.ts';
import { describeHealth } from './health.ts';
import { describeManualSync } from './manual-sync.ts';
import { describeProjects } from './projects.ts';
import { describePruningAndHealing } from './pruning-and-healing.ts';
import { describeRefusedObjects } from './refused-objects.ts';
import { describeRetries } from './retries.ts';

/** What Argo CD does, as far as the service and its clients rely on it: the same sentences for the real one and the stand-in. */
export function describeArgoCd(world: () => ArgoWorld): void {
  describeFirstSync(world);
  describeManualSync(world);
  describeGitChanges(world);
  describePruningAndHealing(world);
  describeBrokenSources(world);
  describeDestinations(world);
  describeProjects(world);
  describeRefusedObjects(world);
  describeRetries(world);
  describeHealth(world);
  describeDeletion(world);
}
