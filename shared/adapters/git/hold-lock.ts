import { DatabaseSync } from 'node:sqlite';

/**
 * Undefined where another process holds it. The lock is the operating system's, held through an SQLite file, so it goes
 * with the process however that ends; a file with a process id in it would outlive a `kill -9`.
 */
export function holdLock(file: string): (() => void) | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Error && error.message.includes('locked')) return undefined;
    throw error;
  }
  return () => {
    if (database.isOpen) database.close();
  };
}
