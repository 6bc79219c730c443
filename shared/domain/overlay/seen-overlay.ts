import type { Fields } from '../core/fields.ts';
import { isSameValue } from '../gitops/merge-patch.ts';
import type { Base } from './base.ts';
import type { FileContent } from './files.ts';
import { type Entries, isNothing, type Kept, keepOf, writeEntries } from './keep-kustomization.ts';
import { kustomizationsIn, readKustomization } from './kustomization-file.ts';
import { type Changes, type Problem, problem } from './overlay.ts';
import { patchFiles } from './overlay-patch.ts';
import { exposureFiles, serviceFile } from './overlay-resources.ts';
import { mayReplace, type Remembered, remembered, sharedHeader } from './ownership.ts';
import type { Places } from './places.ts';
import { joinPath, resolvePath } from './repository-path.ts';
import type { Sight } from './sight.ts';
import { writeYaml } from './write-yaml.ts';

/** Every name that a file of ours may have in an overlay, beside its kustomization. */
const ourNames = [...Object.values(patchFiles), serviceFile, ...Object.values(exposureFiles)];

/** What stands in the folder of an overlay. */
export interface SeenOverlay {
  readonly places: Places;
  /** Files with a name of ours that we may write and remove. */
  readonly ours: ReadonlyMap<string, FileContent>;
  /** Files with a name of ours that are the user's. */
  readonly theirs: ReadonlySet<string>;
  readonly before: Remembered | undefined;
  readonly kustomization: {
    readonly path: string;
    readonly content: FileContent | undefined;
    /** Undefined: it cannot be read, or its folder has a second one. */
    readonly fields: Fields | undefined;
  };
}

/** What an overlay is for. */
interface Purpose {
  readonly component: string;
  readonly base?: Base;
}

export function seeOverlay(places: Places, sight: Sight): SeenOverlay {
  const files = ourNames.flatMap((name) => {
    const path = joinPath(places.overlay, name);
    const content = sight.read(path);
    return content === undefined ? [] : [{ path, content, isOurs: mayReplace(name, content) }];
  });
  const ours = new Map(files.filter(({ isOurs }) => isOurs).map(({ path, content }) => [path, content]));
  const theirs = new Set(files.filter(({ isOurs }) => !isOurs).map(({ path }) => path));
  const before = [...ours.values()].map(remembered).find((memory) => memory !== undefined);

  const [path, ...others] = kustomizationsIn(places.overlay, sight);
  const content = sight.read(path);
  const only = content === undefined ? {} : readKustomization(content);
  return {
    places,
    ours,
    theirs,
    before,
    kustomization: { path, content, fields: others.length > 0 ? undefined : only },
  };
}

/** What in the kustomization is the user's. Ours is also what an overlay of before was for: a base may move. */
function keptIn(
  { places, theirs, before, kustomization }: SeenOverlay,
  { component, base }: Purpose,
): Kept | undefined {
  if (kustomization.fields === undefined) return undefined;
  const { overlay } = places;
  const files = ourNames.map((name) => joinPath(overlay, name)).filter((path) => !theirs.has(path));
  const bases = [places.base, base?.path, before && resolvePath(overlay, before.base)];
  const paths = new Set([...files, ...bases].filter((path) => path !== undefined));
  const workloads = new Set<unknown>([component, base?.workload.name ?? component, before?.workload ?? component]);
  return keepOf(kustomization.fields, {
    isPath: (relative) => {
      const path = resolvePath(overlay, relative);
      return path !== undefined && paths.has(path);
    },
    image: component,
    isWorkload: (name) => workloads.has(name),
  });
}

/** The kustomization with our entries before the user's. It is not touched where it says the same already. */
export function writeKustomization(
  seen: SeenOverlay,
  purpose: Purpose,
  ours: Entries,
): ReadonlyMap<string, string> | Problem {
  const { path, content, fields } = seen.kustomization;
  const kept = keptIn(seen, purpose);
  if (kept === undefined)
    return problem(
      'KustomizationUnreadable',
      `${path} cannot be read as the only kustomization of its folder: mend it or remove it, Stagecoach adds its entries and keeps yours`,
    );
  const wanted = writeEntries(ours, kept);
  const text = `${sharedHeader}${writeYaml(wanted)}`;
  const isThere = content !== undefined && (isSameValue(fields, wanted) || content.text === text);
  return isThere ? new Map() : new Map([[path, text]]);
}

/** The kustomization without our entries; it goes where nothing else is in it. One that nobody can read is left alone. */
export function pruneKustomization(seen: SeenOverlay, component: string): Changes {
  const { path, content, fields } = seen.kustomization;
  const kept = keptIn(seen, { component });
  if (content === undefined || kept === undefined) return new Map();
  if (isNothing(kept)) return new Map([[path, undefined]]);
  const left = writeEntries({}, kept);
  return isSameValue(fields, left) ? new Map() : new Map([[path, `${sharedHeader}${writeYaml(left)}`]]);
}
