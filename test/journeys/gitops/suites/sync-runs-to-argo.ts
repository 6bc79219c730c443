import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import { gitOpsDeployments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { syncInfo } from '../../../../shared/domain/gitops/sync.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { playSyncs } from '../../../support/played-sync.ts';

const succeeded = { phase: 'Succeeded', message: 'successfully synced (all tasks run)' };
const synced = { sync: { status: 'Synced' }, health: { status: 'Healthy' } };
const noError = [expect.objectContaining({ type: 'ErrorOccurred', status: 'False', reason: '', message: '' })];

/** Sync runs through every function, with the test in the place of Argo CD. */
export function describeSyncRunsToArgo(open: () => Promise<GitOpsWorld>): void {
  describe('a sync run and Argo CD', () => {
    let world: GitOpsWorld;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(() => {
      world.queue.sent.length = 0;
      world.delayed.length = 0;
    });

    it('RS-01 CX-04 reaches Argo CD once, with its name and revision, and says how it ended when it has', async () => {
      const played = await playSyncs(world);
      await played.deploy('web');

      const id = await played.syncRun('first', 'web', 'v1');
      const asked = await played.begins();
      await played.later();
      const meanwhile = await played.statusOf('first');
      await played.ends(succeeded, synced);

      expect(asked).toMatchObject({ sync: { revision: 'v1', prune: true }, info: [syncInfo(id)] });
      expect(meanwhile?.syncStatus ?? '').toBe('');
      expect(await played.statusOf('first')).toMatchObject({
        conditions: noError,
        syncStatus: 'Synced',
        health: { status: 'Healthy' },
      });
      await played.later();
      expect((await played.read()).operation).toBeUndefined();
    });

    it('CO-19 says what Argo CD says went wrong (defect 25), and is not asked for again', async () => {
      const played = await playSyncs(world);
      await played.deploy('web');
      await played.syncRun('first', 'web', 'v1');

      await played.begins();
      await played.ends(
        { phase: 'Failed', message: 'one or more objects failed to apply' },
        { sync: { status: 'OutOfSync' }, health: { status: 'Missing' } },
      );
      await played.later();

      expect(await played.statusOf('first')).toMatchObject({
        conditions: [{ status: 'True', reason: 'ErrorOccurred', message: 'one or more objects failed to apply' }],
        syncStatus: 'OutOfSync',
        health: { status: 'Missing' },
      });
      expect((await played.read()).operation).toBeUndefined();
    });

    it('WL-04 WL-05 made before its deployment, waits for it and then reaches Argo CD by itself', async () => {
      const played = await playSyncs(world);
      const id = await played.syncRun('first', 'web');
      const waiting = await played.statusOf('first');

      await played.deploy('web');
      await played.later();
      const asked = await played.begins();

      expect(waiting?.conditions).toMatchObject([
        {
          status: 'True',
          message: "Unable to retrieve GitOpsDeployment 'web' referenced by the GitOpsDeploymentSyncRun",
        },
      ]);
      expect(asked).toMatchObject({ sync: { revision: 'main' }, info: [syncInfo(id)] });
      expect((await played.statusOf('first'))?.conditions).toEqual(noError);
    });

    it('RS-06 refused because its deployment is automated, reaches Argo CD when that is made manual', async () => {
      const played = await playSyncs(world);
      await played.deploy('web', 'automated');
      const id = await played.syncRun('first', 'web', 'v1');
      const refused = await played.statusOf('first');

      const key = { namespace: played.namespace.name, name: 'web' };
      await world.cluster.patch(gitOpsDeployments, key, { spec: { type: 'manual' } });
      await world.settle();
      await played.later();
      const asked = await played.begins();
      await played.ends(succeeded, synced);

      expect(refused?.conditions).toMatchObject([{ status: 'True', reason: 'ErrorOccurred' }]);
      expect(asked).toMatchObject({ sync: { revision: 'v1' }, info: [syncInfo(id)] });
      expect(await played.statusOf('first')).toMatchObject({ conditions: noError, syncStatus: 'Synced' });
    });

    it('AL-03 AL-04 waits until the one before has ended, and then reaches Argo CD by itself', async () => {
      const played = await playSyncs(world);
      await played.deploy('web');
      const [first, second] = [await played.syncRun('a', 'web', 'v1'), await played.syncRun('b', 'web', 'v2')];

      const asked = await played.begins();
      await played.later();
      const meanwhile = await played.read();
      await played.ends(succeeded, synced);
      await played.later();

      expect([asked, meanwhile.operation]).toMatchObject([{ info: [syncInfo(first)] }, { info: [syncInfo(first)] }]);
      expect((await played.read()).operation).toMatchObject({ info: [syncInfo(second)], sync: { revision: 'v2' } });
    });

    it('RS-03 deleted, is stopped at Argo CD, and nothing of it is left', async () => {
      const played = await playSyncs(world);
      await played.deploy('web');
      const id = await played.syncRun('first', 'web', 'v1');
      await played.begins();
      await played.later();

      await played.remove('first');
      const stopping = await played.read();
      await played.ends({ phase: 'Failed', message: 'Operation terminated' }, {});
      await played.later();
      await played.later();

      expect(stopping.status?.operationState?.phase).toBe('Terminating');
      expect(await played.rowsOf(id)).toBe(0);
      expect(await world.sql`select from wakeup where subject = ${`${played.namespace.name}/first`}`).toHaveLength(0);
    });

    it('ends though nobody heard of its end (defect 41)', async () => {
      const played = await playSyncs(world);
      await played.deploy('web');
      await played.syncRun('first', 'web', 'v1');
      await played.begins();
      await played.later();

      await played.ends(succeeded, synced, openCluster({ connection: world.bare }));
      const unheard = await played.statusOf('first');
      await world.sql`update wakeup set since = since - interval '20 seconds'`;
      await played.later();

      expect(unheard?.syncStatus ?? '').toBe('');
      expect(await played.statusOf('first')).toMatchObject({ conditions: noError, syncStatus: 'Synced' });
    });

    it('ends with a word when its deployment is deleted under it', async () => {
      const played = await playSyncs(world);
      await played.deploy('web');
      await played.syncRun('first', 'web', 'v1');
      await played.begins();

      await world.cluster.remove(gitOpsDeployments, { namespace: played.namespace.name, name: 'web' });
      await world.settle();
      await played.later();

      expect((await played.statusOf('first'))?.conditions).toMatchObject([
        {
          status: 'True',
          message: "Unable to retrieve GitOpsDeployment 'web' referenced by the GitOpsDeploymentSyncRun",
        },
      ]);
    });

    it('costs nothing when everything is looked at again and nothing has changed', async () => {
      const played = await playSyncs(world);
      await played.deploy('web');
      const id = await played.syncRun('first', 'web', 'v1');
      await played.begins();
      await played.ends(succeeded, synced);
      await played.later();
      const rows = await rowVersions(world, id);
      world.connection.asked.length = 0;

      for (let look = 0; look < 3; look += 1) {
        world.knock('sync-run.changed.v1', { namespace: played.namespace.name, name: 'first' });
        await world.settle();
      }

      expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(await rowVersions(world, id)).toEqual(rows);
    });
  });
}

/** When each row of a run was last written, and how many operations it has. */
async function rowVersions({ sql }: GitOpsWorld, id: string): Promise<unknown> {
  return [
    ...(await sql`select xmin::text, id from sync_operation where id = ${id}`),
    ...(await sql`select xmin::text, seq_id from api_cr_to_database_mapping where db_relation_key = ${id}`),
    ...(await sql`select xmin::text, id from operation where resource_id = ${id} order by seq_id`),
  ];
}
