import { describe, expect, it } from 'vitest';
import { pathOf } from '../../../support/api-world.ts';
import type { ArgoWorld } from '../../../support/argo-world.ts';
import { automated, configMap, deployment, givenApplication, liveValue } from './given.ts';

export function describeGitChanges(world: () => ArgoWorld): void {
  describe.concurrent('a change in git', () => {
    it.each(['normal', 'hard'] as const)(
      'is deployed after a %s refresh, and the annotation is taken away',
      async (kind) => {
        const { app, repository, namespace } = await givenApplication(
          world(),
          { 'one.yaml': configMap('one') },
          { syncPolicy: automated },
        );
        await app.untilSettled('Synced', 'Healthy');
        const second = await repository.commit({ 'one.yaml': configMap('one', 'second') });

        const refreshed = await app.refresh(kind);
        const status = await app.untilDeployed(second);

        expect(refreshed.sync?.revision).toBe(second);
        expect(status.sync?.revision).toBe(second);
        expect(status.history).toMatchObject([
          { id: 0, revision: repository.first },
          { id: 1, revision: second },
        ]);
        expect(status.operationState?.syncResult?.resources).toMatchObject([{ name: 'one', status: 'Synced' }]);
        expect(await liveValue(world(), namespace, 'one')).toBe('second');
      },
    );

    it('that touches nothing of the application moves its revision without a sync', async () => {
      const { app, repository } = await givenApplication(
        world(),
        { 'mine/one.yaml': configMap('one') },
        { path: 'mine', syncPolicy: automated },
      );
      await app.untilSettled('Synced', 'Healthy');
      const second = await repository.commit({ 'other/two.yaml': configMap('two') });

      const status = await app.refresh();

      expect(status.sync).toMatchObject({ status: 'Synced', revision: second });
      expect(status.operationState?.syncResult?.revision).toBe(repository.first);
      expect(status.history).toHaveLength(1);
    });

    it('of replicas and image reaches the Deployment, whose new pods become ready', async () => {
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'web.yaml': deployment('web', 1, 'registry.example/web:1') },
        { syncPolicy: automated },
      );
      await app.untilSettled('Synced', 'Healthy');
      const second = await repository.commit({ 'web.yaml': deployment('web', 3, 'registry.example/web:2') });

      await app.refresh();
      await app.untilDeployed(second);
      await app.until(
        'all three to be ready',
        ({ health, summary }) => health?.status === 'Healthy' && summary?.images?.join() === 'registry.example/web:2',
      );

      const { body } = await world().api.get(pathOf('apps/v1', 'deployments', namespace, 'web'));
      expect(body.status).toMatchObject({ readyReplicas: 3, updatedReplicas: 3 });
    });

    it('is not deployed by an application that is not automated', async () => {
      const { app, repository, namespace } = await givenApplication(world(), { 'one.yaml': configMap('one') });
      await app.untilSettled('OutOfSync', 'Missing');
      await app.patch({ operation: { sync: {} } });
      await app.untilSettled('Synced', 'Healthy');
      const second = await repository.commit({ 'one.yaml': configMap('one', 'second') });

      const status = await app.refresh();

      expect(status.sync).toMatchObject({ status: 'OutOfSync', revision: second });
      expect(status.health?.status).toBe('Healthy');
      expect(status.resources).toMatchObject([{ name: 'one', status: 'OutOfSync' }]);
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
    });

    it('leaves an application alone that nothing has changed for', async () => {
      const { app, repository } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: { automated: {} } },
      );
      await app.untilDeployed(repository.first);
      const before = await app.refresh();
      const { metadata } = (await app.read()) ?? {};

      // Whatever it does about another one, it had time to do about this one, too.
      const other = await givenApplication(world(), { 'one.yaml': configMap('one') }, { syncPolicy: automated });
      await other.app.untilSettled('Synced', 'Healthy');
      await other.app.refresh();

      const after = await app.read();
      expect(after?.metadata.resourceVersion).toBe(metadata?.resourceVersion);
      expect(after?.status).toEqual(before);
    });
  });

  describe.concurrent('the target revision', () => {
    it.each([
      ['a branch', 'release'],
      ['a branch with its whole name', 'refs/heads/release'],
      ['a tag', 'v1.0.0'],
      ['an annotated tag', 'v1.0.1'],
    ])('may be %s: %s', async (_what, targetRevision) => {
      const repository = await world().git.repository({ 'one.yaml': configMap('one', 'on main') });
      const released = await repository.commit({ 'one.yaml': configMap('one', 'released') }, 'release');
      await repository.tag('v1.0.0');
      await repository.tag('v1.0.1', 'with a message');
      const namespace = await world().namespace();
      const app = await world().application({
        source: { repoURL: repository.url, path: '.', targetRevision },
        destination: { name: 'in-cluster', namespace },
        syncPolicy: automated,
      });

      const status = await app.untilSettled('Synced', 'Healthy');

      expect(status.sync?.revision).toBe(released);
      expect(status.sync?.comparedTo?.source?.targetRevision).toBe(targetRevision);
      expect(await liveValue(world(), namespace, 'one')).toBe('released');
    });

    it('may be HEAD, or be missing: the default branch then', async () => {
      const { app, repository } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { targetRevision: 'HEAD', syncPolicy: automated },
      );
      await app.untilSettled('Synced', 'Healthy');
      const second = await repository.commit({ 'one.yaml': configMap('one', 'second') });

      await app.patch({ spec: { source: { targetRevision: null } } });
      const status = await app.until('the second commit', ({ sync }) => sync?.revision === second);

      expect(status.sync?.comparedTo?.source).toEqual({ repoURL: repository.url, path: '.' });
    });

    it('may be a commit, and a change of it is followed without a refresh', async () => {
      const { app, repository, namespace } = await givenApplication(world(), { 'one.yaml': configMap('one') });
      const second = await repository.commit({ 'one.yaml': configMap('one', 'second') });
      await repository.commit({ 'one.yaml': configMap('one', 'third') });

      await app.patch({ spec: { source: { targetRevision: repository.first }, syncPolicy: automated } });
      await app.untilDeployed(repository.first);
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
      await app.patch({ spec: { source: { targetRevision: second } } });
      await app.untilDeployed(second);

      expect(await liveValue(world(), namespace, 'one')).toBe('second');
    });

    it('that is not there is a ComparisonError, and is followed as soon as it is', async () => {
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { targetRevision: 'later', syncPolicy: automated },
      );

      const broken = await app.until('an error', ({ conditions }) => conditions !== undefined);
      const second = await repository.commit({ 'one.yaml': configMap('one', 'second') }, 'later');
      await app.refresh();
      const repaired = await app.untilSettled('Synced', 'Healthy');

      expect(broken.sync?.status).toBe('Unknown');
      expect(broken.conditions).toMatchObject([
        { type: 'ComparisonError', message: expect.stringMatching(/unable to resolve 'later' to a commit SHA/) },
      ]);
      expect(repaired.sync?.revision).toBe(second);
      expect(repaired.conditions).toBeUndefined();
      expect(await liveValue(world(), namespace, 'one')).toBe('second');
    });
  });
}
