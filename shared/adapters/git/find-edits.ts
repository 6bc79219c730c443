import { createHash } from 'node:crypto';
import { Refused } from '../../ports/trouble.ts';
import type { GitTree } from './read-tree.ts';

/** One file to write, or, without a text, to take away. */
export interface Edit {
  readonly path: string;
  readonly mode: string;
  readonly text: string | undefined;
}

/**
 * What differs between a branch and what is wanted of it. Throws Refused where something of a user's stands in the way:
 * nothing is written through a link or into a submodule, no file becomes a folder, and no folder a file.
 */
export function findEdits(tree: GitTree, files: ReadonlyMap<string, string | undefined>): readonly Edit[] {
  const edits = [...files].flatMap(([path, text]): Edit[] => {
    checkPath(path);
    const there = tree.find(path);
    if (text === undefined) return there === undefined ? [] : [{ path, mode: there.mode, text }];
    checkText(path, text);
    if (there?.kind === 'file') return there.id === blobId(text) ? [] : [{ path, mode: there.mode, text }];
    return [{ path, mode: '100644', text }];
  });
  for (const { path, text } of edits) if (text !== undefined) checkWay(path, tree, files);
  return edits;
}

function checkWay(path: string, tree: GitTree, files: ReadonlyMap<string, string | undefined>): void {
  const isLeft = (other: string) => !(files.has(other) && files.get(other) === undefined);
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    const above = path.slice(0, end);
    if (files.get(above) !== undefined) throw new Error(`The plan wants ${above} to be a file and a folder`);
    const there = tree.find(above);
    if (there !== undefined && (there.kind !== 'file' || isLeft(above))) throw blocked(path, above, there.kind);
  }
  const there = tree.find(path);
  if (there?.kind === 'link' || there?.kind === 'submodule') throw blocked(path, path, there.kind);
  if (there === undefined && tree.entries.some((entry) => entry.path.startsWith(`${path}/`) && isLeft(entry.path)))
    throw blocked(path, path, 'folder');
}

function blocked(path: string, by: string, kind: string): Refused {
  return new Refused(
    'PathBlocked',
    `${path} cannot be written, as ${by} is a ${kind} in the repository: remove it there`,
  );
}

/** `.git` in all the spellings that some file system takes for it. */
const forbidden = /^(?:|\.|\.\.|\.git[. ]*|git~\d+)$/i;

/** Whoever plans a path like this has a defect: a name that came from a user was not looked at. */
function checkPath(path: string): void {
  if (path.split('/').some((part) => forbidden.test(part)) || /[\p{Cc}\\]/u.test(path) || !path.isWellFormed())
    throw new Error(`The plan names a path that nothing is ever written to: ${JSON.stringify(path)}`);
}

function checkText(path: string, text: string): void {
  if (!text.isWellFormed()) throw new Error(`The plan wants a text in ${path} that cannot be written as UTF-8`);
}

/** The name that git gives to a content. */
function blobId(text: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0`)
    .update(text)
    .digest('hex');
}
