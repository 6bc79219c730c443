import { readdir, readlink } from 'node:fs/promises';

/** The ids of the processes that work in the folder or below. */
export async function processesIn(folder: string): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    ids.map(async (id) => {
      // Gone since the list was made, or another user's.
      const place = await readlink(`/proc/${id}/cwd`).catch(() => '');
      return place === folder || place.startsWith(`${folder}/`) ? [id] : [];
    }),
  );
  return found.flat();
}
