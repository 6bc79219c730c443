/** The process of a container: a host on what the environment configures. `npm start` adds the development stand-ins. */
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// Reading the code fills V8's nursery, which then stays large for ever: 35 MB that an idle host has no use for. So it may
// grow only when the code is there and work comes.
setFlagsFromString('--semi-space-growth-factor=1');
const { startHost } = await import('./host.ts');
const { readHostConfig } = await import('./host-config.ts');

const { map, config } = readHostConfig();
const host = await startHost({
  map,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  config,
});
setFlagsFromString('--semi-space-growth-factor=2');

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void host.drain().then(() => process.exit(0));
  });
}
