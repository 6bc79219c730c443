import { type SpawnedServer, spawnServer } from '../spawn-server.ts';
import type { Kustomize } from './source/find-kustomize.ts';

/** Starts the Argo CD stand-in as a process of its own. */
export function spawnEmbeddedArgoCd(options: {
  readonly folder: string;
  /** The cluster that it lives in and deploys to. */
  readonly kubeconfigFile: string;
  /** Where git is looked for, as in PATH. */
  readonly searchPath: string;
  readonly kustomize: Kustomize;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly log?: ((line: string) => void) | undefined;
}): Promise<SpawnedServer<object>> {
  return spawnServer<object>({
    name: 'Argo CD stand-in',
    main: new URL('./main.ts', import.meta.url),
    args: [options.folder, options.kubeconfigFile, options.searchPath, JSON.stringify(options.kustomize)],
    environment: options.environment,
    log: options.log,
  });
}
