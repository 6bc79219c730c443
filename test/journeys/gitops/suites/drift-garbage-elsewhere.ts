import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectGarbage } from '../../../../functions/collect-garbage/index.ts';
import { applyCrds, ownCrds, readCrds } from '../../../../infra/kubernetes/apply-crds.ts';
import { type ClusterConnection, connectCluster } from '../../../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import { namespaces, operations } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster, ClusterAccess } from '../../../../shared/ports/cluster.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import type { RunningCluster } from '../../../support/running-cluster.ts';
import { later } from './drift-pass.ts';

/** `engine` is a cluster that runs an Argo CD for the tenants of another one. */
export function describeGarbageElsewhere(
  open: () => Promise<GitOpsWorld>,
  engine: () => Promise<RunningCluster>,
): void {
  describe('collecting garbage beside an Argo CD of another cluster', () => {
    let world: GitOpsWorld;
    let running: RunningCluster;
    let connection: ClusterConnection;
    let beside: Cluster;

    beforeAll(async () => {
      [world, running] = await Promise.all([open(), engine()]);
      connection = connectCluster({ kubeconfigPath: running.kubeconfigFile, now: Date.now });
      await applyCrds(connection, readCrds(ownCrds));
      beside = openCluster({ connection });
      for (const name of [argoNamespace, 'team']) await beside.create(namespaces, { metadata: { name } });
    });
    afterAll(async () => {
      await connection.close();
      await running.stop();
      await world.close();
    });

    /** What the rows say about other clusters, the one that is away first. */
    async function collect(ahead: number): Promise<void> {
      const { clock, world: parts } = world.machine;
      const { url: server, adminToken: token, ca: certificateAuthority } = running;
      const accesses: ClusterAccess[] = [
        { server: 'https://127.0.0.1:1', token, certificateAuthority, insecure: false },
        { server, token, certificateAuthority, insecure: false },
      ];
      const list = async () =>
        accesses.map((access) => ({ clusterId: access.server, namespaces: [argoNamespace], access }));
      await collectGarbage.tick({
        ...world.machine,
        world: { ...parts, engineClusters: { list } },
        clock: { ...clock, now: () => clock.now() + ahead },
      });
    }

    async function stray(namespace: string): Promise<string> {
      const operationID = randomUUID();
      const metadata = { namespace, name: `operation-${operationID}` };
      await beside.create(operations, { metadata, spec: { operationID } });
      return operationID;
    }

    async function left(): Promise<string[]> {
      const found: string[] = [];
      for await (const page of beside.list(operations)) found.push(...page.map(({ spec }) => spec.operationID));
      return found;
    }

    it('Operation objects that no row knows go when they are old, though another cluster is away; what is not beside Argo CD stays', async () => {
      const [unknown, ofOthers] = [await stray(argoNamespace), await stray('team')];
      await collect(0);
      const early = await left();

      await collect(later);

      expect(early.toSorted()).toEqual([unknown, ofOthers].toSorted());
      expect(await left()).toEqual([ofOthers]);
    });
  });
}
