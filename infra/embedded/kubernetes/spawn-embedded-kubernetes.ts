import { type SpawnedServer, spawnServer } from '../spawn-server.ts';
import type { EmbeddedKubernetes } from './start-embedded-kubernetes.ts';

export interface SpawnOptions {
  readonly folder: string;
  readonly port?: number | undefined;
  readonly audit?:
    | { readonly url: string; readonly tokenFile?: string | undefined; readonly caFile?: string | undefined }
    | undefined;
}

type Announced = Omit<EmbeddedKubernetes, 'compact' | 'stop'>;

export interface SpawnedKubernetes extends Announced, Omit<SpawnedServer<unknown>, 'announced'> {}

/** Starts the embedded Kubernetes API server as a process of its own. */
export async function spawnEmbeddedKubernetes(
  options: SpawnOptions & {
    readonly environment?: Readonly<Record<string, string>> | undefined;
    readonly log?: ((line: string) => void) | undefined;
  },
): Promise<SpawnedKubernetes> {
  const { environment, log, ...given } = options;
  const { announced, ...server } = await spawnServer<Announced>({
    name: 'embedded API server',
    main: new URL('./main.ts', import.meta.url),
    args: [JSON.stringify(given)],
    environment,
    log,
  });
  return { ...server, ...announced };
}
