import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { redact } from '../../../../shared/adapters/telemetry/redact.ts';
import { openTurns } from '../../git/turns.ts';
import type { CommandResult } from '../run-command.ts';
import type { RepositoryCredentials } from './repository-credentials.ts';
import { normalizeRepositoryUrl, readTransport } from './repository-url.ts';
import { isCommitId, readRemoteRefs, resolveRevision } from './resolve-revision.ts';
import { type GitRun, type GitSettings, runGit } from './run-git.ts';
import { SourceError } from './source-error.ts';

export interface Remote {
  readonly url: string;
  readonly credentials?: RepositoryCredentials | undefined;
  readonly knownHosts?: string | undefined;
}

export interface Checkout {
  readonly folder: string;
  remove(): Promise<void>;
}

export interface Repositories {
  /** Asks the remote what a branch, tag or HEAD is now. A commit id is believed. */
  resolve(remote: Remote, revision: string): Promise<string>;
  /** The files of one commit in a folder of their own, which the caller removes. */
  checkOut(remote: Remote, commit: string): Promise<{ commit: string; checkout: Checkout }>;
}

// A cache, not a store: what is dropped is fetched again.
const maxRepositories = 30;
const maxPacks = 60;
const maxFiles = 50_000;
const maxBytes = 256 * 1024 * 1024;

export async function openRepositories(settings: GitSettings & { readonly atOnce?: number }): Promise<Repositories> {
  const home = join(settings.folder, 'repositories');
  const trees = join(settings.folder, 'trees');
  await rm(trees, { recursive: true, force: true });
  await Promise.all([home, trees].map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })));
  const turns = openTurns(settings.atOnce ?? 4, Number.POSITIVE_INFINITY);
  /** In the order of their last use. */
  const used = new Map<string, Promise<unknown>>();

  async function git(run: GitRun): Promise<CommandResult> {
    const done = await turns.take(settings.signal);
    if (done === undefined) throw new SourceError('The Argo CD stand-in is stopping');
    try {
      return await runGit(settings, run);
    } catch (error) {
      throw new SourceError(`git ${run.args[0]} ${error instanceof Error ? error.message : error}`);
    } finally {
      done();
    }
  }

  async function must(run: GitRun): Promise<string> {
    const { code, stdout, stderr } = await git(run);
    if (code !== 0) throw new SourceError(`\`git ${run.args[0]}\` failed exit status ${code}: ${clean(stderr)}`);
    return stdout;
  }

  /** One at a time on each cache: two fetches into one would wait for each other's locks. */
  function inCache<Result>(url: string, act: (cache: string) => Promise<Result>): Promise<Result> {
    const cache = join(home, createHash('sha256').update(normalizeRepositoryUrl(url)).digest('hex').slice(0, 32));
    const before = used.get(cache) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(() => act(cache));
    used.delete(cache);
    used.set(cache, mine);
    mine.catch(() => {}).finally(() => void forgetOldest());
    return mine;
  }

  async function forgetOldest(): Promise<void> {
    const [oldest] = used;
    if (used.size <= maxRepositories || oldest === undefined) return;
    used.delete(oldest[0]);
    await oldest[1].catch(() => {});
    if (!used.has(oldest[0])) await rm(oldest[0], { recursive: true, force: true });
  }

  async function prepare(cache: string): Promise<void> {
    const packs = await readdir(join(cache, 'objects', 'pack')).catch(() => undefined);
    if (packs !== undefined && packs.length <= maxPacks * 2) return;
    await rm(cache, { recursive: true, force: true });
    await must({ args: ['init', '--quiet', '--bare', '--template=', cache], cwd: home });
  }

  async function findCommit(cache: string, revision: string): Promise<string | undefined> {
    const { code, stdout } = await git({
      args: ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`],
      cwd: cache,
    });
    return code === 0 ? stdout.trim() : undefined;
  }

  async function fetchCommit(cache: string, remote: Remote, revision: string): Promise<string> {
    const known = await findCommit(cache, revision);
    if (known !== undefined) return known;
    const network = { cwd: cache, credentials: remote.credentials, knownHosts: remote.knownHosts };
    if (isCommitId(revision)) {
      const args = ['fetch', '--quiet', '--no-tags', '--depth=1', '--', remote.url, revision];
      const { code, stderr } = await git({ ...network, args });
      if (code === 0) return (await findCommit(cache, revision)) ?? revision;
      if (/not our ref/.test(stderr)) throw noSuchCommit(revision, clean(stderr));
    }
    // Some hosts give out no commit by its id, and a short id is only known to who has them all.
    const all = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
    await must({ ...network, args: ['fetch', '--quiet', '--prune', '--unshallow', '--', remote.url, ...all] }).catch(
      () => must({ ...network, args: ['fetch', '--quiet', '--prune', '--', remote.url, ...all] }),
    );
    const found = await findCommit(cache, revision);
    if (found === undefined) throw noSuchCommit(revision, 'the repository has no such commit');
    return found;
  }

  async function extract(cache: string, commit: string): Promise<Checkout> {
    const listing = await must({ args: ['ls-tree', '-r', '-l', '-z', commit], cwd: cache });
    const sizes = listing.split('\u0000').map((line) => Number(/^\S+ blob \S+\s+(\d+)\t/.exec(line)?.[1] ?? 0));
    if (sizes.length > maxFiles || sizes.reduce((sum, size) => sum + size, 0) > maxBytes)
      throw new SourceError(
        `the repository is larger than the ${maxFiles} files and ${maxBytes} bytes that are rendered here`,
      );
    const folder = join(trees, randomUUID());
    await mkdir(join(folder, 'tree'), { recursive: true, mode: 0o700 });
    const env = { GIT_DIR: cache, GIT_WORK_TREE: join(folder, 'tree'), GIT_INDEX_FILE: join(folder, 'index') };
    const place = { cwd: join(folder, 'tree'), env };
    const checkout = { folder: join(folder, 'tree'), remove: () => rm(folder, { recursive: true, force: true }) };
    try {
      await must({ ...place, args: ['read-tree', commit] });
      await must({ ...place, args: ['checkout-index', '--all', '--quiet'] });
      return checkout;
    } catch (error) {
      await checkout.remove();
      throw error;
    }
  }

  return {
    async resolve(remote, revision) {
      check(remote.url);
      if (isCommitId(revision)) return revision;
      const { url, credentials, knownHosts } = remote;
      const run = { args: ['ls-remote', '--quiet', '--symref', '--', url], cwd: home, credentials, knownHosts };
      const { code, stdout, stderr } = await git(run);
      if (code !== 0) throw new SourceError(`failed to list refs: ${explain(redact(url), clean(stderr))}`);
      const commit = resolveRevision(readRemoteRefs(stdout), revision);
      if (commit === undefined) throw new SourceError(`unable to resolve '${revision}' to a commit SHA`);
      return commit;
    },
    async checkOut(remote, revision) {
      check(remote.url);
      return inCache(remote.url, async (cache) => {
        await prepare(cache);
        const commit = await fetchCommit(cache, remote, revision);
        return { commit, checkout: await extract(cache, commit) };
      });
    },
  };
}

function check(url: string): void {
  if (readTransport(url) === undefined)
    throw new SourceError(`repository address "${redact(url)}" is not allowed: use http, https, ssh or git`);
}

function noSuchCommit(revision: string, said: string): SourceError {
  return new SourceError(
    `failed to initialize repository resources: rpc error: code = Internal desc = Failed to checkout revision ${revision}: \`git fetch origin ${revision} --tags --force --prune\` failed exit status 128: ${said}`,
  );
}

/** What clients of Argo CD look for in these messages. */
function explain(url: string, text: string): string {
  const said = text.replace(/^(?:remote|fatal|error): /gm, '').trim();
  const remote = [...text.matchAll(/^remote: (.*)$/gm)].map(([, line]) => line).join(' ');
  const asked = `Get "${url}/info/refs?service=git-upload-pack": dial tcp`;
  const [, host, port] = /Failed to connect to (\S+) port (\d+)/.exec(text) ?? [];
  if (/could not read (?:Username|Password)|Authentication failed|invalid credentials/i.test(text))
    return 'authentication required: the credentials of the repository are missing or not accepted';
  if (/error: 403|Permission denied/i.test(text)) return `authorization failed: ${remote || said}`;
  if (/not found|error: 404|does not appear to be a git repository/i.test(text))
    return `repository not found: ${remote || said}`;
  if (host !== undefined) return `${asked} ${host}:${port}: connect: connection refused`;
  const unknown = /Could not resolve host: (\S+)/.exec(text)?.[1];
  return unknown === undefined ? said : `${asked}: lookup ${unknown}: no such host`;
}

function clean(text: string): string {
  return redact(text.trim().slice(0, 2_000));
}
