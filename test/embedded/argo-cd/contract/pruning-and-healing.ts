import { describe, expect, it } from 'vitest';
import type { ArgoWorld } from '../../../support/argo-world.ts';
import { automated, configMap, configMapPath, givenApplication, liveValue } from './given.ts';

export function describePruningAndHealing(world: () => ArgoWorld): void {
  describe.concurrent('an object that git no longer has', () => {
    it('is deleted where pruning is on', async () => {
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one'), 'two.yaml': configMap('two') },
        { syncPolicy: { automated: { prune: true } } },
      );
      await app.untilSettled('Synced', 'Healthy');
      const second = await repository.commit({ 'two.yaml': null });

      await app.refresh();
      await world().untilGone(configMapPath(namespace, 'two'));
      const status = await app.untilDeployed(second);

      expect(status.operationState?.syncResult?.resources).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: 'two', status: 'Pruned', message: 'pruned' })]),
      );
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
    });

    it('stays where pruning is off, and is told to require it', async () => {
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one'), 'two.yaml': configMap('two') },
        { syncPolicy: { automated: {} } },
      );
      await app.untilSettled('Synced', 'Healthy');
      const second = await repository.commit({ 'two.yaml': null });

      const status = await app.refresh();

      expect(status.sync).toMatchObject({ status: 'OutOfSync', revision: second });
      expect(status.health?.status).toBe('Healthy');
      expect(status.resources).toEqual([
        { version: 'v1', kind: 'ConfigMap', namespace, name: 'one', status: 'Synced' },
        { version: 'v1', kind: 'ConfigMap', namespace, name: 'two', status: 'OutOfSync', requiresPruning: true },
      ]);
      expect(status.operationState?.syncResult?.revision).toBe(repository.first);
      expect(await liveValue(world(), namespace, 'two')).toBe('first');
    });

    it('stays where it says so itself', async () => {
      const { app, repository, namespace } = await givenApplication(
        world(),
        {
          'one.yaml': configMap('one'),
          'two.yaml': configMap('two', 'first', { annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false' } }),
        },
        { syncPolicy: automated },
      );
      await app.untilSettled('Synced', 'Healthy');
      const second = await repository.commit({ 'one.yaml': configMap('one', 'second'), 'two.yaml': null });

      await app.refresh();
      const status = await app.until(
        'the second commit',
        ({ operationState }) => operationState?.phase === 'Succeeded' && operationState.syncResult?.revision === second,
      );

      expect(status.operationState?.syncResult?.resources).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: 'two', status: 'PruneSkipped' })]),
      );
      expect(await liveValue(world(), namespace, 'two')).toBe('first');
    });

    it('stays where it is the last one, unless the application may be empty', async () => {
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one'), 'README.md': 'words\n' },
        { syncPolicy: { automated: { prune: true } } },
      );
      await app.untilSettled('Synced', 'Healthy');
      const second = await repository.commit({ 'one.yaml': null });

      await app.refresh();
      const kept = await app.until('a refusal', ({ conditions }) => conditions !== undefined);
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
      await app.patch({ spec: { syncPolicy: { automated: { allowEmpty: true } } } });
      await app.refresh();
      await world().untilGone(configMapPath(namespace, 'one'));
      const status = await app.untilSettled('Synced', 'Healthy');

      expect(kept.sync?.status).toBe('OutOfSync');
      expect(kept.conditions).toMatchObject([
        { type: 'SyncError', message: expect.stringMatching(/auto-sync will wipe out all resources/) },
      ]);
      expect(status.sync?.revision).toBe(second);
      expect(status.resources ?? []).toEqual([]);
      expect(status.conditions).toBeUndefined();
    });
  });

  describe.concurrent('an edit by hand', () => {
    it('is taken back where the application heals itself', async () => {
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: automated },
      );
      await app.untilSettled('Synced', 'Healthy');

      await world().api.patch(configMapPath(namespace, 'one'), 'merge', { data: { value: 'by hand' } });
      await world().untilLive(configMapPath(namespace, 'one'), ({ data }) => valueIn(data) === 'first');

      const status = await app.until(
        'the second sync',
        ({ sync, operationState }) =>
          sync?.status === 'Synced' &&
          operationState?.phase === 'Succeeded' &&
          operationState.operation['sync'] !== undefined &&
          'autoHealAttemptsCount' in (operationState.operation['sync'] as object),
      );
      expect(status.sync?.revision).toBe(repository.first);
      expect(status.history).toMatchObject([{ revision: repository.first }]);
    });

    it('stays where it does not, and the application is OutOfSync', async () => {
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: { automated: { prune: true } } },
      );
      await app.untilSettled('Synced', 'Healthy');

      await world().api.patch(configMapPath(namespace, 'one'), 'merge', { data: { value: 'by hand' } });
      await app.until('the edit to be seen', ({ sync }) => sync?.status === 'OutOfSync');
      const status = await app.refresh();

      expect(status.sync).toMatchObject({ status: 'OutOfSync', revision: repository.first });
      expect(status.resources).toMatchObject([{ name: 'one', status: 'OutOfSync' }]);
      expect(status.history).toHaveLength(1);
      expect(await liveValue(world(), namespace, 'one')).toBe('by hand');
    });

    it('that git says nothing about is no difference', async () => {
      const { app, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: { automated: {} } },
      );
      await app.untilSettled('Synced', 'Healthy');

      await world().api.patch(configMapPath(namespace, 'one'), 'merge', {
        metadata: { labels: { mine: 'yes' }, annotations: { mine: 'yes' } },
        data: { more: 'yes' },
      });
      const status = await app.refresh();

      expect(status.sync?.status).toBe('Synced');
      expect(status.history).toHaveLength(1);
    });

    it('that deletes an object is taken back, too', async () => {
      const { app, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: automated },
      );
      await app.untilSettled('Synced', 'Healthy');
      const { body } = await world().api.get(configMapPath(namespace, 'one'));

      await world().api.delete(configMapPath(namespace, 'one'));
      const live = await world().untilLive(
        configMapPath(namespace, 'one'),
        ({ metadata }) => (metadata as { uid: string }).uid !== body.metadata.uid,
      );
      await app.untilSettled('Synced', 'Healthy');

      expect(valueIn(live['data'])).toBe('first');
    });
  });
}

function valueIn(data: unknown): string | undefined {
  return (data as Readonly<Record<string, string>> | undefined)?.['value'];
}
