import { lstat, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { at, isFields, listAt } from '../kube-object.ts';
import { isInside } from './check-tree.ts';
import { readYaml } from './parse-manifests.ts';
import { SourceError } from './source-error.ts';

const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const;

const maxFolders = 500;
const folderFields = ['resources', 'bases', 'components', 'generators', 'transformers', 'validators'];
const fileFields = ['crds', 'configurations', 'patchesStrategicMerge'];

/**
 * Follows a kustomization from folder to folder before kustomize does, and refuses what kustomize would allow: bases outside
 * of the checkout, and anything that it would fetch. Files it keeps inside each folder itself.
 */
export async function checkKustomization(root: string, folder: string): Promise<void> {
  const seen = new Set<string>();
  const open = [folder];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    if (seen.has(here)) continue;
    seen.add(here);
    if (seen.size > maxFolders) throw new SourceError(`the kustomization has more than ${maxFolders} folders`);
    const file = await findKustomization(here);
    if (file === undefined) continue;
    // What cannot be read here is left to kustomize, which says it better.
    const fields = await readFields(file);
    for (const path of pathsOf(fields)) {
      if (isRemote(path))
        throw new SourceError(
          `${relative(root, file)} names ${path}: remote bases are not supported by the Argo CD stand-in`,
        );
    }
    for (const path of folderFields.flatMap((name) => listAt(fields, name)).filter(isText)) {
      const target = resolve(here, path);
      if (!isInside(root, target))
        throw new SourceError(`${relative(root, file)} names ${path}, which is outside of the repository`);
      const found = await lstat(target).catch(() => undefined);
      if (found?.isDirectory()) open.push(target);
      else if (found !== undefined) await refuseRemoteIn(root, target);
    }
  }
}

export async function findKustomization(folder: string): Promise<string | undefined> {
  for (const name of kustomizationNames) {
    const file = join(folder, name);
    if ((await lstat(file).catch(() => undefined)) !== undefined) return file;
  }
  return undefined;
}

/** Generators and transformers are files too, and may name addresses in turn. */
async function refuseRemoteIn(root: string, file: string): Promise<void> {
  const documents = await readDocuments(file);
  for (const document of documents) {
    if (!/(?:Generator|Transformer|Validator)$/.test(String(at(document, 'kind') ?? ''))) continue;
    const named = [
      ...listAt(document, 'files'),
      ...listAt(document, 'envs'),
      at(document, 'path'),
      at(document, 'env'),
    ];
    const remote = named.filter(isText).map(afterEquals).find(isRemote);
    if (remote !== undefined)
      throw new SourceError(
        `${relative(root, file)} names ${remote}: remote files are not supported by the Argo CD stand-in`,
      );
  }
}

function pathsOf(fields: unknown): string[] {
  const generators = [...listAt(fields, 'configMapGenerator'), ...listAt(fields, 'secretGenerator')];
  const patches = ['patches', 'patchesJson6902', 'replacements'].flatMap((name) => listAt(fields, name));
  return [
    ...[...folderFields, ...fileFields].flatMap((name) => listAt(fields, name)),
    ...generators.flatMap((one) => [...listAt(one, 'files'), ...listAt(one, 'envs'), at(one, 'env')]),
    ...patches.map((one) => at(one, 'path')),
    at(fields, 'openapi', 'path'),
  ]
    .filter(isText)
    .map(afterEquals);
}

function afterEquals(text: string): string {
  return /^[\w.-]+=/.test(text) ? text.slice(text.indexOf('=') + 1) : text;
}

/** Everything that kustomize takes for an address: a scheme, a host it knows, the short form of ssh, a query. */
function isRemote(path: string): boolean {
  if (path.includes('\n')) return false;
  return /^[a-z][a-z0-9+.-]*:|^(?:github|gitlab|bitbucket)\.[a-z]+[/:]|^[^/]*@[^/]*:|::|\?(?:ref|version|timeout|submodules)=/i.test(
    path,
  );
}

async function readFields(file: string): Promise<unknown> {
  return (await readDocuments(file)).find(isFields);
}

async function readDocuments(file: string): Promise<unknown[]> {
  try {
    return readYaml(await readFile(file, 'utf8'));
  } catch {
    return [];
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
