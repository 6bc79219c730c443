import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { type EmbeddedGit, startEmbeddedGit } from '../../infra/embedded/git/start-embedded-git.ts';
import { freshName } from './api-world.ts';

/** Path to content; null takes a file away. */
export type RepositoryFiles = Readonly<Record<string, string | null>>;

/** A bare repository behind smart HTTP that asks for a token. The test writes to it on disk, in one process per commit. */
export interface ArgoRepository {
  /** Without credentials, as an Application names it. */
  readonly url: string;
  /** Where it lies on this machine. */
  readonly folder: string;
  /** Lays the files over what the branch has (a new branch: over what was committed last); answers with the commit. */
  commit(files: RepositoryFiles, branch?: string): Promise<string>;
  /** A tag at what was committed last; annotated where it has a message. */
  tag(name: string, message?: string): Promise<void>;
}

export interface ArgoGit {
  readonly server: EmbeddedGit;
  /** A token that may read everything. */
  readonly readToken: string;
  /** Another one, for whoever changes theirs. */
  readonly otherReadToken: string;
  /** The service's own, for the repositories that it makes. */
  readonly writeToken: string;
  /** Below this address Argo CD may read; every repository asks for a token, here and elsewhere. */
  readonly trustedUrl: string;
  /** A new repository of its own, with the files as its first commit. */
  repository(files: RepositoryFiles, trusted?: boolean): Promise<ArgoRepository & { readonly first: string }>;
  stop(): Promise<void>;
}

const readToken = 'contract-read-token';
const otherReadToken = 'contract-read-token-of-tomorrow';
const writeToken = 'contract-token-of-the-service';
const silent = { error() {}, warn() {}, info() {}, debug() {} };

/** Serves repositories out of the folder, which stays the caller's. */
export async function startArgoGit(folder: string): Promise<ArgoGit> {
  const server = await startEmbeddedGit({
    folder,
    tokens: [
      ...[readToken, otherReadToken].map((token) => ({ token, access: 'read' as const })),
      { token: writeToken, access: 'write' },
    ],
    log: silent,
    limits: { children: 16, waiting: 256 },
  });

  async function repository(files: RepositoryFiles, trusted = true) {
    const name = `${trusted ? 'trusted' : 'strange'}/${freshName('repo')}`;
    const url = await server.createRepository(name);
    const place = join(folder, `${name}.git`);
    const branches = new Set<string>();
    let last: string | undefined;

    async function commit(changed: RepositoryFiles, branch = 'main'): Promise<string> {
      const from = branches.has(branch) ? `refs/heads/${branch}^0` : last;
      const changes = Object.entries(changed).map(([path, content]) =>
        content === null ? `D ${path}\n` : `M 100644 inline ${path}\n${data(content)}`,
      );
      const made = await importInto(
        place,
        `commit refs/heads/${branch}\nmark :1\n${signature('committer')}${data('a change')}` +
          `${from === undefined ? '' : `from ${from}\n`}${changes.join('')}get-mark :1\n`,
      );
      branches.add(branch);
      last = made;
      return made;
    }
    async function tag(label: string, message?: string): Promise<void> {
      await importInto(
        place,
        message === undefined
          ? `reset refs/tags/${label}\nfrom ${last}\n`
          : `tag ${label}\nfrom ${last}\n${signature('tagger')}${data(message)}`,
      );
    }
    return { url, folder: place, first: await commit(files), commit, tag };
  }

  return {
    server,
    readToken,
    otherReadToken,
    writeToken,
    trustedUrl: `${server.url}/trusted/`,
    repository,
    stop: () => server.stop(),
  };
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function signature(role: string): string {
  return `${role} a <a@example.com> now\n`;
}

/** Runs `git fast-import`; answers with what it prints. */
function importInto(place: string, stream: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet', '--date-format=now'],
      { cwd: place, timeout: 20_000, env: { PATH: process.env['PATH'], HOME: place, GIT_CONFIG_NOSYSTEM: '1' } },
      (error, stdout) => (error === null ? resolve(stdout.trim()) : reject(error)),
    );
    child.stdin?.end(stream);
  });
}
