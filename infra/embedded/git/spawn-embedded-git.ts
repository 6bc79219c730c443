import { mkdirSync } from 'node:fs';
import { type SpawnedServer, spawnServer } from '../spawn-server.ts';

export interface SpawnedGit extends Omit<SpawnedServer<unknown>, 'announced'> {
  /** A repository is at `<url>/<owner>/<name>.git`; PUT makes one. */
  readonly url: string;
}

/** Starts the embedded git server as a process of its own. */
export async function spawnEmbeddedGit(options: {
  readonly folder: string;
  readonly tokenFile: string;
  /** Where git is looked for, as in PATH. */
  readonly searchPath: string;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly log?: ((line: string) => void) | undefined;
}): Promise<SpawnedGit> {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const { announced, ...server } = await spawnServer<{ readonly url: string }>({
    name: 'embedded git server',
    main: new URL('./main.ts', import.meta.url),
    args: [options.folder, options.tokenFile, options.searchPath],
    environment: options.environment,
    log: options.log,
  });
  return { ...server, ...announced };
}
