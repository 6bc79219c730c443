import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Keeps a second server out of the folder. The lock is the operating system's, held through an SQLite file, so it goes
 * with the process however that ends; a file with a process id in it would outlive a `kill -9`.
 */
export function lockFolder(folder: string, owner: string): () => void {
  const database = new DatabaseSync(join(folder, 'lock.db'));
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw new Error(`Another ${owner} uses ${folder}. Stop it, or choose another folder.`, { cause });
  }
  return () => database.close();
}
