import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Home } from './choose-home.ts';
import type { PlacedBinaries } from './place-binaries.ts';

export type Cluster = {
  readonly data: string;
  readonly user: string;
  readonly password: string;
};

const user = 'stagecoach';

/**
 * Opens the database cluster of this home, and makes it the first time.
 *
 * Data and password are made in a folder beside the final one and moved there together. A start that is killed half
 * way leaves nothing that looks finished, and of two first starts one wins and the other uses what it finds.
 */
export async function initialiseCluster(home: Home, binaries: PlacedBinaries): Promise<Cluster> {
  const folder = join(home.folder, 'cluster');
  if (!existsSync(folder)) await makeCluster(folder, home, binaries);

  const data = join(folder, 'data');
  let password: string;
  try {
    password = readFileSync(join(folder, 'password'), 'utf8');
    readdirSync(data);
  } catch (cause) {
    throw new Error(
      `the embedded database in ${folder} cannot be read: start as the user who made it, or remove the folder (its data is lost)`,
      { cause },
    );
  }
  return { data, user, password };
}

async function makeCluster(folder: string, home: Home, binaries: PlacedBinaries): Promise<void> {
  removeUnfinished(home.folder);
  const stage = join(home.folder, `unfinished-${process.pid}-${randomBytes(4).toString('hex')}`);
  const [data, secret] = [join(stage, 'data'), join(stage, 'password')];
  try {
    mkdirSync(stage);
    // The server's account passes through to its data, whatever our umask is.
    chmodSync(stage, 0o711);
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(secret, randomBytes(24).toString('hex'), { mode: 0o600 });
    // initdb runs as the server's account and has to read the password once.
    for (const path of [data, secret])
      if (home.account !== undefined) chownSync(path, home.account.uid, home.account.gid);

    await runInitdb(data, secret, home, binaries);
    if (home.account !== undefined) chownSync(secret, 0, 0);
    renameSync(stage, folder);
  } catch (error) {
    rmSync(stage, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

async function runInitdb(data: string, secret: string, home: Home, binaries: PlacedBinaries): Promise<void> {
  const args = [
    `--pgdata=${data}`,
    `--username=${user}`,
    `--pwfile=${secret}`,
    // Everybody on a shared machine can connect to loopback, so even there a password is asked for.
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // Half a second faster. Only a crash of the machine itself in the first half minute could cost this empty database.
    '--no-sync',
  ];
  try {
    await promisify(execFile)(join(binaries.bin, 'initdb'), args, {
      cwd: '/',
      env: binaries.environment,
      timeout: 60_000,
      ...home.account,
    });
  } catch (cause) {
    const said = (cause as { stderr?: string }).stderr?.trim() ?? '';
    throw new Error(`initdb could not make an embedded database in ${data}: ${said || String(cause)}`, { cause });
  }
}

/** What a killed start left behind; its maker's process id is in the name. */
function removeUnfinished(home: string): void {
  for (const name of readdirSync(home)) {
    const pid = /^unfinished-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(home, name), { recursive: true, force: true });
  }
}
