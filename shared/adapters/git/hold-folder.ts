import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { holdLock } from './hold-lock.ts';

export interface HeldFolder {
  readonly folder: string;
  release(): void;
}

/** A folder below another one for this process alone: the first that nobody holds, so that the next process finds what this one has left. */
export function holdFolder(above: string): HeldFolder {
  for (let number = 0; ; number += 1) {
    const folder = join(above, String(number));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const release = holdLock(`${folder}.lock`);
    if (release !== undefined) return { folder, release };
  }
}
