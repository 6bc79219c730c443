import type { EngineRow, EngineState } from '../domain/gitops/operation.ts';
import type { Cluster } from './cluster.ts';

/** Tells whether the Argo CD of the rows is the one that would be written to. */
export interface EngineCheck {
  check(
    cluster: Cluster,
    engine: Pick<EngineRow, 'namespace' | 'namespaceUid' | 'clusterId'>,
    signal: AbortSignal,
  ): Promise<EngineState>;
}
