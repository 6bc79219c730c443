import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { startEmbeddedGit } from '../../../infra/embedded/git/start-embedded-git.ts';
import { type GitOpsSettings, openGitOpsRepositories } from '../../../shared/adapters/git/open-gitops-repositories.ts';
import type { GitOpsRepositories, Plan, RepositoryPlace, Written } from '../../../shared/ports/gitops-repositories.ts';
import { freshName } from '../../support/api-world.ts';
import { startInterferingProxy } from '../../support/interfering-proxy.ts';

/** Has what hosts put into theirs, and what a regular expression for credentials may stumble over. */
export const writeToken = 'glpat-Write_0-token';
export const readToken = 'glpat-Read_0-token';
export const writer = { username: '', password: writeToken, sshPrivateKey: '' };
const silent = { error() {}, warn() {}, info() {}, debug() {} };

/** Path to what another person writes there; null takes it away. */
export type Files = Readonly<
  Record<string, string | null | { readonly mode: '100755' | '120000'; readonly text: string }>
>;

/** Answers in the place of the host where it returns true; otherwise the request goes on to it. */
export type Play = (asked: string, response: ServerResponse, request: IncomingMessage) => boolean | Promise<boolean>;
/** Sees an answer of the host before the client does; where it returns true the client never gets it. */
export type Intercept = (asked: string, response: ServerResponse) => boolean | Promise<boolean>;

export interface StageRepository {
  /** On the way that is watched. */
  readonly place: RepositoryPlace;
  readonly url: string;
  /** Where the host has it. */
  readonly folder: string;
  /** Somebody else pushes; answers with the commit. */
  commit(files: Files, branch?: string): Promise<string>;
  git(...args: string[]): Promise<string>;
  /** What stands in a file of main. */
  show(path: string): Promise<string>;
  /** The commits of main, newest first. */
  commits(): Promise<readonly string[]>;
}

export interface GitStage {
  /** What clients asked the host for since it was emptied, as `GET info/refs?service=git-receive-pack`. */
  readonly asked: string[];
  readonly authorizations: (string | undefined)[];
  play: Play | undefined;
  intercept: Intercept | undefined;
  repository(files?: Files): Promise<StageRepository>;
  folder(): string;
  /** A stand-in for the ssh program: notes what it is given, one call after the other, and then does what it is told. */
  overSsh(
    repository: StageRepository,
    then: string,
  ): { readonly program: string; readonly notes: string; readonly place: RepositoryPlace };
  /** With clones in a folder of its own, unless said. */
  open(settings?: Partial<GitOpsSettings>): GitOpsRepositories & { close(): void };
  end(): Promise<void>;
}

/** Real git behind real smart HTTP, and a proxy before it that counts and interferes. */
export async function openGitStage(): Promise<GitStage> {
  const home = mkdtempSync(join(tmpdir(), 'stagecoach-git-'));
  const served = join(home, 'served');
  const tokens = [
    { token: writeToken, access: 'write' as const },
    { token: readToken, access: 'read' as const },
  ];
  const host = await startEmbeddedGit({ folder: served, tokens, log: silent, limits: { children: 16, waiting: 256 } });
  const stage = { play: undefined as Play | undefined, intercept: undefined as Intercept | undefined };
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  let folders = 0;

  const ask = ({ method, url: path }: IncomingMessage) => `${method} ${path?.replace(/^\/[^/]+\/[^/]+\.git\//, '')}`;
  const proxy = await startInterferingProxy(host.url, {
    before(request, response) {
      asked.push(ask(request));
      authorizations.push(request.headers.authorization);
      return stage.play?.(ask(request), response, request) ?? false;
    },
    after: (request, response) => stage.intercept?.(ask(request), response) ?? false,
  });
  const { url } = proxy;

  function folder(): string {
    folders += 1;
    return join(home, `clones-${folders}`);
  }

  return Object.assign(stage, {
    asked,
    authorizations,
    folder,
    async repository(files?: Files) {
      const name = `team/${freshName('repo')}`;
      await host.createRepository(name);
      const place = join(served, `${name}.git`);
      const git = (...args: string[]) => gitIn(place, args);
      const repository: StageRepository = {
        place: { tenant: 'team', url: `${url}/${name}.git`, branch: 'main' },
        url: `${url}/${name}.git`,
        folder: place,
        git,
        show: (path) => git('show', `main:${path}`),
        commits: async () => (await git('log', '--format=%H', 'main')).split('\n').filter((line) => line !== ''),
        commit: (changed, branch = 'main') => commitIn(place, changed, branch),
      };
      if (files !== undefined) await repository.commit(files);
      return repository;
    },
    overSsh({ place, folder: there }: StageRepository, then: string) {
      const around = folder();
      mkdirSync(around, { recursive: true });
      const [program, notes] = [join(around, 'ssh'), join(around, 'notes')];
      const lines = [
        '#!/bin/sh',
        'for last; do printf "%s\\n" "$last" >> NOTES; done',
        'key=$(printf "%s\\n" "$@" | sed -n "s/^IdentityFile=//p")',
        'echo "$(stat -c %a "$key") $(tr "\\n" " " < "$key")" >> NOTES; echo -- >> NOTES',
        then,
      ];
      writeFileSync(program, lines.join('\n').replaceAll('NOTES', notes), { mode: 0o755 });
      return { program, notes, place: { ...place, url: `ssh://git@example.com${there}` } };
    },
    open: (settings: Partial<GitOpsSettings> = {}) =>
      openGitOpsRepositories({ ...usual, folder: folder(), ...settings }),
    async end() {
      proxy.close();
      await host.stop();
      rmSync(home, { recursive: true, force: true });
    },
  });
}

export const usual = {
  maxMegabytes: 200,
  maxRepositoryMegabytes: 100,
  timeoutMs: 20_000,
  searchPath: process.env['PATH'],
  now: () => 1_700_000_000_000,
  random: Math.random,
};

export function write(
  repositories: GitOpsRepositories,
  place: RepositoryPlace,
  files: Readonly<Record<string, string | undefined>> | Plan,
  { credential = writer, signal = AbortSignal.timeout(25_000), message = 'A change' } = {},
): Promise<Written> {
  const plan: Plan =
    typeof files === 'function' ? files : async () => ({ files: new Map(Object.entries(files)), message });
  return repositories.write(place, credential, plan, signal);
}

/** What a promise was rejected with. */
export async function failure(promise: Promise<unknown>): Promise<Error & { readonly reason?: string }> {
  return promise.then(
    () => {
      throw new Error('It went well');
    },
    (error) => error,
  );
}

/** The processes that work in a folder: its name is in their environment. */
export function processesOf(folder: string): readonly { readonly pid: number; readonly words: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      if (!readFileSync(`/proc/${name}/environ`, 'utf8').includes(`GIT_DIR=${folder}`)) return [];
      return [{ pid: Number(name), words: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
    } catch {
      return [];
    }
  });
}

/** The clones in a folder, of all processes. */
export function clonesIn(folder: string): readonly string[] {
  const processes = existsSync(folder) ? readdirSync(folder).filter((name) => !name.includes('.')) : [];
  return processes.flatMap((name) => readdirSync(join(folder, name)).map((clone) => join(folder, name, clone)));
}

const environment = { PATH: process.env['PATH'], HOME: '/dev/null', LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1' };

async function gitIn(folder: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['--git-dir', folder, ...args], { env: environment });
  return stdout.replace(/\n$/, '');
}

function commitIn(place: string, files: Files, branch: string): Promise<string> {
  const lines = Object.entries(files).map(([path, content]) => {
    if (content === null) return `D ${path}\n`;
    const { mode, text } = typeof content === 'string' ? { mode: '100644', text: content } : content;
    return `M ${mode} inline ${path}\n${data(text)}`;
  });
  const from = existsSync(join(place, 'refs/heads', branch)) ? `from refs/heads/${branch}^0\n` : '';
  const stream =
    `commit refs/heads/${branch}\nmark :1\ncommitter somebody <somebody@example.com> now\n${data('theirs')}` +
    `${from}${lines.join('')}get-mark :1\n`;
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      ['--git-dir', place, 'fast-import', '--quiet', '--date-format=now'],
      { env: environment, timeout: 20_000, maxBuffer: 1 << 26 },
      (error, stdout) => (error === null ? resolve(stdout.trim()) : reject(error)),
    );
    child.stdin?.end(stream);
  });
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

/** A line as git sends it: its length in front of it. */
export function packet(text: string): string {
  return `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`;
}
