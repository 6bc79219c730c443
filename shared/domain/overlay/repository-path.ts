/** What nobody sees, what would end a line of a file that names it, and what Windows takes for a slash. */
const unusable = /[\p{C}\p{Zl}\p{Zp}\\]/u;

/** A path from the root of the repository, as a person writes it. Empty: the root itself. Undefined: it is no such path. */
export function readPath(written: string): string | undefined {
  const segments = written
    .replace(/^\/+|\/+$/g, '')
    .split('/')
    .filter((segment) => segment !== '.');
  const inner = segments.length === 1 && segments[0] === '' ? [] : segments;
  const isUsable = inner.every((segment) => segment !== '' && segment !== '..' && segment.toLowerCase() !== '.git');
  return isUsable && !unusable.test(written) ? inner.join('/') : undefined;
}

/** Where a folder's file says that something is. Undefined: outside of the repository, where nobody follows it. */
export function resolvePath(folder: string, relative: string): string | undefined {
  if (relative.startsWith('/')) return undefined;
  const path: string[] = [];
  for (const segment of joinPath(folder, relative).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') path.push(segment);
    else if (path.pop() === undefined) return undefined;
  }
  return path.join('/');
}

/** The way from one folder to another, both from the root. */
export function relativePath(from: string, to: string): string {
  const [start, end] = [segmentsOf(from), segmentsOf(to)];
  const differs = start.findIndex((segment, at) => segment !== end[at]);
  const shared = differs === -1 ? start.length : differs;
  return [...start.slice(shared).map(() => '..'), ...end.slice(shared)].join('/');
}

export function joinPath(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/');
}

/** Is it the folder itself, or does it lie below? */
export function isWithin(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** The path itself and every folder on the way to it, from the root on. */
export function stepsTo(path: string): readonly string[] {
  const segments = segmentsOf(path);
  return segments.map((_segment, at) => segments.slice(0, at + 1).join('/'));
}

function segmentsOf(path: string): readonly string[] {
  return path === '' ? [] : path.split('/');
}
