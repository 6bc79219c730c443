import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { isFields, type KubeObject } from '../kube-object.ts';
import { matchesGlob } from '../project/glob.ts';
import { isInside } from './check-tree.ts';
import { parseManifests } from './parse-manifests.ts';
import { SourceError } from './source-error.ts';

const maxBytes = 10 * 1024 * 1024;
const skipMarker = '+argocd:skip-file-rendering';

/** Plain manifests of a folder, as Argo CD reads them where there is no kustomization. */
export async function readDirectory(root: string, folder: string, options: unknown): Promise<KubeObject[]> {
  const { recurse, include, exclude } = isFields(options) ? options : {};
  const entries = await readdir(folder, { recursive: recurse === true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory() && /\.(?:ya?ml|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const path = relative(folder, file);
      if (typeof exclude === 'string' && exclude !== '' && matchesGlob(exclude, path)) return false;
      return typeof include !== 'string' || include === '' || matchesGlob(include, path);
    })
    .sort();
  const objects: KubeObject[] = [];
  let length = 0;
  for (const file of files) {
    const real = await realpath(file).catch(() => undefined);
    if (real === undefined || !isInside(root, real) || !(await stat(real)).isFile()) continue;
    const text = await readFile(real, 'utf8');
    length += text.length;
    if (length > maxBytes) throw new SourceError('exceeded max combined manifest file size');
    if (!text.includes(skipMarker)) objects.push(...readFileOf(text, basename(file)));
  }
  return objects;
}

function readFileOf(text: string, name: string): KubeObject[] {
  try {
    return parseManifests(text);
  } catch (error) {
    // A file that only happens to end in .yaml is none of ours; one that looks like a manifest is broken.
    if (!name.endsWith('.json') && !['apiVersion:', 'kind:', 'metadata:'].every((word) => text.includes(word)))
      return [];
    throw new SourceError(
      `Failed to unmarshal "${name}": failed to unmarshal manifest: ${error instanceof Error ? error.message : error}`,
      'FailedPrecondition',
    );
  }
}
