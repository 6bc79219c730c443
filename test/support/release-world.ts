import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { startEmbeddedGit } from '../../infra/embedded/git/start-embedded-git.ts';
import { type GitOpsWorld, openGitOpsWorld } from './gitops-world.ts';

const execute = promisify(execFile);
const silent = { error() {}, warn() {}, info() {}, debug() {} };
/** The service's own token, a tenant's that may push, and one that may only read. */
export const gitTokens = { service: 'token-of-the-service', tenant: 'token-of-a-tenant', reader: 'token-of-a-reader' };

/** Repositories on disk behind smart HTTP, and eyes that look at them there. Somebody may stand before the server. */
export async function openReleaseGit(before?: (server: string) => Promise<{ readonly url: string; close(): void }>) {
  const folder = await mkdtemp(join(tmpdir(), 'stagecoach-releases-'));
  const server = await startEmbeddedGit({
    folder: join(folder, 'git'),
    tokens: [
      { token: gitTokens.service, access: 'write' },
      { token: gitTokens.tenant, access: 'write' },
      { token: gitTokens.reader, access: 'read' },
    ],
    log: silent,
  });
  const front = await before?.(server.url);
  const { url } = front ?? server;
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, `${gitTokens.service}\n`, { mode: 0o600 });

  async function git(url: string, ...args: string[]): Promise<string> {
    const place = join(folder, 'git', new URL(url).pathname);
    const { stdout } = await execute('git', ['-C', place, ...args], {
      env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      maxBuffer: 64 * 1_048_576,
    });
    return stdout;
  }

  async function feed(url: string, input: string, ...args: string[]): Promise<string> {
    const running = execute('git', ['-C', join(folder, 'git', new URL(url).pathname), ...args], {
      env: { PATH: process.env['PATH'] },
    });
    running.child.stdin?.end(input);
    return (await running).stdout;
  }

  return {
    url,
    folder,
    /** What a host of functions needs to know. */
    settings: {
      GIT_ROOT_URL: url,
      GIT_TOKEN_FILE: tokenFile,
      GIT_CACHE_FOLDER: join(folder, 'cache'),
    },
    async createRepository(name: string): Promise<string> {
      return url + new URL(await server.createRepository(name)).pathname;
    },
    git,
    /** Every path of a branch, and what stands there. */
    async files(url: string, branch = 'main'): Promise<Readonly<Record<string, string>>> {
      const names = (await git(url, 'ls-tree', '-r', '--name-only', branch).catch(() => ''))
        .split('\n')
        .filter(Boolean);
      const entries = await Promise.all(
        names.map(async (name) => [name, await git(url, 'show', `${branch}:${name}`)] as const),
      );
      return Object.fromEntries(entries);
    },
    /** The newest commit of a branch; read from the folder, for whoever asks all the time. */
    async head(url: string, branch = 'main'): Promise<string> {
      const file = join(folder, 'git', new URL(url).pathname, 'refs', 'heads', branch);
      return (await readFile(file, 'utf8').catch(() => git(url, 'rev-parse', branch).catch(() => ''))).trim();
    },
    /** The commits of a branch, newest first, with what they say. */
    async commits(url: string, branch = 'main'): Promise<readonly { readonly id: string; readonly message: string }[]> {
      const text = await git(url, 'log', '--format=%H%n%B%x00', branch).catch(() => '');
      return text
        .split('\0')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '')
        .map((entry) => ({ id: entry.slice(0, 40), message: entry.slice(41) }));
    },
    /** A commit by somebody else. */
    async commit(url: string, files: Readonly<Record<string, string | null>>, branch = 'main'): Promise<void> {
      const head = await git(url, 'rev-parse', '--verify', '-q', `refs/heads/${branch}`).catch(() => '');
      const changes = Object.entries(files).map(([path, text]) =>
        text === null ? `D ${path}\n` : `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
      );
      const stream = `commit refs/heads/${branch}\ncommitter A User <user@example.com> 1700000000 +0000\ndata 8\nBy hand\n\n${
        head === '' ? '' : `from ${head.trim()}\n`
      }${changes.join('')}\n`;
      await feed(url, stream, 'fast-import', '--quiet');
    },
    /** Somebody else takes a branch back to an earlier commit. */
    async reset(url: string, commit: string, branch = 'main'): Promise<void> {
      await git(url, 'update-ref', `refs/heads/${branch}`, commit);
    },
    /** A tree of entries as `git ls-tree` prints them. */
    async makeTree(url: string, entries: string): Promise<string> {
      return (await feed(url, entries, 'mktree')).trim();
    },
    async stop(): Promise<void> {
      front?.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type ReleaseGit = Awaited<ReturnType<typeof openReleaseGit>>;
export type ReleaseWorld = GitOpsWorld & { readonly git: ReleaseGit };

type Settings = NonNullable<Parameters<typeof openGitOpsWorld>[0]>;
type Before = Parameters<typeof openReleaseGit>[0];

/** For stories in which people write Bindings themselves: no Snapshot is promoted by itself. */
export const byHand: Settings = { without: ['start-promotion'] };

/** A world whose service has a place for repositories; on another API server where somebody opens one. */
export async function openReleaseWorld(
  { beforeGit, ...settings }: Settings & { readonly beforeGit?: Before } = {},
  open: (settings: Settings) => Promise<GitOpsWorld> = openGitOpsWorld,
): Promise<ReleaseWorld> {
  const git = await openReleaseGit(beforeGit);
  const world = await open({ ...settings, git: git.settings });
  return {
    ...world,
    git,
    async close() {
      await world.close();
      await git.stop();
    },
  };
}
