import { type SpawnedServer, spawnServer } from '../spawn-server.ts';
import type { EmbeddedQueue } from './start-embedded-queue.ts';

export interface SpawnedQueue extends EmbeddedQueue, Omit<SpawnedServer<unknown>, 'announced'> {}

interface SpawnOptions {
  readonly folder: string;
  readonly port?: number | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Gets the lines the server writes about itself. */
  readonly log?: ((line: string) => void) | undefined;
}

/** Starts the embedded SQS server as a process of its own. */
export async function spawnEmbeddedQueue(options: SpawnOptions): Promise<SpawnedQueue> {
  const { announced, ...server } = await spawnServer<{ readonly endpoint: string }>({
    name: 'embedded SQS server',
    main: new URL('./main.ts', import.meta.url),
    args: [options.folder, String(options.port ?? 0)],
    environment: options.environment,
    log: options.log,
  });
  return { ...server, endpoint: announced.endpoint };
}
