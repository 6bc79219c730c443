/** The process of a container: a host on what the environment configures. `npm start` adds the development stand-ins. */
import { fileURLToPath } from 'node:url';
import { startHost } from './host.ts';
import { readHostConfig } from './host-config.ts';

const { map, config } = readHostConfig();
const host = await startHost({
  map,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  config,
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void host.drain().then(() => process.exit(0));
  });
}
