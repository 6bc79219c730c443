import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type EmbeddedGit,
  type EmbeddedGitSettings,
  startEmbeddedGit,
} from '../../../infra/embedded/git/start-embedded-git.ts';

export const writer = 'write-token-1';
export const reader = 'read-token-1';
const silent = { error() {}, warn() {}, info() {}, debug() {} };

export interface GitWorld {
  readonly server: EmbeddedGit;
  /** Where the server keeps its repositories. */
  readonly folder: string;
  /** A folder outside of it. */
  readonly elsewhere: string;
  git(args: readonly string[], cwd?: string): Promise<string>;
  /** The address of a repository with a token in it. */
  as(token: string, repository: string): string;
  /** A clone with one commit that is already pushed to main. */
  pushed(repository: string): Promise<string>;
  end(): Promise<void>;
}

export async function openGitWorld(settings: Partial<EmbeddedGitSettings> = {}): Promise<GitWorld> {
  const home = await mkdtemp(join(tmpdir(), 'embedded-git-'));
  const folder = join(home, 'served');
  const server = await startEmbeddedGit({
    folder,
    tokens: [
      { token: writer, access: 'write' },
      { token: reader, access: 'read' },
    ],
    log: silent,
    ...settings,
  });
  let clones = 0;
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  async function git(args: readonly string[], cwd = home): Promise<string> {
    const { stdout } = await promisify(execFile)('git', [...args], { cwd, env, timeout: 20_000 });
    return stdout.trim();
  }
  const as = (token: string, repository: string) =>
    `${server.url.replace('http://', `http://anybody:${token}@`)}/${repository}.git`;
  return {
    server,
    folder,
    elsewhere: home,
    git,
    as,
    async pushed(repository) {
      await server.createRepository(repository);
      clones += 1;
      const clone = join(home, `clone-${clones}`);
      await git(['clone', '--quiet', as(writer, repository), clone]);
      await writeFile(join(clone, 'file.txt'), 'first\n');
      await git(['add', '.'], clone);
      await git(['commit', '--quiet', '-m', 'first'], clone);
      await git(['push', '--quiet', 'origin', 'HEAD:main'], clone);
      return clone;
    },
    async end() {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export interface Asked {
  readonly method?: string;
  /** Sent as it stands, so that nothing tidies up an address on its way. */
  readonly path: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

export function ask(
  server: EmbeddedGit,
  asked: Asked,
): Promise<{ status: number; headers: Readonly<Record<string, unknown>>; body: string }> {
  const { port } = new URL(server.url);
  const authorization: Record<string, string> =
    asked.token === undefined ? {} : { authorization: `Basic ${Buffer.from(`x:${asked.token}`).toString('base64')}` };
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path: asked.path,
        method: asked.method ?? 'GET',
        headers: { ...authorization, ...asked.headers },
        timeout: 20_000,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(asked.body);
  });
}
