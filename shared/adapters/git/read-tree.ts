import type { FileContent, Tree, TreeEntry } from '../../ports/gitops-repositories.ts';
import { Refused } from '../../ports/trouble.ts';
import { openBlobReader } from './read-blobs.ts';
import type { GitRun } from './run-git.ts';

/** Enough for every repository of manifests; the list of all of them is held in memory. */
const mostEntries = 200_000;

export interface GitEntry extends TreeEntry {
  /** As git has it: 100644, 100755 for a program, 120000 for a link, 160000 for a submodule. */
  readonly mode: string;
  readonly id: string;
}

export interface GitTree extends Tree {
  readonly entries: readonly GitEntry[];
  find(path: string): GitEntry | undefined;
}

/** The clone that a tree is read from. */
interface Reader {
  run(args: readonly string[], more?: Pick<GitRun, 'input' | 'take'>): Promise<Buffer>;
  log(args: readonly string[]): Promise<string>;
  /** What was read before, by its id: a commit on top of another one has most of its files. */
  readonly contents: Map<string, FileContent>;
}

export async function readTree(head: string | undefined, { run, log, contents }: Reader): Promise<GitTree> {
  const listed = head === undefined ? '' : (await run(['ls-tree', '-r', '-z', '--full-tree', head])).toString('utf8');
  const entries = listed.split('\0').slice(0, -1).map(readEntry);
  if (entries.length > mostEntries)
    throw new Refused(
      'RepositoryTooLarge',
      `The repository has more than ${mostEntries} files: use one that has only manifests in it`,
    );
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));

  return {
    head,
    entries,
    find: (path) => byPath.get(path),
    async read(paths) {
      const files = [...paths].flatMap((path) => byPath.get(path) ?? []).filter(({ kind }) => kind === 'file');
      const unread = new Set(files.map(({ id }) => id).filter((id) => !contents.has(id)));
      if (unread.size > 0)
        await run(['cat-file', '--batch'], {
          input: [...unread].join('\n').concat('\n'),
          take: openBlobReader((id, content) => contents.set(id, content)),
        });
      // What git has not printed is no file that anybody could read.
      return new Map(files.map(({ path, id }) => [path, contents.get(id) ?? 'binary']));
    },
    async lastCommitOf(paths) {
      if (head === undefined || paths.length === 0) return undefined;
      return (await log(['-1', '--format=%H', head, '--', ...paths])).trim() || undefined;
    },
  };
}

function readEntry(line: string): GitEntry {
  const [mode = '', type, id = ''] = line.slice(0, line.indexOf('\t')).split(' ');
  const kind = type === 'commit' ? 'submodule' : mode === '120000' ? 'link' : 'file';
  return { path: line.slice(line.indexOf('\t') + 1), kind, mode, id };
}
