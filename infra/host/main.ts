/** The process of a container: a host on what the environment configures. `npm start` adds the development stand-ins. */
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../shared/runtime/config.ts';
import { readMap } from '../map.ts';
import { startHost } from './host.ts';

const config = readConfig(['database', 'queues', 'steps', 'webhooks', 'host', 'cluster', 'retention', 'telemetry']);
const host = await startHost({
  map: readMap(config.host.MAP_FILE),
  root: fileURLToPath(new URL('../..', import.meta.url)),
  config,
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void host.drain().then(() => process.exit(0));
  });
}
