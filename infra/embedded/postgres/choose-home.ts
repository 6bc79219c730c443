import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The user that the server runs as. */
export type Account = { readonly uid: number; readonly gid: number };

export type Home = {
  /** Where the cluster, the library links and the log are kept. */
  readonly folder: string;
  /** Set where we are root: PostgreSQL refuses to run as uid 0. */
  readonly account: Account | undefined;
};

/**
 * Decides where the data lives and who owns it.
 *
 * A normal user owns everything in the folder asked for. Root hands the data to `nobody`, who must then be able to
 * reach it: below a mode-700 directory such as /root that is impossible, and the data goes to a shelter instead,
 * named after the folder so that the next start finds it again.
 */
export function chooseHome(asked: string, shelter: string): Home {
  makeFolder(asked);
  if (process.getuid?.() !== 0) return { folder: asked, account: undefined };

  const here = realpathSync(asked);
  const account = ownerOf(join(here, 'cluster', 'data')) ?? nobody();
  if (isReachable(here, account)) return { folder: here, account };

  const name = createHash('sha256').update(here).digest('hex').slice(0, 16);
  const sheltered = join(shelter, name);
  makeFolder(sheltered);
  const stat = lstatSync(sheltered);
  // Someone else's folder under a guessable name could make us write where they like.
  if (!stat.isDirectory() || stat.uid !== 0) {
    throw new Error(`${sheltered} is not a folder that belongs to root: remove it, then start again`);
  }
  const owner = ownerOf(join(sheltered, 'cluster', 'data')) ?? nobody();
  if (!isReachable(sheltered, owner)) {
    throw new Error(
      `uid ${owner.uid} cannot reach ${sheltered}: make its parents searchable (chmod o+x), or set DATABASE_URL`,
    );
  }
  return { folder: sheltered, account: owner };
}

/** Whether the account may enter the folder, judged from the mode bits of it and of every parent. */
export function isReachable(folder: string, account: Account): boolean {
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    const { uid, gid, mode } = statSync(path);
    const search = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & search) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  // A strict umask would hide what we just made from the server's account. Others may pass through, not look around.
  for (let path = folder; ; path = dirname(path)) {
    chmodSync(path, 0o711);
    if (path === first) return;
  }
}

/** A project that was first run by a normal user keeps its owner when root starts it. */
function ownerOf(folder: string): Account | undefined {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat === undefined || stat.uid === 0 ? undefined : { uid: stat.uid, gid: stat.gid };
}

function nobody(): Account {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) {
    throw new Error(
      'PostgreSQL does not run as root and this machine has no user "nobody" to run it as: start as a normal user, or set DATABASE_URL',
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}
