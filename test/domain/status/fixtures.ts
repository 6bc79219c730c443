import type { ArgoStatus } from '../../../shared/domain/status/argo-status.ts';
import type { DeploymentStatus } from '../../../shared/domain/status/describe-status.ts';

export const environmentId = '0b6b3c3e-3f53-4c8e-8d4a-111111111111';

export const guestbook: ArgoStatus = {
  sync: {
    status: 'Synced',
    revision: 'c0ffee',
    comparedTo: {
      source: { repoURL: 'https://git.example/guestbook', path: 'deploy', targetRevision: 'main' },
      destination: { name: 'in-cluster', namespace: 'team-a' },
    },
  },
  health: { status: 'Healthy', message: '' },
  resources: [
    { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'team-a', name: 'web', status: 'Synced' },
    {
      group: '',
      version: 'v1',
      kind: 'Service',
      namespace: 'team-a',
      name: 'web',
      status: 'OutOfSync',
      health: { status: 'Healthy', message: '' },
    },
  ],
  conditions: [],
  operationState: {
    operation: {
      sync: { revision: 'c0ffee', prune: true, syncOptions: ['PrunePropagationPolicy=background'] },
      initiatedBy: { automated: true },
      info: [{ name: 'reason', value: 'commit' }],
      retry: { limit: -1 },
    },
    phase: 'Succeeded',
    message: 'successfully synced (all tasks run)',
    syncResult: {
      revision: 'c0ffee',
      revisions: ['c0ffee'],
      resources: [{ kind: 'Service', name: 'web', hookPhase: 'Running' }],
      source: { repoURL: 'https://git.example/guestbook' },
    },
    startedAt: '2026-03-01T10:00:00Z',
    finishedAt: '2026-03-01T10:00:05Z',
    retryCount: 2,
  },
  reconciledAt: '2026-03-01T10:00:06Z',
  history: [{ id: 1, revision: 'c0ffee' }],
};

export const untold: DeploymentStatus = { conditions: [], resources: [] };

export function manyResources(count: number): ArgoStatus['resources'] {
  return Array.from({ length: count }, (_nothing, index) => ({
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    namespace: 'team-a',
    name: `map-${index}`,
    status: 'Synced',
  }));
}
