import { spawn } from 'node:child_process';
import type { GitCredential, RepositoryVerdict } from '../../domain/gitops/repo-credential.ts';
import type { RepositoryAddress } from '../../domain/gitops/repository-url.ts';
import { isAboutFolder, type LentKey, lendKey, quote, sshOptions, sshTrouble, usualUser } from './call-ssh.ts';
import { outside, troubles } from './outside-trouble.ts';
import { mostBytes, notFound, notGit, readAdvertisement, saysNotFound } from './read-advertisement.ts';
import { signalGroup } from './signal-group.ts';

const searchPath = '/usr/local/bin:/usr/bin:/bin';

interface SshSettings {
  /** Another program than the `ssh` of the machine. */
  readonly program: string;
  readonly timeoutMs: number;
  readonly knownHostsFile: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Asks a host for the branches of a repository with the key alone: no agent, no configuration, no password, no question.
 * The key lies in a folder of its own that nobody else may read, and goes with it.
 *
 * Unless the operator knows the hosts, the key of one is taken as it comes. It is no credential that is given away here, as a key proves itself without
 * being shown; whom Argo CD trusts when it fetches is for Argo CD's own list of known hosts.
 */
export async function askOverSsh(
  address: RepositoryAddress,
  { sshPrivateKey }: GitCredential,
  settings: SshSettings,
): Promise<RepositoryVerdict> {
  // A password opens nothing over ssh.
  if (sshPrivateKey.trim() === '') return { kind: 'denied' };
  try {
    return await lendKey(sshPrivateKey, (key) => run(argumentsFor(address, key, settings), key.folder, settings));
  } catch (error) {
    if (!isAboutFolder(error)) throw error;
    return outside(troubles.noFolder);
  }
}

function argumentsFor(
  { user, host, port, path }: RepositoryAddress,
  key: LentKey,
  { timeoutMs, knownHostsFile }: SshSettings,
): string[] {
  return [
    ...sshOptions({ key, timeoutMs, knownHostsFile }),
    ...(port === '' ? [] : ['-p', port]),
    ...['-l', user || usualUser, '--', host, `git-upload-pack ${quote(fromHome(path))}`],
  ];
}

/** `ssh://host/~somebody/repository` begins at somebody's home. */
function fromHome(path: string): string {
  return path.startsWith('/~') ? path.slice(1) : path;
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
      signalGroup(child.pid, 'SIGKILL');
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

/** What is not about the way to the host is the credential's fault, as in the original. */
function judge(out: string, problems: string): RepositoryVerdict {
  const said = readAdvertisement(out);
  if (said !== notGit) return said;
  const known = sshTrouble(problems);
  if (known !== undefined) return outside(troubles[known]);
  return saysNotFound(problems) ? notFound : { kind: 'denied' };
}
