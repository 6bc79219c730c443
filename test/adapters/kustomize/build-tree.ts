import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Tree } from '../../domain/overlay/a-repository.ts';

/** A program that builds the folder that it is given last. */
export interface Builder {
  readonly program: string;
  readonly args: readonly string[];
}

/** A repository, and the overlay in it that is to be built. */
export interface Buildable {
  readonly tree: Tree;
  readonly path: string;
}

/**
 * What kustomize makes of many overlays, in one go: it takes a second to get ready. So that objects of the same name do not
 * get in each other's way, every repository gets a namespace of its own.
 */
export function buildAll({ program, args }: Builder, all: readonly Buildable[]): string {
  const root = mkdtempSync(join(tmpdir(), 'stagecoach-overlays-'));
  const files: Record<string, string> = { 'kustomization.yaml': JSON.stringify({ resources: all.map(folderOf) }) };
  for (const [at, { tree, path }] of all.entries()) {
    const folder = folderOf(undefined, at);
    files[`${folder}/kustomization.yaml`] = JSON.stringify({ namespace: folder, resources: [path] });
    for (const [file, text] of Object.entries(tree)) files[`${folder}/${file}`] = text;
  }
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    // kubectl fills a home where it finds one.
    const env = { HOME: '/dev/null' };
    return execFileSync(program, [...args, root], { encoding: 'utf8', env, stdio: 'pipe' });
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** The documents that were built of each repository, to the byte. */
export function documentsOfEach(built: string, all: readonly Buildable[]): readonly (readonly string[])[] {
  const documents = built.split(/^---\n/m);
  return all.map((one, at) => documents.filter((document) => document.includes(`  namespace: ${folderOf(one, at)}\n`)));
}

function folderOf(_one: unknown, at: number): string {
  return `case-${at}`;
}
