import { fileChanges } from './file-changes.ts';
import type { Files } from './files.ts';
import { isProblem, type Pruning } from './overlay.ts';
import { seeOwnBase } from './own-base.ts';
import { placesOf } from './places.ts';
import { pruneKustomization, seeOverlay } from './seen-overlay.ts';
import { lookAt } from './sight.ts';

// Where names or paths are not plain, nothing of ours can be: there is nothing to take away, and nothing to complain of.

const nothing: Pruning = { kind: 'pruned', changes: new Map() };

/** Takes our part of an overlay away. What a user added stays where it is. */
export function pruneOverlay(component: string, environment: string, context: string, files: Files): Pruning {
  const places = placesOf(component, environment, context);
  if (isProblem(places)) return nothing;
  const sight = lookAt(files);
  const seen = seeOverlay(places, sight);
  const changes = new Map([...fileChanges(seen.ours, new Map()), ...pruneKustomization(seen, component)]);
  return sight.needs() ?? { kind: 'pruned', changes };
}

/** Takes our own base of a component away, once no overlay builds on it. A user's base stays. */
export function pruneComponent(component: string, context: string, files: Files): Pruning {
  // Any environment will do: the base is the same for all.
  const places = placesOf(component, 'any', context);
  if (isProblem(places)) return nothing;
  const sight = lookAt(files);
  const standing = seeOwnBase(places.base, sight) ?? new Map();
  return sight.needs() ?? { kind: 'pruned', changes: fileChanges(standing, new Map()) };
}
