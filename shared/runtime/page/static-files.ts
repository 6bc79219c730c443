import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Document, makeDocument } from './document.ts';

const kinds: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The files of a folder by their paths in it, read once. A request is answered from here and never opens a file, so no
 * path leads anywhere else.
 */
export async function readStaticFiles(folder: URL): Promise<ReadonlyMap<string, Document>> {
  const root = fileURLToPath(folder);
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const documents = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    const type = kinds[extname(name)];
    if (type === undefined) throw new Error(`${path} is of a kind that pages are not made of`);
    return [relative(root, path).split(sep).join('/'), await makeDocument(type, readFileSync(path))] as const;
  });
  return new Map(await Promise.all(documents));
}
