import process from 'node:process';
import { openGitOpsRepositories } from '../../../shared/adapters/git/open-gitops-repositories.ts';
import type { RepositoryPlace } from '../../../shared/ports/gitops-repositories.ts';
import { Conflict } from '../../../shared/ports/trouble.ts';

/** A process that writes: `write-child.ts <errand>`. It says how often it had to begin again. */
export interface Errand {
  readonly folder: string;
  readonly place: RepositoryPlace;
  readonly token: string;
  /** Each is written at the same time, with its path as its content. */
  readonly paths: readonly string[];
}

const { folder, place, token, paths } = JSON.parse(process.argv[2] ?? '') as Errand;
const repositories = openGitOpsRepositories({
  folder,
  maxMegabytes: 200,
  maxRepositoryMegabytes: 100,
  timeoutMs: 60_000,
  searchPath: process.env['PATH'],
  now: Date.now,
  random: Math.random,
});
let conflicts = 0;

/** As the machine does: whoever was overtaken too often comes again at once. */
async function write(path: string): Promise<void> {
  const credential = { username: '', password: token, sshPrivateKey: '' };
  const plan = async () => ({ files: new Map([[path, path]]), message: `Write ${path}` });
  try {
    await repositories.write(place, credential, plan, AbortSignal.timeout(60_000));
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    conflicts += 1;
    await write(path);
  }
}

await Promise.all(paths.map(write));
process.stdout.write(`${conflicts}\n`);
