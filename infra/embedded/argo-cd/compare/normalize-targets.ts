import type { Condition } from '../application.ts';
import type { ApiResource } from '../cluster/api-resources.ts';
import { troubleWith } from '../cluster/cluster-trouble.ts';
import type { Target } from '../cluster/clusters.ts';
import { annotationOf, gvkOf, type KubeObject, keyOf } from '../kube-object.ts';
import { withTracking } from './tracking.ts';

/** An object as the application wants it, placed and marked. */
export interface Wanted {
  readonly object: KubeObject;
  /** Undefined where the cluster does not know the kind. */
  readonly resource: ApiResource | undefined;
}

export interface NormalizedTargets {
  readonly wanted: readonly Wanted[];
  /** Resource hooks, which are not run here. */
  readonly hooks: readonly KubeObject[];
  readonly conditions: readonly Condition[];
}

/** Puts each object into its namespace, marks it, and keeps the last of those that came twice. */
export async function normalizeTargets(
  objects: readonly KubeObject[],
  application: string,
  namespace: string,
  cluster: Target,
): Promise<NormalizedTargets> {
  const byKey = new Map<string, { wanted: Wanted; count: number }>();
  for (const object of objects) {
    const resource = await cluster.resources.find(gvkOf(object)).catch((error: unknown) => {
      throw troubleWith(cluster.server, error);
    });
    const placed = place(object, namespace, resource?.namespaced ?? true);
    const wanted = { object: withTracking(placed, application, namespace), resource };
    byKey.set(keyOf(placed), { wanted, count: (byKey.get(keyOf(placed))?.count ?? 0) + 1 });
  }
  const conditions = [...byKey]
    .filter(([, { count }]) => count > 1)
    .map(([key, { count }]) => ({
      type: 'RepeatedResourceWarning',
      message: `Resource ${key} appeared ${count} times among application resources.`,
    }));
  const all = [...byKey.values()].map(({ wanted }) => wanted);
  return {
    wanted: all.filter(({ object }) => !isHook(object)),
    hooks: all.map(({ object }) => object).filter(isHook),
    conditions,
  };
}

function place(object: KubeObject, namespace: string, namespaced: boolean): KubeObject {
  const { namespace: given, ...metadata } = object.metadata;
  const chosen = namespaced ? given || namespace : undefined;
  return {
    ...object,
    metadata: { ...metadata, ...(chosen && { namespace: chosen }) } as KubeObject['metadata'],
  };
}

function hooksOf(object: KubeObject): readonly string[] {
  const said = annotationOf(object, 'argocd.argoproj.io/hook') ?? annotationOf(object, 'helm.sh/hook') ?? '';
  return said
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

export function isSkipped(object: KubeObject | undefined): boolean {
  return object !== undefined && hooksOf(object).includes('Skip');
}

export function isHook(object: KubeObject): boolean {
  return hooksOf(object).length > 0 && !isSkipped(object);
}
