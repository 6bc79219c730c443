import { join } from 'node:path';
import { holdLock } from '../../shared/adapters/git/hold-lock.ts';

/** Keeps a second server out of the folder, however the first one ends. */
export function lockFolder(folder: string, owner: string): () => void {
  const unlock = holdLock(join(folder, 'lock.db'));
  if (unlock === undefined) throw new Error(`Another ${owner} uses ${folder}. Stop it, or choose another folder.`);
  return unlock;
}
