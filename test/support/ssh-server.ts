import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { findProgram } from '../../infra/find-program.ts';
import { freePort } from '../../infra/free-port.ts';

const searchPath = `${process.env['PATH']}:/usr/sbin:/usr/local/sbin`;
/** Programs that npm does not bring. */
const missing = ['sshd', 'ssh', 'ssh-keygen', 'git'].filter((name) => findProgram(name, searchPath) === undefined);
/** Why there can be no ssh server. Undefined: there can be. */
export const missingForSsh = missing.length === 0 ? undefined : `${missing.join(', ')} not installed`;

export interface SshServer {
  /** Of a folder on this machine, as whoever runs this. */
  urlOf(folder: string): string;
  /** That the server lets in, and one that it does not. */
  readonly key: string;
  readonly strangersKey: string;
  /** From now on it lets the stranger in, and nobody else. */
  changeKeys(): void;
  /** A file that says which key the server has, and one that says that it has another. */
  readonly knownHosts: string;
  readonly wrongHosts: string;
  stop(): Promise<void>;
}

/** A real sshd on loopback, for whoever runs this: it lets one key in and nothing else. */
export async function startSshServer(): Promise<SshServer> {
  const folder = mkdtempSync(join(tmpdir(), 'stagecoach-sshd-'));
  const port = await freePort();
  for (const name of ['host', 'user', 'stranger'])
    execFileSync(programOf('ssh-keygen'), ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(folder, name)]);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const hosts = (name: string) => {
    const file = join(folder, `known-${name}`);
    writeFileSync(file, `[127.0.0.1]:${port} ${read(`${name}.pub`)}`);
    return file;
  };
  const letIn = (name: string) => writeFileSync(join(folder, 'authorized'), read(`${name}.pub`));
  letIn('user');
  const settings = {
    ListenAddress: `127.0.0.1:${port}`,
    HostKey: join(folder, 'host'),
    AuthorizedKeysFile: join(folder, 'authorized'),
    PidFile: 'none',
    PasswordAuthentication: 'no',
    KbdInteractiveAuthentication: 'no',
    PermitRootLogin: 'prohibit-password',
    UsePAM: 'no',
    // Temporary folders are anybody's.
    StrictModes: 'no',
  };
  const file = join(folder, 'sshd_config');
  writeFileSync(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
  );
  // Root's sshd wants an empty folder to lock its helper into; the service of the distribution makes it when it starts.
  const isMade = process.getuid?.() === 0 && !existsSync('/run/sshd');
  if (isMade) mkdirSync('/run/sshd', { mode: 0o755 });
  const server = spawn(programOf('sshd'), ['-D', '-e', '-f', file], { stdio: 'ignore' });
  await untilItListens(server, port);
  return {
    urlOf: (place) => `ssh://${userInfo().username}@127.0.0.1:${port}${place}`,
    key: read('user'),
    strangersKey: read('stranger'),
    changeKeys: () => letIn('stranger'),
    knownHosts: hosts('host'),
    wrongHosts: hosts('stranger'),
    async stop() {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
      if (isMade) rmSync('/run/sshd', { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function programOf(name: string): string {
  return findProgram(name, searchPath) ?? name;
}

async function untilItListens(server: ChildProcess, port: number): Promise<void> {
  for (let looks = 0; looks < 200; looks += 1) {
    if (server.exitCode !== null) throw new Error(`sshd ended with ${server.exitCode}`);
    const socket = createConnection(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    await pause(50);
  }
  throw new Error('sshd does not listen');
}
