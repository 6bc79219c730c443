import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../../../shared/adapters/telemetry/logger.ts';
import { type GitToken, openGitAccess } from './git-access.ts';
import { openGitCommand } from './git-command.ts';
import { openGitRepositories } from './git-repositories.ts';
import { type GitRequest, readGitRequest } from './git-request.ts';
import { readRepositoryName } from './repository-name.ts';
import { answer, type PackLimits, type Served, servePack } from './serve-pack.ts';
import { openTurns } from './turns.ts';

export interface EmbeddedGitSettings {
  readonly folder: string;
  /** Any free one unless said. */
  readonly port?: number | undefined;
  readonly tokens: readonly GitToken[];
  readonly log: Logger;
  /** Where git is looked for, as in PATH. */
  readonly searchPath?: string | undefined;
  readonly limits?: (Partial<PackLimits> & { readonly children?: number; readonly waiting?: number }) | undefined;
}

export interface EmbeddedGit {
  /** http://127.0.0.1:port; a repository is at `<url>/<owner>/<name>.git`. */
  readonly url: string;
  /** Makes `owner/name` with the default branch `main`, unless it is there. Resolves with its address. */
  createRepository(name: string): Promise<string>;
  stop(): Promise<void>;
}

const usualLimits: PackLimits = { pushBytes: 256 * 1024 * 1024, fetchBytes: 16 * 1024 * 1024, timeoutMs: 300_000 };

/**
 * Serves bare repositories over smart HTTP on loopback. A development stand-in: see README.md beside this file.
 * Each request is answered by git itself (`upload-pack`, `receive-pack`), started without a shell and without CGI.
 */
export async function startEmbeddedGit(settings: EmbeddedGitSettings): Promise<EmbeddedGit> {
  const { log } = settings;
  const { children = 8, waiting = 64, ...given } = settings.limits ?? {};
  const limits = { ...usualLimits, ...given };
  const git = await openGitCommand(settings.searchPath, limits.pushBytes);
  const repositories = await openGitRepositories(settings.folder, git);
  const accessOf = openGitAccess(settings.tokens);
  const turns = openTurns(children, waiting);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<Served> {
    const access = accessOf(request.headers.authorization);
    // Before anything else is looked at: what is here and what is not is no business of a stranger.
    if (access === undefined) {
      response.setHeader('www-authenticate', 'Basic realm="stagecoach", charset="UTF-8"');
      return answer(response, 401, 'Sign in with any user name and a token of this server as the password.');
    }
    const asked = readGitRequest(request.method ?? '', request.url ?? '');
    if ('status' in asked) return answer(response, asked.status, asked.reason);
    if (changes(asked) && access !== 'write') return answer(response, 403, 'This token may read, not write.');
    if (asked.ask === 'create') {
      const fresh = await repositories.create(asked.repository);
      response.writeHead(fresh ? 201 : 204, { 'content-length': '0' }).end();
      return { status: response.statusCode };
    }
    const place = await repositories.find(asked.repository);
    if (place === undefined) return answer(response, 404, 'There is no such repository.');

    const gone = new AbortController();
    const leave = () => gone.abort();
    response.once('close', leave);
    const done = await turns.take(AbortSignal.any([gone.signal, stopping.signal]));
    response.off('close', leave);
    if (done === undefined) {
      response.setHeader('retry-after', '1');
      return answer(response, 503, 'Too many requests at once: try again in a moment.');
    }
    try {
      return await servePack(git, { ...asked, place }, limits, request, response);
    } finally {
      done();
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => {});
    response.on('error', () => {});
    try {
      const { status, error } = await handle(request, response);
      if (status >= 500) log.warn('embedded git request failed', { part: 'git', status, error });
      else log.debug('embedded git request', { part: 'git', status, error });
    } catch (error) {
      log.error('embedded git request broke', { part: 'git', error: String(error) });
      answer(response, 500, 'The git server failed; its log says why.');
    }
  }

  const server = createServer((request, response) => {
    const one = serve(request, response);
    running.add(one);
    void one.finally(() => running.delete(one));
  });
  server.requestTimeout = limits.timeoutMs;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port ?? 0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    async createRepository(name) {
      const repository = readRepositoryName(name);
      if (repository === undefined)
        throw new Error(`"${name}" cannot be a repository here: name it <owner>/<name>, in letters, digits, - _ and .`);
      await repositories.create(repository);
      return `${url}/${name}.git`;
    },
    async stop() {
      stopping.abort();
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      // Closing the connections ends the requests, and with them their git.
      server.closeAllConnections();
      await Promise.all([closed, ...running]);
    },
  };
}

function changes(asked: GitRequest): boolean {
  return asked.ask === 'create' || asked.service === 'git-receive-pack';
}
