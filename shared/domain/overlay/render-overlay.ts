import { fitsLabel } from '../core/object-name.ts';
import type { Base } from './base.ts';
import { composeOverlay } from './compose-overlay.ts';
import { fileChanges } from './file-changes.ts';
import type { Files } from './files.ts';
import { findWorkload } from './find-workload.ts';
import { type Changes, isProblem, type OverlayInput, type Problem, problem, type Rendering } from './overlay.ts';
import { ownBase, ownBaseFiles, seeOwnBase } from './own-base.ts';
import { type Places, placesOf } from './places.ts';
import { isWithin, readPath } from './repository-path.ts';
import { seeOverlay, writeKustomization } from './seen-overlay.ts';
import { lookAt, type Sight } from './sight.ts';

interface ChosenBase {
  readonly base: Base;
  readonly changes: Changes;
}

/**
 * Renders one component for one environment: the overlay, and the base below it where that is ours. It says only what
 * differs from the files that are there, so rendering upon its own result changes nothing. What a user wrote is never
 * overwritten; where it stands in the way, that is a problem to be told.
 */
export function renderOverlay(input: OverlayInput, context: string, files: Files): Rendering {
  const places = placesOf(input.component, input.environment, context);
  if (isProblem(places)) return places;
  const sight = lookAt(files);
  const rendering = render(input, places, sight);
  return sight.unsettled() ?? rendering;
}

function render(input: OverlayInput, places: Places, sight: Sight): Rendering {
  const label = [input.application, input.componentName].find((name) => !fitsLabel(name));
  if (label !== undefined) return problem('NameNotUsable', `${JSON.stringify(label)} cannot be the value of a label`);
  const seen = seeOverlay(places, sight);
  const chosen = chooseBase(input, places, sight);
  if (isProblem(chosen)) return chosen;
  const { base } = chosen;
  const composed = composeOverlay(input, base, places.overlay);
  if (isProblem(composed)) return composed;

  const inTheWay = [...composed.files.keys()].find((path) => seen.theirs.has(path));
  if (inTheWay !== undefined)
    return problem(
      'FileNotOurs',
      `${inTheWay} stands where Stagecoach writes a file of its own: give yours another name, or delete it`,
    );
  const kustomization = writeKustomization(seen, { component: input.component, base }, composed.entries);
  if (isProblem(kustomization)) return kustomization;
  return {
    kind: 'rendered',
    path: places.overlay,
    generatedResources: [composed.patchFile],
    changes: new Map([...chosen.changes, ...fileChanges(seen.ours, composed.files), ...kustomization]),
  };
}

function chooseBase(input: OverlayInput, { base, overlay }: Places, sight: Sight): ChosenBase | Problem {
  const { component, kustomizeBase } = input;
  if (kustomizeBase === '') {
    const standing = seeOwnBase(base, sight);
    if (standing === undefined) return usersBase(base, component, sight);
    return { base: ownBase(base, component), changes: fileChanges(standing, ownBaseFiles(base, input)) };
  }

  const path = readPath(kustomizeBase);
  // kustomize refuses a base that has the overlay inside.
  if (path === undefined || isWithin(path, overlay))
    return problem(
      'BaseNotUsable',
      `The kustomizeBase ${JSON.stringify(kustomizeBase)} of ${component} cannot be its base: give the path of a folder from the root of the GitOps repository, beside ${overlay}`,
    );
  return usersBase(path, component, sight);
}

function usersBase(path: string, component: string, sight: Sight): ChosenBase | Problem {
  const base = findWorkload(path, component, sight);
  return isProblem(base) ? base : { base, changes: new Map() };
}
