import { describe, expect, it } from 'vitest';
import type { ArgoWorld } from '../../../support/argo-world.ts';
import { configMap, givenApplication, liveValue, manifest } from './given.ts';

const badService = manifest('v1', 'Service', { name: 'web' }, { spec: { ports: [{ port: 99999, targetPort: 80 }] } });

export function describeRefusedObjects(world: () => ArgoWorld): void {
  describe.concurrent('an object that the cluster refuses', () => {
    it('makes the sync fail with what the API server says, and the next commit repairs it', async () => {
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one'), 'web.yaml': badService },
        { syncPolicy: { automated: {}, retry: { limit: 0 } } },
      );

      const status = await app.until('a failure', ({ operationState }) => operationState?.phase === 'Failed');
      const good = manifest('v1', 'Service', { name: 'web' }, { spec: { ports: [{ port: 80 }] } });
      const second = await repository.commit({ 'web.yaml': good });
      await app.refresh();
      const repaired = await app.untilSettled('Synced', 'Healthy');

      const message =
        /Service "web" is invalid: spec\.ports\[0\]\.port: Invalid value: 99999: must be between 1 and 65535, inclusive/;
      expect(status.operationState?.message).toMatch(message);
      expect(status.operationState?.syncResult?.resources).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ kind: 'Service', status: 'SyncFailed', message: expect.stringMatching(message) }),
          expect.objectContaining({ kind: 'ConfigMap', status: 'Synced' }),
        ]),
      );
      expect(repaired.sync?.revision).toBe(second);
      expect(repaired.conditions).toBeUndefined();
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
    });

    it('is not tried again at the same revision: a condition says what happened', async () => {
      const { app, repository } = await givenApplication(
        world(),
        { 'web.yaml': badService },
        { syncPolicy: { automated: { selfHeal: true }, retry: { limit: 0 } } },
      );

      const status = await app.until('a condition', ({ conditions }) => conditions !== undefined);

      expect(status.conditions).toMatchObject([
        {
          type: 'SyncError',
          message: expect.stringMatching(
            new RegExp(`^Failed last sync attempt to \\[?${repository.first}\\]?: .*must be between 1 and 65535`, 's'),
          ),
        },
      ]);
      expect(status.sync).toMatchObject({ status: 'OutOfSync', revision: repository.first });
      expect(status.operationState?.phase).toBe('Failed');
    });

    it('because it does not know its kind is named in the result, and nothing is written', async () => {
      const { app, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one'), 'odd.yaml': manifest('nowhere.example/v1', 'Oddity', { name: 'odd' }) },
        { syncPolicy: { automated: {}, retry: { limit: 0 } } },
      );

      const status = await app.until('a failure', ({ operationState }) => operationState?.phase === 'Failed');

      expect(status.operationState?.message).toMatch(/one or more synchronization tasks are not valid/);
      expect(status.operationState?.syncResult?.resources).toMatchObject([
        {
          group: 'nowhere.example',
          kind: 'Oddity',
          status: 'SyncFailed',
          message: expect.stringMatching(/could not find nowhere\.example\/Oddity/),
        },
      ]);
      expect(await liveValue(world(), namespace, 'one')).toBeUndefined();
    });
  });
}
