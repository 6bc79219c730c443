import { describe, expect, it } from 'vitest';
import type {
  Application,
  OperationState,
  ResourceStatus,
  SyncStatus,
} from '../../../../infra/embedded/argo-cd/application.ts';
import { decideAutoSync } from '../../../../infra/embedded/argo-cd/sync/decide-auto-sync.ts';

const now = Date.parse('2026-11-16T10:00:00Z');
const source = { repoURL: 'https://git.example/app', path: 'over', targetRevision: 'main' };
const outOfSync: SyncStatus = { status: 'OutOfSync', revision: 'b'.repeat(40) };
const changed: ResourceStatus = { version: 'v1', kind: 'ConfigMap', name: 'one', status: 'OutOfSync' };
const extra: ResourceStatus = { ...changed, name: 'old', requiresPruning: true };

type Automated = NonNullable<NonNullable<Application['spec']['syncPolicy']>['automated']>;

function anApplication(automated: Automated | undefined, last?: Partial<OperationState>): Application {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'app' },
    spec: { project: 'default', source, destination: {}, ...(automated && { syncPolicy: { automated } }) },
    status: last === undefined ? {} : { operationState: aState(last) },
  };
}

function aState(given: Partial<OperationState>): OperationState {
  return {
    operation: { sync: {} },
    phase: 'Succeeded',
    startedAt: '2026-11-16T09:59:50Z',
    finishedAt: '2026-11-16T09:59:59Z',
    syncResult: { revision: 'b'.repeat(40), source },
    ...given,
  };
}

describe('an automated application', () => {
  it('is synced to the revision it was compared with', () => {
    const decision = decideAutoSync(anApplication({ prune: true }), outOfSync, [changed], now);

    expect(decision).toEqual({
      do: 'sync',
      operation: {
        sync: { revision: 'b'.repeat(40), source, prune: true },
        initiatedBy: { automated: true },
        retry: { limit: 5 },
      },
    });
  });

  it.each([
    ['it is not automated', anApplication(undefined), outOfSync],
    ['it is switched off', anApplication({ enabled: false }), outOfSync],
    ['it is in sync', anApplication({}), { status: 'Synced' } as const],
    ['nothing is known', anApplication({}), { status: 'Unknown' } as const],
    ['an operation runs', { ...anApplication({}), operation: { sync: {} } }, outOfSync],
    ['it synced this revision already and does not heal itself', anApplication({}, {}), outOfSync],
  ])('is left alone where %s', (_why, app, sync) => {
    expect(decideAutoSync(app, sync, [changed], now)).toEqual({ do: 'nothing' });
  });

  it('is left alone where only pruning is due and it may not prune', () => {
    expect(decideAutoSync(anApplication({}), outOfSync, [extra], now)).toEqual({ do: 'nothing' });
  });

  it('is not tried again at a revision that failed, and says so', () => {
    const app = anApplication({ selfHeal: true }, { phase: 'Failed', message: 'it broke' });

    const decision = decideAutoSync(app, outOfSync, [changed], now);

    const message = `Failed last sync attempt to [${'b'.repeat(40)}]: it broke`;
    expect(decision).toEqual({ do: 'nothing', condition: { type: 'SyncError', message } });
  });

  it('is tried again at another revision, or from another source', () => {
    const failed = { phase: 'Failed' } as const;
    const elsewhere = { ...failed, syncResult: { revision: 'b'.repeat(40), source: { ...source, path: 'other' } } };
    const older = { ...failed, syncResult: { revision: 'a'.repeat(40), source } };

    expect(decideAutoSync(anApplication({}, older), outOfSync, [changed], now).do).toBe('sync');
    expect(decideAutoSync(anApplication({}, elsewhere), outOfSync, [changed], now).do).toBe('sync');
  });

  it('heals only what is out of sync, and counts', () => {
    const well: ResourceStatus = { ...changed, name: 'two', status: 'Synced' };

    const decision = decideAutoSync(anApplication({ selfHeal: true }, {}), outOfSync, [changed, well], now);

    expect(decision).toMatchObject({
      do: 'sync',
      operation: { sync: { autoHealAttemptsCount: 1, resources: [{ kind: 'ConfigMap', name: 'one' }] } },
    });
  });

  it('waits longer each time it heals the same revision', () => {
    const healed = (times: number) =>
      anApplication({ selfHeal: true }, { operation: { sync: { autoHealAttemptsCount: times } } });

    const waits = [1, 2, 3, 9].map((times) => decideAutoSync(healed(times), outOfSync, [changed], now));

    // Two, six, eighteen seconds, and never more than five minutes, of which one second is over.
    expect(waits).toEqual([1_000, 5_000, 17_000, 299_000].map((ms) => ({ do: 'wait', ms })));
  });

  it('does not wipe out everything unless it may be empty', () => {
    const careful = decideAutoSync(anApplication({ prune: true }), outOfSync, [extra], now);
    const allowed = decideAutoSync(anApplication({ prune: true, allowEmpty: true }), outOfSync, [extra], now);

    const message = `Skipping sync attempt to [${'b'.repeat(40)}]: auto-sync will wipe out all resources`;
    expect(careful).toEqual({ do: 'nothing', condition: { type: 'SyncError', message } });
    expect(allowed.do).toBe('sync');
  });
});
