import process from 'node:process';
import { serveParent } from '../serve-parent.ts';
import { startEmbeddedQueue } from './start-embedded-queue.ts';

// The child of spawn-embedded-queue.ts: `main.ts <folder> [port]`.
const [folder, port = '0'] = process.argv.slice(2);

if (folder === undefined || !/^\d{1,5}$/.test(port)) {
  process.stderr.write('Usage: main.ts <folder> [port]\n');
  process.exit(64);
}

const queue = await startEmbeddedQueue({
  folder,
  port: Number(port),
  log: (message, fields) => process.stderr.write(`${JSON.stringify({ msg: message, ...fields })}\n`),
});
serveParent({ endpoint: queue.endpoint }, () => queue.stop());
