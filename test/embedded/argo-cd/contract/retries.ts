import { describe, expect, it } from 'vitest';
import { freshName } from '../../../support/api-world.ts';
import type { ArgoStatus } from '../../../support/argo-application.ts';
import type { ArgoWorld } from '../../../support/argo-world.ts';
import { configMap, givenApplication, liveValue, manifest } from './given.ts';

const backoff = { duration: '1s', factor: 1, maxDuration: '1s' };
const endless = { automated: {}, retry: { limit: -1, backoff } };
const service = (port: number) =>
  manifest('v1', 'Service', { name: 'web' }, { spec: { ports: [{ port, targetPort: 80 }] } });

export function describeRetries(world: () => ArgoWorld): void {
  describe.concurrent('a sync that fails', () => {
    it('is tried again as often as the limit says, and then has failed', async () => {
      const { app } = await givenApplication(
        world(),
        { 'web.yaml': service(99999) },
        { syncPolicy: { automated: {}, retry: { limit: 1, backoff: { duration: '2s', factor: 1 } } } },
      );

      const waiting = await app.until('a retry', ({ operationState }) =>
        /Retrying attempt/.test(operationState?.message ?? ''),
      );
      const ended = await app.until('the end', ({ operationState }) => operationState?.phase === 'Failed');

      expect(waiting.operationState).toMatchObject({
        phase: 'Running',
        retryCount: 1,
        message: expect.stringMatching(/must be between 1 and 65535.*Retrying attempt #1 at/s),
      });
      expect(ended.operationState).toMatchObject({
        retryCount: 1,
        message: expect.stringMatching(/must be between 1 and 65535.*\(retried 1 times\)/s),
      });
    });

    it('is tried again without end under the limit -1, and succeeds when the cause is gone', async () => {
      const namespace = freshName('late');
      const { app, repository } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { namespace, syncPolicy: endless },
      );
      await app.until('a retry', ({ operationState }) => (operationState?.retryCount ?? 0) >= 1);

      await world().create('/api/v1/namespaces', { metadata: { name: namespace } });
      const status = await app.untilDeployed(repository.first);

      expect(status.operationState?.retryCount).toBeGreaterThanOrEqual(1);
      expect(status.history).toMatchObject([{ id: 0, revision: repository.first }]);
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
    });

    it('keeps to the revision that it began with, until it is terminated', async () => {
      const { app, repository } = await givenApplication(
        world(),
        { 'web.yaml': service(99999) },
        { syncPolicy: endless },
      );
      await app.until('a retry', ({ operationState }) => (operationState?.retryCount ?? 0) >= 1);
      const second = await repository.commit({ 'web.yaml': service(80) });

      await app.refresh();
      const stuck = await app.until(
        'another retry',
        ({ sync, operationState }) => sync?.revision === second && (operationState?.retryCount ?? 0) >= 3,
      );
      await app.patch({ status: { operationState: { phase: 'Terminating' } } });
      const status = await app.untilDeployed(second);

      expect(revisionAsked(stuck)).toBe(repository.first);
      expect(status.conditions).toBeUndefined();
    });

    it('goes on with the newest revision where the retry says refresh', async () => {
      const { app, repository } = await givenApplication(
        world(),
        { 'web.yaml': service(99999) },
        { syncPolicy: { automated: {}, retry: { limit: -1, backoff, refresh: true } } },
      );
      await app.until('a retry', ({ operationState }) => (operationState?.retryCount ?? 0) >= 1);
      const second = await repository.commit({ 'web.yaml': service(80) });

      await app.refresh();
      const status = await app.untilDeployed(second);

      expect(status.operationState?.retryCount).toBeGreaterThanOrEqual(1);
    });
  });
}

function revisionAsked({ operationState }: ArgoStatus): string | undefined {
  return (operationState?.operation['sync'] as { revision?: string } | undefined)?.revision;
}
