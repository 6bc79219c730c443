import type { FileContent, Files } from './files.ts';
import { type Needs, type Problem, problem } from './overlay.ts';
import { stepsTo } from './repository-path.ts';

/**
 * Files as a rule looks at them. It never looks through a link or a submodule, and it goes on where something has not been
 * read yet, so that one round asks for all that it can know of. What it decides then does not count: `unsettled` says why.
 */
export interface Sight {
  /** Undefined for whatever cannot be reached by plain folders, too. */
  kindOf(path: string): 'file' | 'directory' | undefined;
  /** Names below a folder that the rule means to write to. */
  namesIn(folder: string): readonly string[];
  /** A file that the rule means to write. What is no text says nothing. */
  read(path: string): FileContent | undefined;
  needs(): Needs | undefined;
  /** What stands in the way, or has to be read first. */
  unsettled(): Problem | Needs | undefined;
}

const nothingReadable: FileContent = { text: '', documents: undefined };

export function lookAt(files: Files): Sight {
  const unread = new Set<string>();
  let obstacle: Problem | undefined;

  /** Nothing is there but the plain folders to it, and, if anything, what is expected. */
  function isClear(path: string, expected: 'file' | 'directory'): boolean {
    const found = obstacleAt(path, expected, files);
    obstacle ??= found;
    return found === undefined;
  }

  function needs(): Needs | undefined {
    return unread.size === 0 ? undefined : { kind: 'needs', paths: [...unread].toSorted() };
  }

  return {
    kindOf(path) {
      const kind = files.kindOf(path);
      if (kind !== 'file' && kind !== 'directory') return undefined;
      return obstacleAt(path, kind, files) === undefined ? kind : undefined;
    },
    namesIn(folder) {
      return isClear(folder, 'directory') && files.kindOf(folder) !== undefined ? files.namesIn(folder).toSorted() : [];
    },
    read(path) {
      if (!isClear(path, 'file') || files.kindOf(path) === undefined) return undefined;
      const content = files.contentOf(path);
      if (typeof content !== 'string') return content;
      if (content !== 'unread') return nothingReadable;
      unread.add(path);
      return undefined;
    },
    needs,
    unsettled: () => obstacle ?? needs(),
  };
}

function obstacleAt(path: string, expected: 'file' | 'directory', files: Files): Problem | undefined {
  for (const step of stepsTo(path)) {
    const kind = files.kindOf(step);
    if (kind === undefined) return undefined;
    const wanted = step === path ? expected : 'directory';
    if (kind !== wanted)
      return problem(
        'PathNotPlain',
        `${step} is a ${kind} where a plain ${wanted} is needed: replace it, Stagecoach neither follows links nor enters submodules`,
      );
  }
  return undefined;
}
