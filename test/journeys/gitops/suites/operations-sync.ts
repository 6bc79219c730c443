import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { annotations } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import { syncInfo } from '../../../../shared/domain/gitops/sync.ts';
import { Conflict, Transient } from '../../../../shared/ports/trouble.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { type Look, type OperationStage, openOperationStage } from './operations-stage.ts';

/** Argo CD is asked for a sync, and to stop one. */
export function describeOperationsOfSync(open: () => Promise<GitOpsWorld>): void {
  describe('an operation about a sync', () => {
    let world: GitOpsWorld;
    let stage: OperationStage;
    let application: string;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      stage = await openOperationStage(world);
      application = await stage.application();
      await stage.apply('Application', application);
    });

    const operationOf = (id: string) => ({ info: [syncInfo(id)], sync: { revision: 'main' } });
    /** What Argo CD writes when it begins: it keeps the request until it is done. */
    const begin = (id: string, phase = 'Running') =>
      stage.patchArgo(application, {
        status: { operationState: { operation: operationOf(id), phase, startedAt: '2026-01-01T00:00:00Z' } },
      });
    const finish = (id: string) => stage.patchArgo(application, { operation: null, status: stateOf(id, 'Failed') });
    const stateOf = (id: string, phase: string) => ({
      operationState: { operation: operationOf(id), phase, startedAt: '2026-01-01T00:00:00Z' },
    });

    /** A look while the API server fails at every write, before or after it took effect. */
    async function whileWritesFail(when: 'before' | 'after', look: () => Promise<Look>): Promise<Look> {
      world.connection.trouble = ({ method }, now) =>
        method !== 'GET' && now === when ? new Transient('cluster', 'the API server is away') : undefined;
      try {
        return await look();
      } finally {
        world.connection.trouble = undefined;
      }
    }
    async function requestedOf(id: string) {
      const { metadata, operation } = (await stage.argoApplication(id)) ?? {};
      return { refresh: metadata?.annotations[annotations.argoRefresh.key], info: operation?.['info'] };
    }

    it('CO-18 the refresh is asked for and the sync requested; it is complete when Argo CD has taken it', async () => {
      const id = await stage.sync(application, { revision: 'abc' });

      const asked = await stage.apply('SyncOperation', id);
      const requested = await stage.argoApplication(application);
      await begin(id);
      const taken = await stage.look('SyncOperation', id);

      expect(asked.did).toEqual(['request-sync', 'begin-operation']);
      expect(asked.reason).toBe('SyncRequested');
      expect(requested?.metadata.annotations[annotations.argoRefresh.key]).toBe('normal');
      expect(requested?.operation).toMatchObject({
        initiatedBy: { username: 'stagecoach' },
        info: [syncInfo(id)],
        sync: { revision: 'abc', syncStrategy: { hook: {} } },
      });
      expect(taken.did).toEqual(['complete-operation']);
      expect(taken.woke).toEqual(['sync-run.changed.v1 run']);
    });

    it('defect 41: one that ended before anybody looked is complete all the same', async () => {
      const id = await stage.sync(application);
      await stage.apply('SyncOperation', id);
      await finish(id);

      const { did } = await stage.look('SyncOperation', id);

      expect(did).toEqual(['complete-operation']);
    });

    it('one that Argo CD overlooked is asked for again, after a while and not before', async () => {
      const id = await stage.sync(application);
      await stage.apply('SyncOperation', id);

      const soon = await stage.look('SyncOperation', id, 2);
      const later = await stage.look('SyncOperation', id, 12);

      expect(soon.did).toEqual([]);
      expect(later.did).toEqual(['request-sync']);
    });

    it('it waits while Argo CD is busy with another one', async () => {
      const [first, second] = ['11111111-1111-4111-8111-111111111111', await stage.sync(application)];
      await stage.patchArgo(application, { operation: operationOf(first) });
      await begin(first);

      const busy = await stage.apply('SyncOperation', second);
      await finish(first);
      const free = await stage.look('SyncOperation', second);

      expect([busy.reason, ...busy.did]).toEqual(['AnotherSyncRuns', 'begin-operation']);
      expect(free.did).toEqual(['request-sync']);
    });

    it('CO-21 a conflict while it is requested is looked at again', async () => {
      const id = await stage.sync(application);
      await stage.request('SyncOperation', id);
      // Somebody writes between the look and the request.
      let once = true;
      world.connection.trouble = ({ method }, when) => {
        if (method !== 'PATCH' || when === 'after' || !once) return undefined;
        once = false;
        return new Conflict('somebody wrote first');
      };

      const { did } = await stage.look('SyncOperation', id);
      world.connection.trouble = undefined;

      expect(once).toBe(false);
      expect(did).toEqual(['request-sync', 'begin-operation']);
    });

    it('CO-20 one whose refresh fails is not requested either: the step comes again and asks for both', async () => {
      const id = await stage.sync(application);
      await stage.request('SyncOperation', id);

      const failed = await whileWritesFail('before', () => stage.look('SyncOperation', id));
      const untouched = await stage.argoApplication(application);
      const again = await stage.look('SyncOperation', id);

      expect(failed.outcome).toBe('transient');
      expect(untouched?.operation).toBeUndefined();
      expect(untouched?.metadata.annotations).not.toHaveProperty(annotations.argoRefresh.key);
      expect(again.did).toEqual(['request-sync', 'begin-operation']);
      expect(await requestedOf(application)).toEqual({ refresh: 'normal', info: [syncInfo(id)] });
    });

    it('CO-19 one whose request fails comes again, with the refresh asked for, and is asked of Argo CD once', async () => {
      const id = await stage.sync(application);
      await stage.request('SyncOperation', id);

      const failed = await whileWritesFail('after', () => stage.look('SyncOperation', id));
      const requested = await requestedOf(application);
      const state = await stage.states(id);
      await begin(id);
      const again = await stage.look('SyncOperation', id);

      expect([failed.outcome, ...state]).toEqual(['transient', 'Waiting']);
      expect(requested).toEqual({ refresh: 'normal', info: [syncInfo(id)] });
      expect(again.did).toEqual(['complete-operation']);
    });

    it('CO-25 one that cannot be told to stop is told again', async () => {
      const id = await stage.sync(application);
      await stage.apply('SyncOperation', id);
      await begin(id);
      await stage.look('SyncOperation', id);
      await stage.terminate(id);
      await stage.request('SyncOperation', id);

      const failed = await whileWritesFail('before', () => stage.look('SyncOperation', id));
      const running = await stage.argoApplication(application);
      const again = await stage.look('SyncOperation', id);

      expect(failed.outcome).toBe('transient');
      expect(running?.status?.operationState?.phase).toBe('Running');
      expect(again.did).toEqual(['terminate-sync', 'begin-operation']);
      expect((await stage.argoApplication(application))?.status?.operationState?.phase).toBe('Terminating');
    });

    it('CO-24 one that runs is told to stop, and is complete when it has', async () => {
      const id = await stage.sync(application);
      await stage.apply('SyncOperation', id);
      await begin(id);
      await stage.look('SyncOperation', id);
      await stage.terminate(id);

      const stopping = await stage.apply('SyncOperation', id);
      const told = await stage.argoApplication(application);
      const waiting = await stage.look('SyncOperation', id);
      await finish(id);
      const stopped = await stage.look('SyncOperation', id);

      expect(stopping.did).toEqual(['terminate-sync', 'begin-operation']);
      expect(told?.status?.operationState?.phase).toBe('Terminating');
      expect([waiting.reason, ...waiting.did]).toEqual(['SyncTerminating']);
      expect(stopped.did).toEqual(['complete-operation']);
    });

    it('CX-05 one that never stops is a failure after five minutes', async () => {
      const id = await stage.sync(application);
      await stage.apply('SyncOperation', id);
      await begin(id);
      await stage.look('SyncOperation', id);
      await stage.terminate(id);
      await stage.apply('SyncOperation', id);

      const { did, woke } = await stage.look('SyncOperation', id, 301);

      expect(did).toEqual(['fail-operation']);
      expect(woke).toEqual(['sync-run.changed.v1 run']);
    });

    it('one that was asked for and never begun is withdrawn', async () => {
      const id = await stage.sync(application);
      await stage.apply('SyncOperation', id);
      await stage.terminate(id);

      const { did } = await stage.apply('SyncOperation', id);

      expect(did).toEqual(['withdraw-sync', 'complete-operation', 'complete-operation']);
      expect((await stage.argoApplication(application))?.operation).toBeUndefined();
    });

    it("CO-26 nothing of it runs: nothing is stopped, and nobody else's", async () => {
      const id = await stage.sync(application);
      await stage.terminate(id);
      await stage.patchArgo(application, { operation: operationOf('another') });
      await begin('another');

      const { did } = await stage.apply('SyncOperation', id);

      expect(did).toEqual(['complete-operation']);
      expect((await stage.argoApplication(application))?.status?.operationState?.phase).toBe('Running');
    });

    it('CO-22 a sync without a row is a failure, once', async () => {
      const { did, reason } = await stage.apply('SyncOperation', '22222222-2222-4222-8222-222222222222');

      expect([reason, ...did]).toEqual([undefined, 'fail-operation']);
    });

    it('defect 35: a sync without an application is nothing to do', async () => {
      const id = await stage.sync(null);

      const { did } = await stage.apply('SyncOperation', id);

      expect(did).toEqual(['complete-operation']);
    });
  });
}
