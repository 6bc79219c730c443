import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Source } from '../application.ts';
import { isFields, type KubeObject } from '../kube-object.ts';
import { runCommand } from '../run-command.ts';
import { checkKustomization, findKustomization } from './check-kustomization.ts';
import { findAppFolder, refuseLinksOut } from './check-tree.ts';
import type { Kustomize } from './find-kustomize.ts';
import { parseManifests } from './parse-manifests.ts';
import { readDirectory } from './read-directory.ts';
import { SourceError } from './source-error.ts';

export interface Rendered {
  readonly sourceType: 'Kustomize' | 'Directory';
  readonly objects: readonly KubeObject[];
}

const timeoutMs = 60_000;
const maxOutputBytes = 20 * 1024 * 1024;

/** The objects that a path of a checkout stands for. */
export async function renderSource(
  root: string,
  source: Source,
  kustomize: Kustomize,
  signal: AbortSignal,
): Promise<Rendered> {
  await refuseLinksOut(root);
  const folder = await findAppFolder(root, source.path ?? '');
  if (source['helm'] !== undefined || source['plugin'] !== undefined) throw unsupported('Helm and plugins are');
  const hasKustomization = (await findKustomization(folder)) !== undefined;
  const isKustomize = hasKustomization || isFields(source['kustomize']);
  if (!isKustomize || isFields(source['directory'])) {
    if ((await lstat(join(folder, 'Chart.yaml')).catch(() => undefined)) !== undefined)
      throw unsupported('Helm charts are');
    return { sourceType: 'Directory', objects: await readDirectory(root, folder, source['directory']) };
  }
  const options = Object.keys(isFields(source['kustomize']) ? source['kustomize'] : {});
  if (options.length > 0) throw unsupported(`spec.source.kustomize.${options[0]} is`);
  await checkKustomization(root, folder);
  return {
    sourceType: 'Kustomize',
    objects: parseManifests(await build(root, folder, source.path ?? '', kustomize, signal)),
  };
}

async function build(root: string, folder: string, path: string, { program, args }: Kustomize, signal: AbortSignal) {
  const result = await runCommand(program, {
    // No plugins, no helm, no loading from outside of each kustomization's folder: all off unless asked for.
    args: [...args, folder],
    cwd: root,
    // Without a path there is no git to fetch a base with, and the proxy is a port where nobody listens.
    env: { HOME: '/dev/null', PATH: '/dev/null', HTTP_PROXY: nobody, HTTPS_PROXY: nobody, ALL_PROXY: nobody },
    timeoutMs,
    maxOutputBytes,
    signal,
  }).catch((error: unknown) => {
    throw new SourceError(`\`kustomize build ${path}\` ${error instanceof Error ? error.message : error}`);
  });
  if (result.code === 0) return result.stdout;
  const said = inWordsOfKustomize(result.stderr)
    .replaceAll(folder, `<path to cached source>/${path}`)
    .replaceAll(root, '<path to cached source>');
  throw new SourceError(
    `\`kustomize build <path to cached source>/${path}\` failed exit status ${result.code}: ${said.trim().slice(0, 4_000)}`,
  );
}

/** kubectl logs the error of its kustomize as a quoted field; kustomize itself prints it. */
function inWordsOfKustomize(stderr: string): string {
  const logged = /^E\d{4} .*"command failed" err=("(?:[^"\\]|\\.)*")\s*$/m.exec(stderr)?.[1];
  if (logged === undefined) return stderr;
  try {
    return `Error: ${JSON.parse(logged)}`;
  } catch {
    return stderr;
  }
}

const nobody = 'http://127.0.0.1:1';

function unsupported(what: string): SourceError {
  return new SourceError(`${what} not supported by the Argo CD stand-in`);
}
