import { lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/**
 * A folder of this user's alone below one that everybody writes to: git acts on what stands in a repository, and another
 * user could have put something there before us. The next process of the same user finds it again. Where the name is taken
 * by something that is not ours, it is a new one, which nobody could have known.
 */
export function privateFolder(above: string, name: string): string {
  const user = process.getuid?.();
  const folder = join(above, user === undefined ? name : `${name}-${user}`);
  mkdirSync(above, { recursive: true });
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  }
  // Not through a link: it would lead to wherever its maker wants.
  const found = lstatSync(folder);
  const isOurs = found.isDirectory() && (user === undefined || (found.uid === user && (found.mode & 0o077) === 0));
  return isOurs ? folder : mkdtempSync(join(above, `${name}-`));
}
