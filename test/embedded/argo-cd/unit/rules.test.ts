import { describe, expect, it } from 'vitest';
import type { Application, Condition } from '../../../../infra/embedded/argo-cd/application.ts';
import { setConditions } from '../../../../infra/embedded/argo-cd/compare/conditions.ts';
import { contains, without } from '../../../../infra/embedded/argo-cd/compare/difference.ts';
import { healthOf } from '../../../../infra/embedded/argo-cd/compare/health.ts';
import { isOwnTracking, trackingOf, withTracking } from '../../../../infra/embedded/argo-cd/compare/tracking.ts';
import { type KubeObject, mergePatch } from '../../../../infra/embedded/argo-cd/kube-object.ts';
import { levels, needsRefresh } from '../../../../infra/embedded/argo-cd/needs-refresh.ts';
import { kitchenTime, readDuration, retryDelay } from '../../../../infra/embedded/argo-cd/sync/retry.ts';
import { openTask, orderTasks } from '../../../../infra/embedded/argo-cd/sync/sync-task.ts';

function anObject(kind: string, name: string, rest: Record<string, unknown> = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'apps' }, ...rest };
}

describe('health', () => {
  const deployment = (status: object, spec: object = { replicas: 2 }) =>
    healthOf({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', generation: 2 }, spec, status });
  const rolledOut = { observedGeneration: 2, updatedReplicas: 2, replicas: 2, availableReplicas: 2 };

  it.each([
    ['whose controller has not seen it', { observedGeneration: 1 }, 'Progressing'],
    ['with too few new pods', { ...rolledOut, updatedReplicas: 1 }, 'Progressing'],
    ['with old pods left', { ...rolledOut, replicas: 3 }, 'Progressing'],
    ['with pods that are not ready', { ...rolledOut, availableReplicas: 1 }, 'Progressing'],
    [
      'that took too long',
      { ...rolledOut, conditions: [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded' }] },
      'Degraded',
    ],
    ['that is rolled out', rolledOut, 'Healthy'],
  ])('of a Deployment %s', (_what, status, expected) => {
    expect(deployment(status)?.status).toBe(expected);
  });

  it.each([
    ['a paused Deployment', { apiVersion: 'apps/v1', kind: 'Deployment', spec: { paused: true } }, 'Suspended'],
    ['a Service', { apiVersion: 'v1', kind: 'Service', spec: {} }, 'Healthy'],
    [
      'a Service without its balancer',
      { apiVersion: 'v1', kind: 'Service', spec: { type: 'LoadBalancer' } },
      'Progressing',
    ],
    ['an Ingress without address', { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' }, 'Progressing'],
    ['a lost claim', { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Lost' } }, 'Degraded'],
    ['a running Job', { apiVersion: 'batch/v1', kind: 'Job', status: {} }, 'Progressing'],
    ['a failed Job', { apiVersion: 'batch/v1', kind: 'Job', status: { conditions: [{ type: 'Failed' }] } }, 'Degraded'],
    ['a kind without health', { apiVersion: 'v1', kind: 'ConfigMap' }, undefined],
  ])('of %s', (_what, object, expected) => {
    expect(healthOf({ ...object, metadata: { name: 'a' } })?.status).toBe(expected);
  });

  it('of anything that is being deleted', () => {
    const leaving = {
      ...anObject('ConfigMap', 'a'),
      metadata: { name: 'a', deletionTimestamp: '2026-11-16T10:00:00Z' },
    };

    expect(healthOf(leaving)).toEqual({ status: 'Progressing', message: 'Pending deletion' });
  });
});

describe('the mark of an application', () => {
  it('names the object, and the namespace of the destination where it has none', () => {
    const marked = withTracking(
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'r' } },
      'app',
      'apps',
    );

    expect(marked.metadata.annotations).toEqual({
      'argocd.argoproj.io/tracking-id': 'app:rbac.authorization.k8s.io/ClusterRole:apps/r',
    });
    expect(trackingOf(marked)?.application).toBe('app');
  });

  it('is not believed on a copy', () => {
    const marked = withTracking(anObject('ConfigMap', 'one'), 'app', 'apps');
    const copy = { ...marked, metadata: { ...marked.metadata, name: 'two' } };

    expect(isOwnTracking(marked, undefined)).toBe(true);
    expect(isOwnTracking(copy, undefined)).toBe(false);
  });
});

describe('a sync', () => {
  const task = (kind: string, name: string, wave?: string, prune = false) => {
    const metadata = { name, ...(wave && { annotations: { 'argocd.argoproj.io/sync-wave': wave } }) };
    const object = { apiVersion: 'v1', kind, metadata };
    return openTask({
      target: prune ? undefined : object,
      live: prune ? object : undefined,
      resource: undefined,
      modified: true,
      syncPhase: 'Sync',
      namespace: '',
    });
  };
  const names = (tasks: ReturnType<typeof orderTasks>) =>
    tasks.map(({ target, live }) => (target ?? live)?.metadata.name);

  it('goes by wave, then by kind, then by name', () => {
    const tasks = [
      task('Widget', 'w'),
      task('Deployment', 'd'),
      task('ConfigMap', 'b'),
      task('ConfigMap', 'a'),
      task('Deployment', 'first', '-1'),
    ];

    expect(names(orderTasks(tasks, false))).toEqual(['first', 'a', 'b', 'd', 'w']);
  });

  it('prunes in the opposite order, or last of all', () => {
    const tasks = () => [
      task('ConfigMap', 'one', '1', true),
      task('ConfigMap', 'two', '2', true),
      task('ConfigMap', 'new', '1'),
    ];

    expect(names(orderTasks(tasks(), false))).toEqual(['new', 'two', 'one']);
    expect(names(orderTasks(tasks(), true))).toEqual(['new', 'one', 'two']);
  });
});

describe('a retry', () => {
  it.each([
    [{}, 0, 5_000],
    [{}, 2, 20_000],
    [{}, 20, 180_000],
    [{ backoff: { duration: '1m', factor: 3, maxDuration: '1h' } }, 1, 180_000],
    [{ backoff: { duration: '7' } }, 0, 7_000],
  ])('of %j after %i waits %i ms', (retry, count, ms) => {
    expect(retryDelay(retry, count)).toBe(ms);
  });

  it('cannot be made of words', () => {
    expect(retryDelay({ backoff: { duration: 'soon' } }, 0)).toBeInstanceOf(Error);
    expect(readDuration('1h30m')).toBe(5_400_000);
  });

  it('is announced with the time of day', () => {
    expect(kitchenTime(Date.parse('2026-11-16T00:05:00Z'))).toBe('12:05AM');
    expect(kitchenTime(Date.parse('2026-11-16T15:04:00Z'))).toBe('3:04PM');
  });
});

describe('conditions', () => {
  const now = Date.parse('2026-11-16T10:00:00Z');
  const old: Condition = { type: 'ComparisonError', message: 'same', lastTransitionTime: '2026-01-01T00:00:00Z' };

  it('keep their time while they say the same, and go when they are no longer true', () => {
    expect(setConditions([old], [{ type: 'ComparisonError', message: 'same' }], ['ComparisonError'], now)).toEqual([
      old,
    ]);
    expect(setConditions([old], [], ['ComparisonError'], now)).toEqual([]);
    expect(setConditions([old], [], ['SyncError'], now)).toEqual([old]);
  });
});

describe('a comparison', () => {
  const source = { repoURL: 'https://git.example/a', path: 'p' };
  const app: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'a' },
    spec: { project: 'default', source, destination: { name: 'in-cluster' } },
    status: {
      reconciledAt: '2026-11-16T10:00:00Z',
      sync: { status: 'Synced', comparedTo: { source, destination: { name: 'in-cluster' } } },
    },
  };
  const soon = Date.parse('2026-11-16T10:00:30Z');

  it.each([
    ['nothing changed', app, soon, undefined],
    ['three minutes are over', app, soon + 180_000, { level: levels.resolve, hard: false }],
    ['it was never made', { ...app, status: {} }, soon, { level: levels.resolve, hard: false }],
    [
      'the source changed',
      { ...app, spec: { ...app.spec, source: { ...source, path: 'q' } } },
      soon,
      { level: levels.resolve, hard: false },
    ],
    [
      'the destination changed',
      { ...app, spec: { ...app.spec, destination: { name: 'b' } } },
      soon,
      { level: levels.latest, hard: false },
    ],
    [
      'somebody asks',
      { ...app, metadata: { name: 'a', annotations: { 'argocd.argoproj.io/refresh': 'hard' } } },
      soon,
      { level: levels.resolve, hard: true },
    ],
  ])('is due where %s: %#', (_why, application, now, expected) => {
    expect(needsRefresh(application as Application, levels.none, now, 180_000)).toEqual(expected);
  });

  it('without the right to try sees whether what is wanted is there', () => {
    expect(contains({ a: 1, b: { c: [1, { d: 2, e: 3 }] } }, { b: { c: [1, { d: 2 }] }, f: null })).toBe(true);
    expect(contains({ a: 1 }, { a: 2 })).toBe(false);
    expect(contains({ a: [1, 2] }, { a: [1] })).toBe(false);
  });

  it('leaves out what is to be ignored', () => {
    const object = anObject('Deployment', 'd', { spec: { replicas: 3, 'a/b': 1, list: [1, 2] } });

    expect(without(object, ['/spec/replicas', '/spec/a~1b', '/spec/list/0', '/nowhere/at/all'])['spec']).toEqual({
      list: [2],
    });
    expect(object['spec']).toHaveProperty('replicas', 3);
  });
});

describe('a merge patch', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, undefined],
    [{ a: 1, b: 2 }, { a: 1 }, { b: null }],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
    [{ a: [1] }, { a: [1, 2] }, { a: [1, 2] }],
    [{}, { a: {} }, { a: {} }],
  ])('from %j to %j is %j', (from, to, patch) => {
    expect(mergePatch(from, to)).toEqual(patch);
  });
});
