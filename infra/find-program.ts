import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Where programs are when nobody says otherwise. */
export const usualPath = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);

/** The first executable of this name on a search path. Relative entries are skipped: what they name depends on where we stand. */
export function findProgram(name: string, searchPath: string = usualPath): string | undefined {
  return searchPath
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
