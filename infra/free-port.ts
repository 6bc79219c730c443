import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the range from which Linux takes the ports of outgoing connections (32768 and up). A server that is killed and
// comes back needs its port again: a client that dials it in the meantime could be given that very port by the kernel,
// and would then be connected with itself.
const lowest = 20_000;
const highest = 32_000;

/** A port of 127.0.0.1 that nobody listens on now. It may be taken before it is used, so whoever uses it tries again. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port on 127.0.0.1 between ${lowest} and ${highest}: stop what listens there.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
