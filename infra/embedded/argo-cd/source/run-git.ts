import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CommandResult, runCommand } from '../run-command.ts';
import type { RepositoryCredentials } from './repository-credentials.ts';

export interface GitSettings {
  readonly program: string;
  /** A folder of ours for what must not be an argument: keys and known hosts. */
  readonly folder: string;
  readonly searchPath: string;
  readonly signal: AbortSignal;
}

export interface GitRun {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Given for the commands that reach the network. */
  readonly credentials?: RepositoryCredentials | undefined;
  readonly knownHosts?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

const timeoutMs = 120_000;
const maxOutputBytes = 32 * 1024 * 1024;

const always = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['credential.helper', ''],
  // A credential is for the host it was given for, and for no other that this one names.
  ['http.followRedirects', 'false'],
  ['protocol.ext.allow', 'never'],
  ['protocol.file.allow', 'never'],
] as const;

/** Runs git with an environment of its own. A credential travels in that environment or in a private file, never as an argument. */
export async function runGit(settings: GitSettings, run: GitRun): Promise<CommandResult> {
  const { program, folder, searchPath, signal } = settings;
  const { credentials } = run;
  const files: string[] = [];
  async function keep(name: string, text: string): Promise<string> {
    const file = join(folder, `${name}-${randomUUID()}`);
    files.push(file);
    await writeFile(file, text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600, flag: 'wx' });
    return file;
  }
  try {
    const ssh = [
      'ssh',
      '-F',
      '/dev/null',
      '-o',
      'BatchMode=yes',
      '-o',
      'IdentitiesOnly=yes',
      '-o',
      'ConnectTimeout=15',
    ];
    if (credentials?.sshPrivateKey !== undefined) ssh.push('-i', await keep('key', credentials.sshPrivateKey));
    const hosts = await keep('hosts', run.knownHosts ?? '');
    ssh.push(
      '-o',
      `StrictHostKeyChecking=${credentials?.insecure ? 'no' : 'yes'}`,
      '-o',
      `UserKnownHostsFile=${hosts}`,
    );

    const options: (readonly [string, string])[] = [...always];
    const header = authorization(credentials);
    if (header !== undefined) options.push(['http.extraHeader', `Authorization: ${header}`]);
    if (credentials?.insecure) options.push(['http.sslVerify', 'false']);

    return await runCommand(program, {
      args: run.args,
      cwd: run.cwd,
      timeoutMs,
      maxOutputBytes,
      signal,
      env: {
        PATH: `${dirname(program)}:${searchPath}`,
        HOME: '/dev/null',
        LC_ALL: 'C',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_ATTR_NOSYSTEM: '1',
        GIT_TERMINAL_PROMPT: '0',
        GIT_ASKPASS: '/bin/false',
        SSH_ASKPASS: '/bin/false',
        GIT_ALLOW_PROTOCOL: 'http:https:ssh:git',
        GIT_PROTOCOL_FROM_USER: '0',
        // A peer that falls silent would hold a worker for the whole time-out.
        GIT_HTTP_LOW_SPEED_LIMIT: '1',
        GIT_HTTP_LOW_SPEED_TIME: '30',
        GIT_SSH_COMMAND: ssh.map(quote).join(' '),
        ...run.env,
        ...configuration(options),
      },
    });
  } finally {
    await Promise.all(files.map((file) => rm(file, { force: true })));
  }
}

function authorization(credentials: RepositoryCredentials | undefined): string | undefined {
  if (credentials === undefined) return undefined;
  const { username, password, bearerToken } = credentials;
  if (bearerToken !== undefined) return `Bearer ${oneLine(bearerToken)}`;
  if (username === undefined && password === undefined) return undefined;
  return `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}`;
}

function configuration(options: readonly (readonly [string, string])[]): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(options.length) };
  for (const [index, [name, value]] of options.entries()) {
    variables[`GIT_CONFIG_KEY_${index}`] = name;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return variables;
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, '');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
