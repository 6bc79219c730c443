import { namespaces } from '../contracts/kubernetes/kinds.ts';
import type { EngineState } from '../domain/gitops/operation.ts';
import type { Cluster } from '../ports/cluster.ts';
import type { EngineCheck } from '../ports/engine-check.ts';

/** Clusters and namespaces are not exchanged every minute, and the check must cost nothing where it matters. */
const goodForMs = 60_000;

/** Remembers for a while that all was well. What was wrong is looked at again each time. */
export function openEngineCheck(now: () => number): EngineCheck {
  const known = new WeakMap<Cluster, Map<string, number>>();
  return {
    async check(cluster, { namespace, namespaceUid, clusterId }, signal): Promise<EngineState> {
      const checked = known.get(cluster) ?? new Map<string, number>();
      known.set(cluster, checked);
      const key = `${clusterId} ${namespace} ${namespaceUid}`;
      if ((checked.get(key) ?? 0) > now()) return 'ready';
      checked.delete(key);

      const [system, engine] = await Promise.all(
        ['kube-system', namespace].map((name) => cluster.read(namespaces, { namespace: '', name }, { signal })),
      );
      if (system?.metadata.uid !== clusterId) return 'other-cluster';
      if (engine === undefined || engine.metadata.deletionTimestamp !== undefined) return 'namespace-missing';
      if (engine.metadata.uid !== namespaceUid) return 'other-namespace';
      checked.set(key, now() + goodForMs);
      return 'ready';
    },
  };
}
