import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterConnection } from '../../../shared/adapters/kubernetes/connection.ts';
import type { Logger } from '../../../shared/adapters/telemetry/logger.ts';
import { findProgram, usualPath } from '../../find-program.ts';
import { openApplicationStore } from './application-store.ts';
import { openClusters } from './cluster/clusters.ts';
import { openDifferences } from './compare/difference.ts';
import { openTargetLoader } from './compare/load-target.ts';
import { openController } from './controller.ts';
import { installArgoCd } from './install/install-argo-cd.ts';
import type { KubeObject } from './kube-object.ts';
import type { Kustomize } from './source/find-kustomize.ts';
import { openRepositories } from './source/repositories.ts';
import { type WatchedKinds, watchKinds } from './watched-kinds.ts';
import type { SetTimer } from './work-queue.ts';

export interface EmbeddedArgoCdSettings {
  /** The API server where the Applications live; not closed by us. */
  readonly cluster: ClusterConnection;
  /** For repositories and checkouts; nothing in it is worth keeping. */
  readonly folder: string;
  readonly namespace?: string | undefined;
  readonly log: Logger;
  readonly now: () => number;
  readonly kustomize: Kustomize;
  /** Where git and ssh are looked for, as in PATH. */
  readonly searchPath?: string | undefined;
  /** How often Git is asked without another reason. Argo CD: about every three minutes. */
  readonly refreshEveryMs?: number | undefined;
  readonly setTimer?: SetTimer | undefined;
}

export interface EmbeddedArgoCd {
  stop(): Promise<void>;
}

/** Does what Argo CD does, as far as README.md beside this file says. A development stand-in. */
export async function startEmbeddedArgoCd(settings: EmbeddedArgoCdSettings): Promise<EmbeddedArgoCd> {
  const { cluster, log, now, kustomize, searchPath = usualPath } = settings;
  const namespace = settings.namespace ?? 'argocd';
  const git = findProgram('git', searchPath);
  if (git === undefined) throw new Error('The Argo CD stand-in needs git on the PATH: install git');
  const folder = join(settings.folder, 'argo-cd');
  // Keys and kubeconfigs live here for moments only; a crash may have left one.
  await rm(join(folder, 'private'), { recursive: true, force: true });
  await mkdir(join(folder, 'private'), { recursive: true, mode: 0o700 });

  const stopping = new AbortController();
  const { signal } = stopping;
  await installArgoCd(cluster, namespace, signal);
  const repositories = await openRepositories({
    program: git,
    folder: join(folder, 'private'),
    searchPath,
    signal,
  });

  // The controller and what wakes it need one another.
  let wake = (_object: KubeObject): void => {};
  let kinds: WatchedKinds | undefined;
  const secrets = () => kinds?.secrets() ?? [];
  const clusters = openClusters({
    local: cluster,
    folder: join(folder, 'private'),
    log,
    now,
    secrets,
    onChange: (object) => wake(object),
  });
  const load = openTargetLoader({
    repositories,
    kustomize,
    secrets,
    knownHosts: () => kinds?.knownHosts(),
    now,
    signal,
  });
  const controller = openController({
    world: {
      namespace,
      applications: openApplicationStore(cluster, namespace),
      clusters,
      compare: { load, differences: openDifferences() },
      projectOf: ({ spec }) => kinds?.project(spec.project || 'default'),
      now,
    },
    log,
    refreshEveryMs: settings.refreshEveryMs ?? 180_000,
    setTimer: settings.setTimer ?? usualTimer,
  });
  wake = controller.onLiveObject;
  kinds = watchKinds({
    connection: cluster,
    namespace,
    log,
    now,
    onApplication: controller.onApplication,
    onProject: controller.onSettings,
    onSecrets: () => {
      clusters.tidy();
      controller.onSettings();
    },
  });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await Promise.all([kinds?.stop(), controller.stop()]);
    await clusters.stop();
    await rm(join(folder, 'private'), { recursive: true, force: true });
  };
  try {
    await kinds.ready();
    controller.start();
    log.info('Argo CD stand-in is ready', { part: 'argo-cd', namespace });
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function usualTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, Math.min(ms, 2_147_483_647));
  return () => clearTimeout(timer);
}
