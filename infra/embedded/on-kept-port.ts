import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';

const Attempts = 5;

/**
 * Listens on the port of the last time if it is still free, so that addresses that were copied or stored stay true;
 * otherwise on any. A port that was asked for by number is taken or refused.
 */
export async function onKeptPort<Server extends { readonly port: number }>(
  folder: string,
  asked: number | undefined,
  listen: (port: number) => Promise<Server>,
): Promise<Server> {
  const file = join(folder, 'port');
  const server = await begin();
  writeFileSync(file, `${server.port}\n`);
  return server;

  async function begin(): Promise<Server> {
    if (asked !== undefined && asked !== 0) return listen(asked);
    const kept = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    const tries = Number.isInteger(kept) && kept > 0 && kept < 65_536 ? [kept] : [];
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await listen(tries[attempt] ?? (await freePort()));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || attempt === Attempts) throw error;
      }
    }
  }
}
