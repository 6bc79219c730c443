import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitCredential, RepositoryVerdict } from '../../domain/gitops/repo-credential.ts';
import type { RepositoryAddress } from '../../domain/gitops/repository-url.ts';
import { outside, troubles } from './outside-trouble.ts';
import { mostBytes, notFound, notGit, readAdvertisement, saysNotFound } from './read-advertisement.ts';

const searchPath = '/usr/local/bin:/usr/bin:/bin';
/** Who is asked for where the address names nobody. */
const usualUser = 'git';

interface SshSettings {
  /** Another program than the `ssh` of the machine. */
  readonly program: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks a host for the branches of a repository with the key alone: no agent, no configuration, no password, no question.
 * The key lies in a folder of its own that nobody else may read, and goes with it.
 *
 * The key of the host is taken as it comes. It is no credential that is given away here, as a key proves itself without
 * being shown; whom Argo CD trusts when it fetches is for Argo CD's own list of known hosts.
 */
export async function askOverSsh(
  address: RepositoryAddress,
  { sshPrivateKey }: GitCredential,
  settings: SshSettings,
): Promise<RepositoryVerdict> {
  // A password opens nothing over ssh.
  if (sshPrivateKey.trim() === '') return { kind: 'denied' };
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), 'stagecoach-ssh-'));
    const key = join(folder, 'key');
    // OpenSSH does not read a key whose last line has no end, or whose lines end as on Windows.
    await writeFile(key, `${sshPrivateKey.replaceAll('\r\n', '\n').trimEnd()}\n`, { mode: 0o600, flag: 'wx' });
    return await run(argumentsFor(address, key, folder, settings.timeoutMs), folder, settings);
  } catch (error) {
    if (!isAboutFolder(error)) throw error;
    return outside(troubles.noFolder);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

function argumentsFor(
  { user, host, port, path }: RepositoryAddress,
  key: string,
  folder: string,
  timeoutMs: number,
): string[] {
  const options = {
    BatchMode: 'yes',
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    IdentityFile: key,
    PreferredAuthentications: 'publickey',
    StrictHostKeyChecking: 'accept-new',
    UserKnownHostsFile: join(folder, 'known_hosts'),
    GlobalKnownHostsFile: '/dev/null',
    UpdateHostKeys: 'no',
    ConnectTimeout: String(Math.max(1, Math.ceil(timeoutMs / 1_000))),
    LogLevel: 'ERROR',
  };
  return [
    ...['-F', '/dev/null', '-T', '-a', '-x'],
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ...(port === '' ? [] : ['-p', port]),
    ...['-l', user === '' ? usualUser : user, '--', host, `git-upload-pack ${quote(fromHome(path))}`],
  ];
}

/** `ssh://host/~somebody/repository` begins at somebody's home. */
function fromHome(path: string): string {
  return path.startsWith('/~') ? path.slice(1) : path;
}

/** For the shell of the other side; nothing here goes through a shell of ours. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function run(args: readonly string[], folder: string, { program, timeoutMs, signal }: SshSettings) {
  return new Promise<RepositoryVerdict>((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(program, args, {
      cwd: folder,
      env: { PATH: searchPath, HOME: folder, LC_ALL: 'C' },
      detached: true,
      stdio: 'pipe',
    });
    let out = '';
    let problems = '';
    let decided: (() => void) | undefined;
    function end(how: () => void): void {
      if (decided !== undefined) return;
      decided = how;
      endGroup(child.pid);
    }
    const stop = () => end(() => reject(signal.reason));
    const timer = setTimeout(() => end(() => resolve(outside(troubles.silent))), timeoutMs);
    signal.addEventListener('abort', stop, { once: true });

    child.stdin.on('error', () => {});
    child.stdout.on('data', (chunk: Buffer) => {
      if (out.length < mostBytes) out += chunk.toString('latin1');
      if (hasWholeLine(out)) end(() => resolve(judge(out, problems)));
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (problems.length < mostBytes) problems += chunk.toString('utf8');
    });
    function finish(how: () => void): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      how();
    }
    child.once('error', (error: NodeJS.ErrnoException) =>
      finish(() => (error.code === 'ENOENT' ? resolve(outside(troubles.noSsh)) : reject(error))),
    );
    child.once('close', () => finish(decided ?? (() => resolve(judge(out, problems)))));
  });
}

/** One line is enough. Four hexadecimal digits say how long it is, themselves included. */
function hasWholeLine(out: string): boolean {
  return (
    /^[\da-f]{4}/.test(out) && out.length >= Math.min(mostBytes, Math.max(4, Number.parseInt(out.slice(0, 4), 16)))
  );
}

/** What OpenSSH says, and what it means. What is not on the list is the credential's fault, as in the original. */
const meanings: readonly (readonly [RegExp, keyof typeof troubles])[] = [
  [/could not resolve hostname/i, 'unknownName'],
  [/connect to host .*connection refused/i, 'refused'],
  [/no route to host|network is unreachable/i, 'unreachable'],
  [/connect to host .*timed out|connection timed out/i, 'silent'],
  [/kex_exchange_identification|connection (?:closed|reset) by|broken pipe/i, 'broken'],
  [/no user exists for uid/i, 'noAccount'],
];

function judge(out: string, problems: string): RepositoryVerdict {
  const said = readAdvertisement(out);
  if (said !== notGit) return said;
  const known = meanings.find(([words]) => words.test(problems));
  if (known !== undefined) return outside(troubles[known[1]]);
  return saysNotFound(problems) ? notFound : { kind: 'denied' };
}

function isAboutFolder(error: unknown): boolean {
  return ['EACCES', 'EROFS', 'ENOSPC', 'ENOENT', 'EPERM'].includes(String((error as { code?: unknown }).code));
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
