import { describe, expect, it } from 'vitest';
import { pathOf } from '../../../support/api-world.ts';
import type { ArgoWorld } from '../../../support/argo-world.ts';
import { automated, configMap, configMapPath, deployment, givenApplication, liveValue } from './given.ts';

export function describeDeletion(world: () => ArgoWorld): void {
  describe.concurrent('an application that is deleted', () => {
    it.each(['resources-finalizer.argocd.argoproj.io', 'resources-finalizer.argocd.argoproj.io/background'])(
      'takes what it deployed with it under the finalizer %s',
      async (finalizer) => {
        const { app, namespace } = await givenApplication(
          world(),
          { 'one.yaml': configMap('one'), 'web.yaml': deployment('web', 1, 'registry.example/web:1') },
          { syncPolicy: automated, metadata: { finalizers: [finalizer] } },
        );
        await app.untilSettled('Synced', 'Healthy');
        await world().create(configMapPath(namespace), { metadata: { name: 'of-somebody-else' } });

        await app.delete();
        await app.untilGone();

        expect((await world().api.get(configMapPath(namespace, 'one'))).code).toBe(404);
        await world().untilGone(pathOf('apps/v1', 'deployments', namespace, 'web'));
        expect((await world().api.get(configMapPath(namespace, 'of-somebody-else'))).code).toBe(200);
      },
    );

    it('leaves what it deployed without a finalizer', async () => {
      const { app, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: automated },
      );
      await app.untilSettled('Synced', 'Healthy');

      await app.delete();
      await app.untilGone();

      expect(await liveValue(world(), namespace, 'one')).toBe('first');
    });

    it('takes what it deployed with it also when its source can no longer be read', async () => {
      const { app, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: automated },
      );
      await app.untilSettled('Synced', 'Healthy');
      await app.patch({ spec: { source: { path: 'missing' } } });
      await app.until('an error', ({ conditions }) => conditions !== undefined);

      await app.patch({ metadata: { finalizers: ['resources-finalizer.argocd.argoproj.io/background'] } });
      await app.delete();
      await app.untilGone();

      expect((await world().api.get(configMapPath(namespace, 'one'))).code).toBe(404);
    });

    it('goes although its cluster is not known', async () => {
      const { app } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        {
          metadata: { finalizers: ['resources-finalizer.argocd.argoproj.io'] },
          spec: { destination: { name: 'nowhere', namespace: 'default' } },
        },
      );
      await app.until('an error', ({ conditions }) => conditions !== undefined);

      await app.delete();

      await app.untilGone();
    });
  });

  describe.concurrent('an object that two applications have', () => {
    it('is not written where the application says FailOnSharedResource=true', async () => {
      const first = await givenApplication(world(), { 'one.yaml': configMap('one') }, { syncPolicy: automated });
      await first.app.untilSettled('Synced', 'Healthy');
      const second = await givenApplication(
        world(),
        { 'one.yaml': configMap('one', 'second') },
        {
          syncPolicy: { ...automated, syncOptions: ['FailOnSharedResource=true'], retry: { limit: 0 } },
          namespace: first.namespace,
        },
      );

      const status = await second.app.until('a failure', ({ operationState }) => operationState?.phase === 'Failed');

      expect(status.operationState?.message).toMatch(/Shared resource found/);
      expect(await liveValue(world(), first.namespace, 'one')).toBe('first');
    });

    it('is warned about on the one that does not own it', async () => {
      const first = await givenApplication(world(), { 'one.yaml': configMap('one') }, { syncPolicy: automated });
      await first.app.untilSettled('Synced', 'Healthy');
      const second = await givenApplication(
        world(),
        { 'one.yaml': configMap('one', 'second') },
        { namespace: first.namespace },
      );

      const status = await second.app.until('a warning', ({ conditions }) => conditions !== undefined);

      expect(status.conditions).toMatchObject([
        {
          type: 'SharedResourceWarning',
          message: `ConfigMap/one is part of applications ${world().argoNamespace}/${second.app.name} and ${first.app.name}`,
        },
      ]);
      expect((await first.app.refresh()).conditions).toBeUndefined();
      expect(await liveValue(world(), first.namespace, 'one')).toBe('first');
    });
  });
}
