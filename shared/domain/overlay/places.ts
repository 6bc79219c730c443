import { isNamespaceName } from '../core/object-name.ts';
import { type Problem, problem } from './overlay.ts';
import { joinPath, readPath } from './repository-path.ts';

/** The folders of one component in one environment, from the root of the repository. */
export interface Places {
  readonly kind: 'places';
  readonly base: string;
  readonly overlay: string;
}

/** A component's name may come from a Snapshot that anybody wrote: nothing becomes part of a path that is no plain name. */
export function placesOf(component: string, environment: string, context: string): Places | Problem {
  for (const [what, name] of Object.entries({ component, environment }))
    if (!isNamespaceName(name))
      return problem(
        'NameNotUsable',
        `The ${what} name ${JSON.stringify(name)} cannot be the name of a folder: it must consist of at most 63 lower case letters, digits and dashes`,
      );
  const root = readPath(context);
  if (root === undefined)
    return problem(
      'ContextNotUsable',
      `The context ${JSON.stringify(context)} is no folder of the GitOps repository: give a path from its root, without ".." and ".git"`,
    );
  const folder = joinPath(root, 'components', component);
  return { kind: 'places', base: joinPath(folder, 'base'), overlay: joinPath(folder, 'overlays', environment) };
}
