import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import { printTable } from '../../../../infra/embedded/kubernetes/printing/print-table.ts';
import { aKind } from '../../../support/fake-internal-api.ts';

const now = Date.parse('2026-11-16T10:33:26Z');
const creationTimestamp = '2026-11-16T10:33:05Z';

function row(kind: string, rest: Record<string, unknown>, name = 'one', group = ''): readonly unknown[] | undefined {
  const apiVersion = group === '' ? 'v1' : `${group}/v1`;
  const metadata = { name, creationTimestamp, ...(rest['metadata'] as object) };
  const object: ApiObject = { ...rest, apiVersion, kind, metadata };
  const served = aKind(apiVersion, kind, `${kind.toLowerCase()}s`);
  return printTable({ kind: served, objects: [object], includeObject: 'None', now }).rows?.[0]?.cells;
}

const template = {
  spec: {
    containers: [
      { name: 'c1', image: 'i' },
      { name: 'c2', image: 'j:1' },
    ],
  },
};
const cpu = (target: object) => ({ type: 'Resource', resource: { name: 'cpu', target } });

const rows: Record<string, [kind: string, group: string, rest: Record<string, unknown>, cells: unknown[]]> = {
  'a namespace': ['Namespace', '', { status: { phase: 'Active' } }, ['one', 'Active', '21s']],
  'a config map with texts and bytes': [
    'ConfigMap',
    '',
    { data: { a: 'b' }, binaryData: { x: 'eA==' } },
    ['one', 2, '21s'],
  ],
  'a secret': ['Secret', '', { type: 'Opaque', data: { a: 'Yg==' } }, ['one', 'Opaque', 1, '21s']],
  'a service account': ['ServiceAccount', '', {}, ['one', '21s']],
  'a service with an external name': [
    'Service',
    '',
    { spec: { type: 'ExternalName', externalName: 'foo.bar' } },
    ['one', 'ExternalName', '<none>', 'foo.bar', '<none>', '21s', '<none>'],
  ],
  'a service behind a load balancer that is not there yet': [
    'Service',
    '',
    {
      spec: {
        type: 'LoadBalancer',
        clusterIPs: ['10.0.0.170'],
        ports: [
          { port: 80, nodePort: 30_163, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
        ],
        selector: { b: '1', a: '2' },
      },
    },
    ['one', 'LoadBalancer', '10.0.0.170', '<pending>', '80:30163/TCP,53/UDP', '21s', 'a=2,b=1'],
  ],
  'an event': [
    'Event',
    '',
    {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec.containers{c1}' },
      reason: 'Because',
      message: ' hello ',
      type: 'Normal',
      lastTimestamp: '2026-11-16T10:00:00Z',
      source: { component: 'me', host: 'here' },
    },
    ['33m', 'Normal', 'Because', 'pod/p', 'spec.containers{c1}', 'me, here', 'hello', '<unknown>', 1, 'one'],
  ],
  'a node that nobody has seen': [
    'Node',
    '',
    { metadata: { labels: { 'node-role.kubernetes.io/worker': '' } } },
    ['one', 'Unknown', 'worker', '21s', '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  ],
  'a claim that waits': [
    'PersistentVolumeClaim',
    '',
    { spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
    ['one', 'Pending', '', '', '', '', '<unset>', '21s', 'Filesystem'],
  ],
  'a quota': [
    'ResourceQuota',
    '',
    { status: { hard: { pods: '10', 'limits.cpu': '2', cpu: '1' }, used: { pods: '3' } } },
    ['one', 'cpu: 0/1, pods: 3/10', 'limits.cpu: 0/2', '21s'],
  ],
  'a deployment': [
    'Deployment',
    'apps',
    {
      spec: {
        replicas: 3,
        template,
        selector: {
          matchLabels: { z: '1', app: 'd' },
          matchExpressions: [{ key: 'm', operator: 'In', values: ['y', 'x'] }],
        },
      },
      status: { readyReplicas: 2, updatedReplicas: 1, availableReplicas: 2 },
    },
    ['one', '2/3', 1, 2, '21s', 'c1,c2', 'i,j:1', 'app=d,m in (x,y),z=1'],
  ],
  'a replica set': [
    'ReplicaSet',
    'apps',
    { spec: { replicas: 1, template, selector: { matchLabels: { app: 'd' } } }, status: { replicas: 1 } },
    ['one', 1, 1, 0, '21s', 'c1,c2', 'i,j:1', 'app=d'],
  ],
  'a stateful set': [
    'StatefulSet',
    'apps',
    { spec: { replicas: 1, template } },
    ['one', '0/1', '21s', 'c1,c2', 'i,j:1'],
  ],
  'a job that is done': [
    'Job',
    'batch',
    {
      spec: { completions: 1, template },
      status: {
        succeeded: 1,
        conditions: [{ type: 'Complete', status: 'True' }],
        startTime: '2026-11-16T10:00:00Z',
        completionTime: '2026-11-16T10:03:12Z',
      },
    },
    ['one', 'Complete', '1/1', '3m12s', '21s', 'c1,c2', 'i,j:1', '<none>'],
  ],
  'a cron job': [
    'CronJob',
    'batch',
    { spec: { schedule: '* * * * *', suspend: false, jobTemplate: { spec: { template } } } },
    ['one', '* * * * *', '<none>', 'False', 0, '<none>', '21s', 'c1,c2', 'i,j:1', '<none>'],
  ],
  'an ingress': [
    'Ingress',
    'networking.k8s.io',
    { spec: { rules: ['a.b', 'a.c', 'a.d', 'a.e'].map((host) => ({ host })), tls: [{}] } },
    ['one', '<none>', 'a.b,a.c,a.d + 1 more...', '', '80, 443', '21s'],
  ],
  'a network policy for all pods': [
    'NetworkPolicy',
    'networking.k8s.io',
    { spec: { podSelector: {} } },
    ['one', '<none>', '21s'],
  ],
  'a role': ['Role', 'rbac.authorization.k8s.io', {}, ['one', creationTimestamp]],
  'a role binding': [
    'RoleBinding',
    'rbac.authorization.k8s.io',
    {
      roleRef: { kind: 'Role', name: 'ro' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 'sa', namespace: 'print' },
      ],
    },
    ['one', 'Role/ro', '21s', 'u', 'g', 'print/sa'],
  ],
  'an autoscaler with many targets': [
    'HorizontalPodAutoscaler',
    'autoscaling',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd' },
        minReplicas: 1,
        maxReplicas: 3,
        metrics: [cpu({ averageUtilization: 50 }), cpu({ averageValue: '100m' }), cpu({ averageUtilization: 1 })],
      },
    },
    ['one', 'Deployment/d', 'cpu: <unknown>/50%, cpu: <unknown>/100m + 1 more...', '1', 3, 0, '21s'],
  ],
  'a disruption budget': [
    'PodDisruptionBudget',
    'policy',
    { spec: { maxUnavailable: '25%' } },
    ['one', 'N/A', '25%', 0, '21s'],
  ],
  'a lease': ['Lease', 'coordination.k8s.io', { spec: { holderIdentity: 'me' } }, ['one', 'me', '21s']],
  'a webhook configuration': [
    'ValidatingWebhookConfiguration',
    'admissionregistration.k8s.io',
    { webhooks: [{}, {}] },
    ['one', 2, '21s'],
  ],
  'a definition': ['CustomResourceDefinition', 'apiextensions.k8s.io', {}, ['one', creationTimestamp]],
};

describe('the row of a built-in kind', () => {
  it.each(Object.entries(rows))('shows %s as the real server does', (_what, [kind, group, rest, cells]) => {
    expect(row(kind, rest, 'one', group)).toEqual(cells);
  });

  it('has no rows at all for an empty list of a kind without columns of its own', () => {
    const empty = (kind: string) =>
      printTable({ kind: aKind('v1', kind, 'x'), objects: [], listMeta: {}, includeObject: 'None', now }).rows;

    expect(empty('LimitRange')).toBeNull();
    expect(empty('Secret')).toEqual([]);
  });
});
