import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { openSyncStage, operationStateOf, type SyncStage } from '../../../support/sync-stage.ts';

const nothing = { sync: undefined, mappings: [], operations: [] };

/** Several runs of one deployment. */
export function describeSyncRunsInLine(open: () => Promise<GitOpsWorld>): void {
  let world: GitOpsWorld;

  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());

  async function succeed(stage: SyncStage, application: string, id: string): Promise<void> {
    const operationState = operationStateOf(id, 'v1');
    await stage.argoSays(application, { sync: { status: 'Synced' }, health: { status: 'Healthy' }, operationState });
  }

  async function underWay(application: string) {
    const rows = await world.sql<{ name: string; requested: boolean }[]>`
      select m.api_resource_name as name, y.requested_at is not null and y.finished_at is null as requested
      from sync_operation y join api_cr_to_database_mapping m on m.db_relation_key = y.id
      where y.application_id = ${application}`;
    return { names: rows.filter(({ requested }) => requested).map(({ name }) => name), known: rows.length };
  }

  describe('sync runs of one deployment', () => {
    it('AL-02 AL-03 AL-04 AL-05 run one after another, oldest first, each woken by the end of the one before', async () => {
      const stage = await openSyncStage(world);
      const application = await stage.deployment('web');
      const [a, b, c] = [
        await stage.syncRun('a', 'web', 'v1'),
        await stage.syncRun('b', 'web', 'v1'),
        await stage.syncRun('c', 'web', 'v1'),
      ];

      for (const name of ['a', 'c', 'b']) await stage.look(name);
      const waits = [await stage.waitOf('b'), await stage.waitOf('c')];
      const behind = [await stage.rowsOf(b), await stage.rowsOf(c)];
      await succeed(stage, application, a);
      const first = await stage.look('a');
      await stage.look('b');
      await succeed(stage, application, b);
      const second = await stage.look('b');
      await stage.look('c');
      await succeed(stage, application, c);
      const third = await stage.look('c');

      expect(waits).toMatchObject([
        { reason: 'SyncInProgress', blocked_on: 'GitOpsDeploymentSyncRun a' },
        { reason: 'SyncInProgress', blocked_on: 'GitOpsDeploymentSyncRun a' },
      ]);
      expect(behind.map(({ operations }) => operations)).toEqual([[], []]);
      expect([first, second, third].map(({ woken }) => woken)).toEqual([['b'], ['c'], []]);
      for (const id of [a, b, c])
        expect(await stage.rowsOf(id)).toMatchObject({ sync: { phase: 'Succeeded' }, operations: [{}] });
    });

    it('go by their age, not by who is looked at first, however many start in the same moment', async () => {
      const stage = await openSyncStage(world);
      const application = await stage.deployment('web');
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      for (const name of names) await stage.syncRun(name, 'web', 'v1');

      const late = await stage.look('f');
      const raced = await Promise.all(names.toReversed().map((name) => stage.look(name)));
      for (const name of names.toReversed()) await stage.look(name);

      expect(late.woken).toEqual(['a']);
      expect(raced.map(({ outcome }) => outcome.kind)).not.toContain('poison');
      expect(await underWay(application)).toEqual({ names: ['a'], known: 6 });
    });

    it('do not wait for one that is refused, nor for one that is over', async () => {
      const stage = await openSyncStage(world);
      const application = await stage.deployment('web');
      await stage.syncRun('a', 'web', 'x'.repeat(300));
      await stage.look('a');
      const b = await stage.syncRun('b', 'web', 'v1');
      await stage.look('b');
      await succeed(stage, application, b);
      await stage.look('b');
      await stage.syncRun('c', 'web', 'v1');

      await stage.look('c');

      expect(await underWay(application)).toEqual({ names: ['c'], known: 2 });
    });

    it('of different deployments do not wait for each other', async () => {
      const stage = await openSyncStage(world);
      await stage.deployment('web');
      await stage.deployment('api');
      const ids = [await stage.syncRun('a', 'web'), await stage.syncRun('b', 'api')];

      await stage.look('a');
      await stage.look('b');

      for (const id of ids) expect((await stage.rowsOf(id)).sync).toMatchObject({ requested: true });
    });

    it('leave the line without a word to Argo CD', async () => {
      const stage = await openSyncStage(world);
      await stage.deployment('web');
      await stage.syncRun('a', 'web', 'v1');
      const id = await stage.syncRun('b', 'web', 'v1');
      await stage.look('a');
      await stage.look('b');

      await stage.remove('b');
      await stage.look('b');

      expect(await stage.rowsOf(id)).toEqual(nothing);
    });
  });
}
