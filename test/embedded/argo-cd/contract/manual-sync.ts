import { describe, expect, it } from 'vitest';
import type { ArgoStatus } from '../../../support/argo-application.ts';
import type { ArgoWorld } from '../../../support/argo-world.ts';
import { configMap, configMapPath, givenApplication, liveValue, loadBalancer } from './given.ts';

export function describeManualSync(world: () => ArgoWorld): void {
  describe.concurrent('a manual application', () => {
    it('stays OutOfSync and Missing until an operation is asked for', async () => {
      const { app, repository, namespace } = await givenApplication(world(), { 'one.yaml': configMap('one') });

      const before = await app.untilSettled('OutOfSync', 'Missing');
      await app.refresh();
      expect(await liveValue(world(), namespace, 'one')).toBeUndefined();
      await app.patch({ operation: { initiatedBy: { username: 'alice' }, sync: { revision: repository.first } } });
      const after = await app.untilSettled('Synced', 'Healthy');

      expect(before.operationState).toBeUndefined();
      expect(before.resources).toEqual([
        {
          version: 'v1',
          kind: 'ConfigMap',
          namespace,
          name: 'one',
          status: 'OutOfSync',
          health: { status: 'Missing' },
        },
      ]);
      expect(after.operationState).toMatchObject({
        phase: 'Succeeded',
        operation: { initiatedBy: { username: 'alice' } },
        syncResult: { revision: repository.first },
      });
      expect(after.history).toMatchObject([{ id: 0, revision: repository.first }]);
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
    });

    it('is synced to the revision that the operation names, and is OutOfSync with its branch', async () => {
      const { app, repository, namespace } = await givenApplication(world(), { 'one.yaml': configMap('one') });
      await app.untilSettled('OutOfSync', 'Missing');
      const second = await repository.commit({ 'one.yaml': configMap('one', 'second') });
      await app.refresh();

      await app.patch({ operation: { sync: { revision: repository.first } } });

      const status = await app.until(
        'the sync of the older revision',
        ({ operationState, resources }) =>
          operationState?.phase === 'Succeeded' && resources?.[0]?.health?.status !== 'Missing',
      );
      expect(status.operationState?.syncResult?.revision).toBe(repository.first);
      expect(status.sync).toMatchObject({ status: 'OutOfSync', revision: second });
      expect(status.history).toMatchObject([{ revision: repository.first }]);
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
    });

    it('takes an operation without a revision to its own target revision', async () => {
      const { app, repository, namespace } = await givenApplication(world(), { 'one.yaml': configMap('one') });
      await app.untilSettled('OutOfSync', 'Missing');

      await app.patch({ operation: { sync: {} } });
      const status = await app.untilSettled('Synced', 'Healthy');

      expect(status.operationState?.syncResult?.revision).toBe(repository.first);
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
    });

    it('says where the operation asks for a revision that is not there', async () => {
      const { app } = await givenApplication(world(), { 'one.yaml': configMap('one') });
      await app.untilSettled('OutOfSync', 'Missing');

      await app.patch({ operation: { sync: { revision: 'nowhere' } } });
      const status = await app.until('the end', ({ operationState }) => operationState?.finishedAt !== undefined);

      expect(status.operationState?.phase).toBe('Error');
      expect(status.operationState?.message).toMatch(/unable to resolve 'nowhere' to a commit SHA/);
    });

    it('tries an operation that is a dry run without writing anything', async () => {
      const { app, namespace } = await givenApplication(world(), { 'one.yaml': configMap('one') });
      await app.untilSettled('OutOfSync', 'Missing');

      await app.patch({ operation: { sync: { dryRun: true } } });
      const status = await app.until('the end', ({ operationState }) => operationState?.finishedAt !== undefined);

      expect(status.operationState).toMatchObject({ phase: 'Succeeded', syncResult: { resources: [{ name: 'one' }] } });
      expect(status.history).toBeUndefined();
      expect(await liveValue(world(), namespace, 'one')).toBeUndefined();
    });

    it('prunes only when the operation says so', async () => {
      const { app, repository, namespace } = await givenApplication(world(), {
        'one.yaml': configMap('one'),
        'two.yaml': configMap('two'),
      });
      await app.untilSettled('OutOfSync', 'Missing');
      await app.patch({ operation: { sync: {} } });
      await app.untilSettled('Synced', 'Healthy');
      await repository.commit({ 'two.yaml': null });
      await app.refresh();

      await app.patch({ operation: { sync: {} } });
      const kept = await app.until('the sync without pruning', ({ operationState }) =>
        Boolean(operationState?.syncResult?.resources?.some(({ status }) => status === 'PruneSkipped')),
      );
      expect(await liveValue(world(), namespace, 'two')).toBe('first');
      await app.until('its end', (_status, object) => object.operation === undefined);
      await app.patch({ operation: { sync: { prune: true } } });
      const pruned = await app.untilSettled('Synced', 'Healthy');

      expect(kept.operationState?.phase).toBe('Succeeded');
      expect(resultOf(kept, 'two')).toMatchObject({ status: 'PruneSkipped', message: 'ignored (requires pruning)' });
      expect(resultOf(pruned, 'two')).toMatchObject({ status: 'Pruned', message: 'pruned' });
      await world().untilGone(configMapPath(namespace, 'two'));
    });

    it('ends an operation that is told to terminate', async () => {
      const { app, namespace } = await givenApplication(world(), {
        'first.yaml': loadBalancer('web'),
        'second.yaml': configMap('after', 'first', { annotations: { 'argocd.argoproj.io/sync-wave': '1' } }),
      });
      await app.untilSettled('OutOfSync', 'Missing');
      await app.patch({ operation: { sync: {} } });
      await app.until('the first wave', ({ operationState }) =>
        Boolean(operationState?.syncResult?.resources?.some(({ name }) => name === 'web')),
      );

      await app.patch({ status: { operationState: { phase: 'Terminating' } } });
      const status = await app.until('the end', (_status, object) => object.operation === undefined);

      expect(status.operationState).toMatchObject({ phase: 'Failed', message: 'Operation terminated' });
      expect(await liveValue(world(), namespace, 'after')).toBeUndefined();
    });
  });
}

function resultOf(status: ArgoStatus, name: string) {
  return status.operationState?.syncResult?.resources?.find((resource) => resource.name === name);
}
