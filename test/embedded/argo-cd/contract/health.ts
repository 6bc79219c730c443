import { describe, expect, it } from 'vitest';
import { pathOf } from '../../../support/api-world.ts';
import type { ArgoStatus } from '../../../support/argo-application.ts';
import type { ArgoWorld } from '../../../support/argo-world.ts';
import { automated, configMap, deployment, givenApplication, liveValue, loadBalancer, manifest } from './given.ts';

export function describeHealth(world: () => ArgoWorld): void {
  describe.concurrent('the health of an application', () => {
    it('is Progressing while a Service waits for its address, and Healthy when it has one', async () => {
      const { app, namespace } = await givenApplication(
        world(),
        { 'web.yaml': loadBalancer('web'), 'one.yaml': configMap('one') },
        { syncPolicy: automated },
      );

      const waiting = await app.untilSettled('Synced', 'Progressing');
      await world().api.patch(pathOf('v1', 'services', namespace, 'web', 'status'), 'merge', {
        status: { loadBalancer: { ingress: [{ ip: '10.1.2.3' }] } },
      });
      const ready = await app.untilSettled('Synced', 'Healthy');

      expect(waiting.operationState?.phase).toBe('Succeeded');
      expect(healthOf(waiting, 'web')).toMatchObject({ status: 'Progressing' });
      expect(healthOf(waiting, 'one')).toBeUndefined();
      expect(healthOf(ready, 'web')).toMatchObject({ status: 'Healthy' });
    });

    it('is Suspended while a Deployment is paused', async () => {
      const { app } = await givenApplication(
        world(),
        { 'web.yaml': deployment('web', 1, 'registry.example/web:1', { paused: true }) },
        { syncPolicy: automated },
      );

      const status = await app.untilSettled('Synced', 'Suspended');

      expect(healthOf(status, 'web')).toMatchObject({ status: 'Suspended' });
    });

    it('is Degraded when a Pod has failed, worse than what is in progress', async () => {
      const { app, namespace } = await givenApplication(
        world(),
        {
          'web.yaml': loadBalancer('web'),
          'pod.yaml': manifest(
            'v1',
            'Pod',
            { name: 'alone' },
            { spec: { containers: [{ name: 'main', image: 'registry.example/web:1' }] } },
          ),
        },
        { syncPolicy: automated },
      );
      await app.untilSettled('Synced', 'Progressing');
      const pod = pathOf('v1', 'pods', namespace, 'alone');
      await world().untilLive(pod, ({ status }) => (status as { phase?: string }).phase === 'Running');

      await world().api.patch(`${pod}/status`, 'merge', {
        status: { phase: 'Failed', message: 'The node was shut down' },
      });
      const status = await app.untilSettled('Synced', 'Degraded');

      expect(healthOf(status, 'alone')).toEqual({ status: 'Degraded', message: 'The node was shut down' });
      expect(healthOf(status, 'web')).toMatchObject({ status: 'Progressing' });
    });

    it('keeps a later wave waiting until the earlier one is healthy', async () => {
      const { app, namespace } = await givenApplication(
        world(),
        {
          'first.yaml': loadBalancer('web'),
          'second.yaml': configMap('after', 'first', { annotations: { 'argocd.argoproj.io/sync-wave': '1' } }),
        },
        { syncPolicy: automated },
      );

      const waiting = await app.until(
        'the first wave',
        ({ operationState, health }) =>
          operationState?.phase === 'Running' &&
          operationState.syncResult?.resources?.some(({ name }) => name === 'web') === true &&
          health?.status !== undefined,
      );
      expect(await liveValue(world(), namespace, 'after')).toBeUndefined();
      await world().api.patch(pathOf('v1', 'services', namespace, 'web', 'status'), 'merge', {
        status: { loadBalancer: { ingress: [{ ip: '10.1.2.3' }] } },
      });
      await app.untilSettled('Synced', 'Healthy');

      expect(waiting.operationState?.message).toMatch(/waiting for healthy state of \/Service\/web/);
      expect(await liveValue(world(), namespace, 'after')).toBe('first');
    });
  });
}

function healthOf(status: ArgoStatus, name: string) {
  return status.resources?.find((resource) => resource.name === name)?.health;
}
