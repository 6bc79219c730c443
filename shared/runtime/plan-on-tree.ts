import {
  type PlannedComponent,
  type PlannedOverlay,
  planRepository,
  type RepositoryPlan,
} from '../domain/binding/plan-repository.ts';
import { isProblem } from '../domain/overlay/overlay.ts';
import { placesOf } from '../domain/overlay/places.ts';
import type { Tree } from '../ports/gitops-repositories.ts';
import { type SeenFiles, seeFiles } from './see-files.ts';

/** Plans what is to be changed in a commit, reading what the rule asks for until it asks for nothing more. */
export async function planOnTree<Overlay extends PlannedOverlay, Component extends PlannedComponent>(
  tree: Tree,
  overlays: readonly Overlay[],
  leaving: readonly Component[],
): Promise<RepositoryPlan<Overlay, Component>> {
  const files = seeFiles(tree);
  // It will ask for all of these: read ahead, it is asked once.
  await files.read([...new Set(overlays.flatMap((overlay) => standingFiles(overlay, files)))]);
  for (;;) {
    const plan = planRepository(overlays, leaving, files);
    if (plan.kind === 'planned') return plan;
    await files.read(plan.paths);
  }
}

function standingFiles({ inputs, environment, context }: PlannedOverlay, files: SeenFiles): readonly string[] {
  return inputs.flatMap(({ component }) => {
    const places = placesOf(component, environment, context);
    if (isProblem(places)) return [];
    return [places.base, places.overlay].flatMap((folder) =>
      files
        .namesIn(folder)
        .map((name) => `${folder}/${name}`)
        .filter((path) => files.kindOf(path) === 'file'),
    );
  });
}
