import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import { printTable } from '../../../../infra/embedded/kubernetes/printing/print-table.ts';
import { aKind } from '../../../support/fake-internal-api.ts';

const now = Date.parse('2026-11-16T10:00:00Z');
const ready = { type: 'Ready', status: 'True' };

interface Case {
  readonly spec?: object;
  readonly status?: object;
  readonly metadata?: object;
  /** Ready, status and restarts. */
  readonly shows: [string, string, string];
}

const pods: Record<string, Case> = {
  'is pending before anything happened': { status: { phase: 'Pending' }, shows: ['0/1', 'Pending', '0'] },
  'runs when its container runs and is ready': {
    status: {
      phase: 'Running',
      conditions: [ready],
      containerStatuses: [{ name: 'c', ready: true, state: { running: {} } }],
    },
    shows: ['1/1', 'Running', '0'],
  },
  'tells why a container waits': {
    status: {
      phase: 'Pending',
      containerStatuses: [{ name: 'c', state: { waiting: { reason: 'ImagePullBackOff' } } }],
    },
    shows: ['0/1', 'ImagePullBackOff', '0'],
  },
  'tells how often and how long ago it was restarted': {
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'c',
          ready: true,
          restartCount: 3,
          state: { running: {} },
          lastState: { terminated: { finishedAt: '2026-11-16T09:55:00Z' } },
        },
      ],
    },
    shows: ['1/1', 'Running', '3 (5m ago)'],
  },
  'tells with which code it ended': {
    status: { phase: 'Failed', containerStatuses: [{ name: 'c', state: { terminated: { exitCode: 2 } } }] },
    shows: ['0/1', 'ExitCode:2', '0'],
  },
  'is completed when all is done': {
    status: {
      phase: 'Succeeded',
      containerStatuses: [{ name: 'c', state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
    },
    shows: ['0/1', 'Completed', '0'],
  },
  'counts what must run before it': {
    spec: { initContainers: [{ name: 'a' }, { name: 'b' }], containers: [{ name: 'c' }] },
    status: {
      phase: 'Pending',
      initContainerStatuses: [
        { name: 'a', state: { terminated: { exitCode: 0 } } },
        { name: 'b', state: { running: {} } },
      ],
    },
    shows: ['0/1', 'Init:1/2', '0'],
  },
  'tells what failed before it': {
    spec: { initContainers: [{ name: 'a' }], containers: [{ name: 'c' }] },
    status: {
      phase: 'Pending',
      initContainerStatuses: [{ name: 'a', state: { terminated: { exitCode: 1, reason: 'Error' } } }],
    },
    shows: ['0/1', 'Init:Error', '0'],
  },
  'counts a companion that runs along': {
    spec: { initContainers: [{ name: 's', restartPolicy: 'Always' }], containers: [{ name: 'c' }] },
    status: {
      phase: 'Running',
      initContainerStatuses: [{ name: 's', started: true, ready: true, state: { running: {} } }],
      containerStatuses: [{ name: 'c', ready: true, state: { running: {} } }],
    },
    shows: ['2/2', 'Running', '0'],
  },
  'is terminating once it is deleted': {
    metadata: { deletionTimestamp: '2026-11-16T09:59:00Z' },
    status: { phase: 'Running' },
    shows: ['0/1', 'Terminating', '0'],
  },
};

function rowOf({ spec, status, metadata }: Case) {
  const pod: ApiObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', ...metadata },
    spec: spec ?? { containers: [{ name: 'c' }] },
    status: status ?? {},
  };
  return printTable({ kind: aKind('v1', 'Pod', 'pods'), objects: [pod], includeObject: 'None', now }).rows?.[0];
}

describe('the row of a pod', () => {
  it.each(Object.entries(pods))('%s', (_rule, pod) => {
    expect(rowOf(pod)?.cells.slice(1, 4)).toEqual(pod.shows);
  });

  it('is marked when the pod has ended', () => {
    const marks = (phase: string) => rowOf({ status: { phase }, shows: ['', '', ''] })?.conditions;

    expect(marks('Succeeded')).toMatchObject([{ type: 'Completed', status: 'True', reason: 'Succeeded' }]);
    expect(marks('Failed')).toMatchObject([{ type: 'Completed', status: 'True', reason: 'Failed' }]);
    expect(marks('Running')).toBeUndefined();
  });
});
