import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { type EmbeddedGit, startEmbeddedGit } from '../../infra/embedded/git/start-embedded-git.ts';
import { freshName } from './api-world.ts';

/** Path to content; null takes a file away. */
export type RepositoryFiles = Readonly<Record<string, string | null>>;

/** A bare repository behind smart HTTP that asks for a token, and the clone that the test writes through. */
export interface ArgoRepository {
  /** Without credentials, as an Application names it. */
  readonly url: string;
  /** Lays the files over what the branch has and pushes them; answers with the commit. */
  commit(files: RepositoryFiles, branch?: string): Promise<string>;
  /** A tag at what was committed last; annotated where it has a message. */
  tag(name: string, message?: string): Promise<void>;
}

export interface ArgoGit {
  readonly server: EmbeddedGit;
  /** A token that may read everything. */
  readonly readToken: string;
  /** Below this address Argo CD may read; every repository asks for a token, here and elsewhere. */
  readonly trustedUrl: string;
  /** A new repository of its own, with the files as its first commit. */
  repository(files: RepositoryFiles, trusted?: boolean): Promise<ArgoRepository & { readonly first: string }>;
  stop(): Promise<void>;
}

const writeToken = 'contract-write-token';
const readToken = 'contract-read-token';
const silent = { error() {}, warn() {}, info() {}, debug() {} };
const run = promisify(execFile);

/** Serves repositories out of the folder, which stays the caller's. */
export async function startArgoGit(folder: string): Promise<ArgoGit> {
  const server = await startEmbeddedGit({
    folder: join(folder, 'served'),
    tokens: [
      { token: writeToken, access: 'write' },
      { token: readToken, access: 'read' },
    ],
    log: silent,
    limits: { children: 16, waiting: 256 },
  });
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };

  async function repository(files: RepositoryFiles, trusted = true) {
    const name = freshName('repo');
    const url = await server.createRepository(`${trusted ? 'trusted' : 'strange'}/${name}`);
    const clone = join(folder, name);
    const git = async (...args: readonly string[]): Promise<string> => {
      const { stdout } = await run('git', [...args], { cwd: clone, env, timeout: 20_000 });
      return stdout.trim();
    };
    await mkdir(clone);
    await git('init', '--quiet', '--initial-branch=main');
    await git('remote', 'add', 'origin', url.replace('http://', `http://test:${writeToken}@`));

    async function commit(changed: RepositoryFiles, branch = 'main'): Promise<string> {
      if ((await git('branch', '--show-current')) !== branch)
        await git('checkout', '--quiet', ...((await git('branch', '--list', branch)) === '' ? ['-b'] : []), branch);
      for (const [path, content] of Object.entries(changed)) {
        const file = join(clone, path);
        await mkdir(dirname(file), { recursive: true });
        await (content === null ? rm(file) : writeFile(file, content));
      }
      await git('add', '--all');
      await git('commit', '--quiet', '--allow-empty', '-m', 'a change');
      await git('push', '--quiet', 'origin', branch);
      return git('rev-parse', 'HEAD');
    }

    return {
      url,
      first: await commit(files),
      commit,
      async tag(label: string, message?: string) {
        await git('tag', label, ...(message === undefined ? [] : ['-m', message]));
        await git('push', '--quiet', 'origin', `refs/tags/${label}`);
      },
    };
  }

  return { server, readToken, trustedUrl: `${server.url}/trusted/`, repository, stop: () => server.stop() };
}
