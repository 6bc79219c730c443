import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syncRuns } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { openSyncStage, operationStateOf } from '../../../support/sync-stage.ts';
import { until } from '../../../support/until.ts';

const nothing = { sync: undefined, mappings: [], operations: [] };

/** Runs that go before their end or after it, and what is left of them. */
export function describeDeletedSyncRuns(open: () => Promise<GitOpsWorld>): void {
  let world: GitOpsWorld;

  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());

  describe('a deleted sync run', () => {
    it('RS-03 WL-11 is stopped, goes when it is, and wakes the next', async () => {
      const stage = await openSyncStage(world);
      await stage.deployment('web');
      const id = await stage.syncRun('a', 'web', 'v1');
      await stage.syncRun('b', 'web', 'v1');
      await stage.look('a');
      await stage.look('b');
      await stage.operationsEnd(id);

      await stage.remove('a');
      const stopping = await stage.look('a');
      const meanwhile = await stage.rowsOf(id);
      const again = await stage.look('a');
      await stage.operationsEnd(id);
      const stopped = await stage.look('a');

      expect(meanwhile.sync).toMatchObject({ desired: 'Terminated' });
      expect(meanwhile.operations.map(({ state }) => state)).toEqual(['Completed', 'Waiting']);
      expect([stopping.outcome, again.outcome]).toMatchObject([{ effects: 1 }, { effects: 0 }]);
      expect(stopped.woken).toEqual(['b']);
      expect(await stage.rowsOf(id)).toMatchObject({ sync: undefined, mappings: [] });
      expect(await stage.waitOf('a')).toBeUndefined();
    });

    it('goes at once after its end', async () => {
      const stage = await openSyncStage(world);
      const application = await stage.deployment('web');
      const id = await stage.syncRun('a', 'web', 'v1');
      await stage.look('a');
      await stage.operationsEnd(id);
      const operationState = operationStateOf(id, 'v1');
      await stage.argoSays(application, { sync: { status: 'Synced' }, operationState });
      await stage.look('a');

      await stage.remove('a');
      await stage.look('a');

      expect(await stage.rowsOf(id)).toMatchObject({
        sync: undefined,
        mappings: [],
        operations: [{ state: 'Completed' }],
      });
    });

    it('is stopped while a finalizer of somebody else still holds it', async () => {
      const stage = await openSyncStage(world);
      await stage.deployment('web');
      const id = await stage.syncRun('a', 'web', 'v1');
      const key = { namespace: stage.namespace.name, name: 'a' };
      await stage.cluster.patch(syncRuns, key, { metadata: { finalizers: ['example.com/mine'] } });
      await stage.look('a');

      await stage.remove('a');
      await stage.look('a');
      const { sync } = await stage.rowsOf(id);
      await stage.operationsEnd(id);
      await stage.look('a');
      const { outcome } = await stage.look('a');
      await stage.cluster.patch(syncRuns, key, { metadata: { finalizers: null } });

      expect(sync).toMatchObject({ desired: 'Terminated' });
      expect(await stage.rowsOf(id)).toMatchObject({ sync: undefined, mappings: [] });
      expect(outcome).toEqual({ kind: 'stepped', next: 'settled', effects: 0 });
    });

    it('RS-04 goes without an operation where its application is gone (defect 35)', async () => {
      const stage = await openSyncStage(world);
      await stage.deployment('web');
      const id = await stage.syncRun('a', 'web', 'v1');
      await stage.look('a');
      await world.sql`delete from operation where resource_id = ${id}`;
      await world.sql`update sync_operation set application_id = null where id = ${id}`;

      await stage.remove('a');
      await stage.look('a');

      expect(await stage.rowsOf(id)).toEqual(nothing);
    });

    it('made again under its name, starts when the one of before has been stopped', async () => {
      const stage = await openSyncStage(world);
      await stage.deployment('web');
      const before = await stage.syncRun('a', 'web', 'v1');
      await stage.look('a');
      await stage.remove('a');
      await until('the run is gone', () => stage.isGone('a'));
      const after = await stage.syncRun('a', 'web', 'v2');

      await stage.look('a');
      const early = [await stage.rowsOf(before), await stage.rowsOf(after)];
      await stage.operationsEnd(before);
      const cleared = await stage.look('a');
      await stage.look('a');

      expect(early).toMatchObject([{ sync: { desired: 'Terminated' } }, nothing]);
      expect(cleared.woken).toEqual(['a']);
      expect((await stage.rowsOf(before)).sync).toBeUndefined();
      expect((await stage.rowsOf(after)).sync).toMatchObject({ revision: 'v2', requested: true });
    });

    it('RS-07 WL-11 WL-12 that nobody knows is nothing to do', async () => {
      const stage = await openSyncStage(world);

      expect((await stage.look('nobody')).outcome).toEqual({ kind: 'skipped', why: 'gone' });
    });

    it('RS-08 WL-12 in a namespace that does not exist is nothing to do', async () => {
      const stage = await openSyncStage(world);

      expect((await stage.look('nobody', 'nowhere-at-all')).outcome).toEqual({ kind: 'skipped', why: 'gone' });
    });
  });

  describe('a sync run whose rows are not as they should be', () => {
    it('loses its place when its application goes, and waits for its deployment again', async () => {
      const stage = await openSyncStage(world);
      await stage.deployment('web');
      await stage.syncRun('a', 'web', 'v1');
      const id = await stage.syncRun('b', 'web', 'v1');
      await stage.look('a');
      await stage.look('b');
      await world.sql`update sync_operation set application_id = null where id = ${id}`;

      const { woken } = await stage.look('b');

      expect(woken).toEqual(['b']);
      expect(await stage.rowsOf(id)).toEqual(nothing);
    });

    it('starts again where only its mapping is left', async () => {
      const stage = await openSyncStage(world);
      await stage.deployment('web');
      const id = await stage.syncRun('a', 'web', 'v1');
      await stage.look('a');
      await world.sql`delete from sync_operation where id = ${id}`;

      await stage.look('a');
      await stage.look('a');

      expect(await stage.rowsOf(id)).toMatchObject({ sync: { requested: true }, mappings: [{ name: 'a' }] });
    });
  });
}
