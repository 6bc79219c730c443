import process from 'node:process';
import { startEmbeddedQueue } from './start-embedded-queue.ts';

// The child of spawn-embedded-queue.ts: `main.ts <folder> [port]`. One line on standard output says where it listens;
// everything else goes to standard error. Standard input closes when the parent dies, however it dies.
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

async function end(): Promise<void> {
  await queue.stop();
  process.exit(0);
}

process.once('SIGTERM', end);
// Ctrl+C goes to the whole group; the parent decides when its queue may end.
process.on('SIGINT', () => {});
process.stdin.once('end', end).once('error', end).resume();
process.stdout.write(`${JSON.stringify({ endpoint: queue.endpoint })}\n`);
