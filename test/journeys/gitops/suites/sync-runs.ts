import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { openSyncStage, operationStateOf } from '../../../support/sync-stage.ts';

const noError = { status: 'False', reason: '', message: '' };
const error = (message: string) => ({ status: 'True', reason: 'ErrorOccurred', message });
const missing = (name: string) =>
  `Unable to retrieve GitOpsDeployment '${name}' referenced by the GitOpsDeploymentSyncRun`;

/** run-sync from a run to its rows and back, with the test in the place of all other functions. */
export function describeSyncRuns(open: () => Promise<GitOpsWorld>): void {
  describe('a sync run', () => {
    let world: GitOpsWorld;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    it('RS-01 RT-01 becomes a row, a mapping and an operation', async () => {
      const stage = await openSyncStage(world);
      const application = await stage.deployment('web');
      const id = await stage.syncRun('first', 'web', 'v1');

      const { outcome } = await stage.look('first');

      expect(outcome).toEqual({ kind: 'stepped', next: 'recheck', effects: 1 });
      expect(await stage.rowsOf(id)).toEqual({
        sync: {
          application,
          deployment: 'web',
          revision: 'v1',
          asked: 'v1',
          desired: 'Running',
          phase: 'Running',
          message: '',
          requested: true,
          finished: false,
        },
        mappings: [{ name: 'first', namespace: stage.namespace.name, uid: stage.namespace.uid, run: id }],
        operations: [{ state: 'Waiting', instance: 'argo', owner: stage.namespace.uid }],
      });
      expect((await stage.statusOf('first')).condition).toBeUndefined();
    });

    it('writes nothing when it is looked at again and nothing has changed', async () => {
      const stage = await openSyncStage(world);
      await stage.deployment('web');
      const id = await stage.syncRun('first', 'web');
      await stage.look('first');
      const before = await stage.rowsOf(id);
      world.connection.asked.splice(0);

      const { outcome } = await stage.look('first');

      expect(outcome).toEqual({ kind: 'stepped', next: 'recheck', effects: 0 });
      expect(await stage.rowsOf(id)).toEqual(before);
      expect(world.connection.asked.map(({ method }) => method)).toEqual(['GET']);
    });

    it.each([
      ['the target revision of its deployment', 'release', 'release'],
      ['HEAD where that is empty, too', '', 'HEAD'],
    ])('without a revision syncs %s (defect 2)', async (_what, targetRevision, revision) => {
      const stage = await openSyncStage(world);
      await stage.deployment('web', { targetRevision });
      const id = await stage.syncRun('first', 'web');

      await stage.look('first');

      expect((await stage.rowsOf(id)).sync).toMatchObject({ revision, asked: '' });
    });

    it('RT-01 with a revision that no row can hold says so and is not tried again', async () => {
      const stage = await openSyncStage(world);
      await stage.deployment('web');
      const id = await stage.syncRun('first', 'web', 'x'.repeat(300));

      const { outcome } = await stage.look('first');

      expect(outcome).toMatchObject({ next: 'settled' });
      expect((await stage.statusOf('first')).condition).toEqual(
        error('the revision is too long: value exceeds maximum size: max: 256, actual: 300'),
      );
      expect(await stage.rowsOf(id)).toEqual({ sync: undefined, mappings: [], operations: [] });
    });

    it('RS-02 says which field cannot change, and takes it back with the change', async () => {
      const stage = await openSyncStage(world);
      await stage.deployment('web');
      await stage.syncRun('first', 'web', 'v1');
      await stage.look('first');

      await stage.change('first', { gitopsDeploymentName: 'api' });
      await stage.look('first');
      const renamed = await stage.statusOf('first');
      await stage.change('first', { gitopsDeploymentName: 'web', revisionID: 'v2' });
      await stage.look('first');
      const moved = await stage.statusOf('first');
      await stage.change('first', { revisionID: 'v1' });
      await stage.look('first');

      expect(renamed.condition).toEqual(
        error('deployment name field is immutable: changing it from its initial value is not supported'),
      );
      expect(moved.condition).toEqual(
        error('revision change is not supported: changing it from its initial value is not supported'),
      );
      expect((await stage.statusOf('first')).condition).toEqual(noError);
    });

    it('RS-05 WL-04 waits for a deployment that does not exist, with a reason, and has no rows', async () => {
      const stage = await openSyncStage(world);
      const id = await stage.syncRun('first', 'web', 'v1');

      await stage.look('first');

      expect((await stage.statusOf('first')).condition).toEqual(error(missing('web')));
      expect(await stage.waitOf('first')).toEqual({
        reason: 'DeploymentMissing',
        blocked_on: 'GitOpsDeployment web',
        message: missing('web'),
      });
      expect(await stage.rowsOf(id)).toEqual({ sync: undefined, mappings: [], operations: [] });
    });

    it('WL-05 starts when the deployment has come, and takes its complaint back', async () => {
      const stage = await openSyncStage(world);
      const id = await stage.syncRun('first', 'web', 'v1');
      await stage.look('first');

      await stage.deployment('web');
      await stage.look('first');

      expect((await stage.statusOf('first')).condition).toEqual(noError);
      expect((await stage.rowsOf(id)).operations).toHaveLength(1);
      expect(await stage.waitOf('first')).toMatchObject({ reason: 'SyncRequested', blocked_on: null });
    });

    it.each(['', 'no/name', '../pods'])('takes %j for the name of a deployment that does not exist', async (name) => {
      const stage = await openSyncStage(world);
      await stage.deployment('web');
      await stage.syncRun('first', name);

      await stage.look('first');

      expect((await stage.statusOf('first')).condition).toEqual(error(missing(name)));
    });

    it('waits a moment for a deployment that was not looked at yet, or has changed meanwhile', async () => {
      const stage = await openSyncStage(world);
      const application = await stage.deployment('web');
      await world.sql`update application set revision = 2 where id = ${application}`;
      const id = await stage.syncRun('first', 'web');

      await stage.look('first');
      const early = await stage.rowsOf(id);
      const wait = await stage.waitOf('first');
      await world.sql`update application set applied_revision = 2 where id = ${application}`;
      await stage.look('first');

      expect(early.operations).toEqual([]);
      expect(wait).toMatchObject({ reason: 'DeploymentNotReady' });
      expect((await stage.rowsOf(id)).operations).toHaveLength(1);
    });

    it('RS-06 is refused where Argo CD syncs by itself, and waits until it does not', async () => {
      const stage = await openSyncStage(world);
      await stage.deployment('web', { type: 'automated' });
      const id = await stage.syncRun('first', 'web', 'v1');

      const { outcome } = await stage.look('first');

      expect(outcome).toMatchObject({ next: 'blocked' });
      expect(await stage.waitOf('first')).toMatchObject({ reason: 'DeploymentAutomated' });
      expect((await stage.statusOf('first')).condition).toEqual(
        error(
          "invalid GitOpsDeploymentSyncRun 'first'. Syncing a GitOpsDeployment with Automated sync policy is not allowed",
        ),
      );
      expect((await stage.rowsOf(id)).sync).toBeUndefined();
    });

    it('ends when Argo CD shows its end, though nobody said so (defect 41), and stays as it was then', async () => {
      const stage = await openSyncStage(world);
      const application = await stage.deployment('web');
      const id = await stage.syncRun('first', 'web', 'v1');
      await stage.look('first');

      const health = { status: 'Healthy', message: '' };
      const operationState = operationStateOf(id, 'v1');
      await stage.argoSays(application, { sync: { status: 'Synced' }, health, operationState });
      const { outcome } = await stage.look('first');
      await stage.argoSays(application, { sync: { status: 'OutOfSync' }, health: { status: 'Degraded' } });
      await stage.look('first');

      expect(outcome).toMatchObject({ next: 'settled' });
      expect(await stage.statusOf('first')).toEqual({ condition: noError, syncStatus: 'Synced', health });
      expect((await stage.rowsOf(id)).sync).toMatchObject({ phase: 'Succeeded', finished: true });
      expect(await stage.waitOf('first')).toBeUndefined();
    });

    it('shows how it failed (defect 25)', async () => {
      const stage = await openSyncStage(world);
      const application = await stage.deployment('web');
      const id = await stage.syncRun('first', 'web', 'v1');
      await stage.look('first');

      const operationState = operationStateOf(id, 'v1', { phase: 'Failed', message: 'namespaces "x" not found' });
      const health = { status: 'Missing', message: '' };
      await stage.argoSays(application, { sync: { status: 'OutOfSync' }, health, operationState });
      await stage.look('first');

      const condition = error('namespaces "x" not found');
      expect(await stage.statusOf('first')).toEqual({ condition, syncStatus: 'OutOfSync', health });
      expect((await stage.rowsOf(id)).sync).toMatchObject({ phase: 'Failed', message: 'namespaces "x" not found' });
    });

    it('is stopped after an hour, and says so', async () => {
      const stage = await openSyncStage(world);
      const application = await stage.deployment('web');
      const id = await stage.syncRun('first', 'web', 'v1');
      await stage.look('first');
      await stage.operationsEnd(id);

      await world.sql`update sync_operation set requested_at = now() - interval '61 minutes' where id = ${id}`;
      await stage.argoSays(application, { operationState: operationStateOf(id, 'v1', { phase: 'Running' }) });
      await stage.look('first');

      const { sync, operations } = await stage.rowsOf(id);
      expect(sync).toMatchObject({ phase: 'Error', finished: true, desired: 'Terminated' });
      expect(operations.map(({ state }) => state)).toEqual(['Completed', 'Waiting']);
      expect((await stage.statusOf('first')).condition).toEqual(error(String(sync?.['message'])));
    });
  });
}
