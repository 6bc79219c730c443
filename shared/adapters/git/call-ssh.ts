import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { troubles } from './outside-trouble.ts';

/** Who is asked for where the address names nobody. */
export const usualUser = 'git';

/** A key as ssh wants it: in a file, alone in a folder. */
export interface LentKey {
  readonly folder: string;
  readonly file: string;
}

interface SshCall {
  readonly key: LentKey;
  readonly timeoutMs: number;
  /** A file of hosts to believe, and no others. Without it the key of a host is taken as it comes. */
  readonly knownHostsFile?: string | undefined;
}

/** Lends a key out as a file that nobody else may read, for as long as it is used. */
export async function lendKey<T>(sshPrivateKey: string, use: (key: LentKey) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'stagecoach-ssh-'));
  try {
    const file = join(folder, 'key');
    // OpenSSH does not read a key whose last line has no end, or whose lines end as on Windows.
    await writeFile(file, `${sshPrivateKey.replaceAll('\r\n', '\n').trimEnd()}\n`, { mode: 0o600, flag: 'wx' });
    return await use({ folder, file });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How ssh is called, whoever calls it: with the key alone; no agent, no configuration, no password, no question. */
export function sshOptions({ key, timeoutMs, knownHostsFile }: SshCall): string[] {
  const options = {
    BatchMode: 'yes',
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    IdentityFile: key.file,
    PreferredAuthentications: 'publickey',
    StrictHostKeyChecking: knownHostsFile === undefined ? 'accept-new' : 'yes',
    UserKnownHostsFile: knownHostsFile ?? join(key.folder, 'known_hosts'),
    GlobalKnownHostsFile: '/dev/null',
    UpdateHostKeys: 'no',
    ConnectTimeout: String(Math.max(1, Math.ceil(timeoutMs / 1_000))),
    LogLevel: 'ERROR',
  };
  return [
    ...['-F', '/dev/null', '-T', '-a', '-x'],
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
  ];
}

/** As one word for a shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** There is no room for a key on this machine. */
export function isAboutFolder(error: unknown): boolean {
  return ['EACCES', 'EROFS', 'ENOSPC', 'ENOENT', 'ENOTDIR', 'EPERM'].includes(
    String((error as { code?: unknown }).code),
  );
}

const meanings: readonly (readonly [RegExp, keyof typeof troubles])[] = [
  [/could not resolve hostname/i, 'unknownName'],
  [/connect to host .*connection refused/i, 'refused'],
  [/no route to host|network is unreachable/i, 'unreachable'],
  [/connect to host .*timed out|connection timed out/i, 'silent'],
  [/kex_exchange_identification|connection (?:closed|reset) by|broken pipe/i, 'broken'],
  [/no user exists for uid/i, 'noAccount'],
  [/host key verification failed/i, 'unproven'],
];

/** What OpenSSH says, and what it means; undefined for what is not about the way to the host. */
export function sshTrouble(problems: string): keyof typeof troubles | undefined {
  return meanings.find(([words]) => words.test(problems))?.[1];
}
