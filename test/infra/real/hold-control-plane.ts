/** Starts a control plane and waits to be killed; in a worker thread where told so. */
import process from 'node:process';
import { isMainThread, Worker } from 'node:worker_threads';
import { startControlPlane } from '../../../infra/real/start-control-plane.ts';

const [where, options] = process.argv.slice(2);

if (where === 'worker' && isMainThread) {
  new Worker(new URL(import.meta.url), { argv: [where, options] });
} else {
  await startControlPlane(JSON.parse(options ?? '{}'));
  process.stdout.write('ready\n');
}
setInterval(() => {}, 60_000);
