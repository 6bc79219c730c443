import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface HeldFolder {
  readonly folder: string;
  release(): void;
}

/**
 * A folder below another one for this process alone: the first that nobody holds, so that the next process finds what
 * this one has left. The lock is the operating system's, held through an SQLite file: it goes with the process, however
 * that ends.
 */
export function holdFolder(above: string): HeldFolder {
  for (let number = 0; ; number += 1) {
    const folder = join(above, String(number));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = new DatabaseSync(`${folder}.lock`);
    try {
      lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
      return { folder, release: () => lock.close() };
    } catch (error) {
      lock.close();
      if (!(error instanceof Error && error.message.includes('locked'))) throw error;
    }
  }
}
