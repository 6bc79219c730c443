import { join } from 'node:path';
import { connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { applyClasses } from '../kubernetes/apply-classes.ts';
import { buildParts } from './build-parts.ts';
import { runPods } from './run-pods.ts';
import { missingForArgoCd, startArgoCd } from './start-argo-cd.ts';
import { startControlPlane } from './start-control-plane.ts';

export interface Real {
  /** The settings that the real parts fill in. */
  readonly environment: Readonly<Record<string, string>>;
  readonly parts: readonly { readonly name: string; readonly at: string }[];
  stop(): Promise<void>;
}

interface RealOptions {
  readonly folder: string;
  /** Where the programs are kept once they are built. */
  readonly cache: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Told how the build goes, a line at a time. */
  readonly report: (line: string) => void;
  readonly log: (line: string) => void;
}

const names = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kustomize', 'argo-cd'] as const;

/** A real Kubernetes control plane with Argo CD on this machine, built with Go where that has not been done. */
export async function startReal({ folder, cache, environment, report, log }: RealOptions): Promise<Real> {
  const path = environment['PATH'] ?? '';
  const missing = missingForArgoCd(path);
  if (missing !== undefined) throw new Error(missing);
  const built = await buildParts(names, { cache, report, environment });
  if ('missing' in built) throw new Error(built.missing);
  const { parts } = built;
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).toReversed()) await one();
  };
  try {
    const plane = await startControlPlane({
      parts,
      folder: join(folder, 'kubernetes-real'),
      controllerManager: true,
      log,
    });
    stops.push(() => plane.stop());
    const { kubeconfigFile } = plane;
    const connection = connectCluster({ kubeconfigPath: kubeconfigFile, now: Date.now });
    stops.push(() => connection.close());
    await applyClasses(connection);
    const pods = await runPods(connection, { log });
    stops.push(() => pods.stop());
    const argoCd = await startArgoCd({ parts, folder: join(folder, 'argo-cd-real'), kubeconfigFile, path, log });
    stops.push(() => argoCd.stop());
    return {
      environment: { KUBECONFIG: kubeconfigFile, ARGO_CD_NAMESPACE: 'argocd' },
      parts: [
        { name: 'Kubernetes API', at: plane.url },
        { name: 'Argo CD', at: `namespace ${argoCd.namespace}` },
      ],
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
