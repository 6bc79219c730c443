import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argoApplications, gitOpsDeployments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { Refused } from '../../../../shared/ports/trouble.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { playDeployment, rehearse, report } from '../../../support/played-argo.ts';

const healthy = { health: { status: 'Healthy' }, sync: { status: 'Synced', revision: 'c0ffee' } };

/** Applications and rows that do not fit together, and writes that do not go through. Nobody but report-status is run. */
export function describeStatusTrouble(open: () => Promise<GitOpsWorld>): void {
  describe('status up, where something is wrong', () => {
    let world: GitOpsWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    async function operations(id: string) {
      return world.sql`select resource_type, state, owner_user_id from operation where resource_id = ${id}`;
    }

    it('CA-04 CA-06 an Application that was taken away is asked for again, one that never was is not', async () => {
      const played = await playDeployment(world);
      await world.cluster.remove(argoApplications, played.application);
      const subject = played.application;

      await report(world, subject);
      await report(world, subject);
      await report(world, { ...subject, name: `gitopsdepl-${crypto.randomUUID()}` });

      expect(await operations(played.id)).toEqual([
        { resource_type: 'Application', state: 'Waiting', owner_user_id: played.namespace.uid },
      ]);
      expect((await rehearse(world, subject)).knocks).toEqual([
        {
          type: 'operation.requested.v1',
          subject: { namespace: played.key.namespace, name: `application.${played.id}` },
        },
      ]);
    });

    it('CA-05 an Application without a row is to be deleted, and is asked for once', async () => {
      const played = await playDeployment(world, { row: false });
      // It was ours once: somebody asked for it.
      const [engine] = await world.world.tenants.engines();
      await world.sql`insert into operation (id, instance_id, resource_id, resource_type, state)
        values (${crypto.randomUUID()}, ${engine?.instanceId ?? ''}, ${played.id}, 'Application', 'Completed')`;

      const { knocks } = await rehearse(world, played.application);
      await report(world, played.application);
      await report(world, played.application);

      expect(knocks).toEqual([
        {
          type: 'operation.requested.v1',
          subject: { namespace: played.application.namespace, name: `application.${played.id}` },
        },
      ]);
      expect(await operations(played.id)).toMatchObject([
        { state: 'Completed' },
        { state: 'Waiting', owner_user_id: null },
      ]);
    });

    it('an Application that nobody remembers is left to the drift pass', async () => {
      const played = await playDeployment(world, { row: false });

      await report(world, played.application);

      expect(await operations(played.id)).toEqual([]);
    });

    it('CA-05 an Application without our label is left alone', async () => {
      const played = await playDeployment(world, { row: false });
      await world.cluster.patch(argoApplications, played.application, { metadata: { labels: { databaseID: null } } });

      await report(world, played.application);

      expect(await operations(played.id)).toEqual([]);
    });

    it('somebody who writes in between loses nothing', async () => {
      const played = await playDeployment(world);
      await played.says({ ...healthy, conditions: [{ type: 'SyncError', message: 'it broke' }] });
      const ours = { type: 'ErrorOccurred', status: 'True', reason: 'ErrorOccurred', message: 'wrong path' };
      const { local } = world.world.clusters;
      let reads = 0;
      const read: typeof local.read = async (kind, key, options) => {
        const found = await local.read(kind, key, options);
        if (kind.kind === 'GitOpsDeployment' && ++reads === 1)
          await local.patch(gitOpsDeployments, key, { status: { conditions: [ours] } }, { subresource: 'status' });
        return found;
      };

      await report(world, played.application, { clusters: { ...world.world.clusters, local: { ...local, read } } });

      expect(await played.told()).toMatchObject({
        health: { status: 'Healthy' },
        conditions: [ours, { type: 'SyncError', status: 'True' }],
      });
    });

    it.each([
      ['the API server', new Refused('RequestEntityTooLarge', 'Request entity too large: limit is 3145728')],
      ['its store', new Refused('RequestEntityTooLarge', 'etcdserver: request is too large')],
      [
        'the way to its store',
        new Refused('RequestEntityTooLarge', 'rpc error: trying to send message larger than max (3 vs. 2)'),
      ],
    ])('a status that is too large for %s is cut, and says so', async (_what, trouble) => {
      const played = await playDeployment(world);
      const resources = Array.from({ length: 1_100 }, (_nothing, index) => ({
        version: 'v1',
        kind: 'Secret',
        name: `s-${index}`,
      }));
      await played.says({ ...healthy, resources });
      const { local } = world.world.clusters;
      const patch: typeof local.patch = async (kind, key, change, options) => {
        if (JSON.stringify(change).includes('s-1099')) throw trouble;
        return local.patch(kind, key, change, options);
      };

      await report(world, played.application, { clusters: { ...world.world.clusters, local: { ...local, patch } } });

      const told = await played.told();
      expect(told['resources']).toHaveLength(1_000);
      expect(told['conditions']).toMatchObject([{ type: 'StatusTruncated', status: 'True' }]);
      world.connection.asked.length = 0;
      await report(world, played.application);
      expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
    });
  });
}
