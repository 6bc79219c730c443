import { describe, expect, it } from 'vitest';
import { type DeploymentStatus, describeStatus } from '../../../shared/domain/status/describe-status.ts';
import { mostEntries } from '../../../shared/domain/status/summarize.ts';
import { guestbook, manyResources, untold } from './fixtures.ts';

const now = '2026-03-01T10:05:00Z';
const destination = undefined;

/** What the API server would have after the patch: RFC 7396. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const into: Record<string, unknown> = { ...(target as object | undefined) };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete into[name];
    else into[name] = merged(into[name], value);
  }
  return into;
}

function patched(current: DeploymentStatus, patch: object | undefined): DeploymentStatus {
  return merged(current, patch) as DeploymentStatus;
}

describe('what a deployment is told', () => {
  it('RT-02 everything, the first time, and when it was heard', () => {
    const patch = describeStatus({ status: guestbook, destination, current: untold }, now);

    expect(Object.keys(patch ?? {}).sort()).toEqual([
      'health',
      'observedAt',
      'operationState',
      'reconciledState',
      'resources',
      'sync',
    ]);
    expect(patch).toMatchObject({ observedAt: now, operationState: guestbook.operationState });
  });

  it('RT-02 nothing, where it says so already', () => {
    const told = patched(untold, describeStatus({ status: guestbook, destination, current: untold }, now));

    expect(describeStatus({ status: guestbook, destination, current: told }, 'later')).toBeUndefined();
  });

  it('only what differs, and when it was heard', () => {
    const told = patched(untold, describeStatus({ status: guestbook, destination, current: untold }, now));
    const status = { ...guestbook, health: { status: 'Degraded', message: 'no replicas' } };

    expect(describeStatus({ status, destination, current: told }, 'later')).toEqual({
      health: { status: 'Degraded', message: 'no replicas' },
      observedAt: 'later',
    });
  });

  it('CA-02 a sync that begins does not keep the end of the one before', () => {
    const told = patched(untold, describeStatus({ status: guestbook, destination, current: untold }, now));
    const operationState = { operation: { sync: { revision: 'beef' } }, phase: 'Running', message: '', startedAt: now };
    const status = { ...guestbook, operationState };

    const next = patched(told, describeStatus({ status, destination, current: told }, now));

    expect(next.operationState).toEqual({
      operation: { sync: { revision: 'beef' } },
      phase: 'Running',
      startedAt: now,
    });
    expect(describeStatus({ status, destination, current: next }, now)).toBeUndefined();
  });

  it('CA-02 what Argo CD no longer says goes', () => {
    const told = patched(untold, describeStatus({ status: guestbook, destination, current: untold }, now));
    const status = { resources: [], conditions: [] };

    const next = patched(told, describeStatus({ status, destination, current: told }, now));

    expect(next).toMatchObject({ resources: [] });
    expect(next).not.toHaveProperty('operationState');
    expect(next).not.toHaveProperty('health');
    expect(next).not.toHaveProperty('sync');
  });

  it('a deployment of which nothing is known has its reconciledState nevertheless', () => {
    const status = { resources: [], conditions: [] };

    const told = patched(untold, describeStatus({ status, destination, current: untold }, now));

    expect(told.reconciledState).toEqual({
      source: { path: '', repoURL: '', branch: '' },
      destination: { name: '', namespace: '' },
    });
    expect(describeStatus({ status, destination, current: told }, now)).toBeUndefined();
  });
});

describe('a status that is too large', () => {
  const status = { ...guestbook, resources: manyResources(mostEntries + 1) };

  it('is told whole as long as the API server takes it', () => {
    const patch = describeStatus({ status, destination, current: untold }, now);

    expect(patch?.['resources']).toHaveLength(mostEntries + 1);
    expect(patch).not.toHaveProperty('conditions');
  });

  it('is cut where the API server refused it, and a condition says so', () => {
    const patch = describeStatus({ status, destination, current: untold }, now, { refused: true });

    expect(patch?.['resources']).toHaveLength(mostEntries);
    expect(patch?.['conditions']).toMatchObject([
      { type: 'StatusTruncated', status: 'True', message: expect.stringContaining('1001 resources') },
    ]);
  });

  it('is not tried whole again while it is that long', () => {
    const cut = patched(untold, describeStatus({ status, destination, current: untold }, now, { refused: true }));

    expect(describeStatus({ status, destination, current: cut }, 'later')).toBeUndefined();
  });

  it('is cut without asking where no API server would take it', () => {
    const resources = manyResources(12_000);

    const patch = describeStatus({ status: { ...status, resources }, destination, current: untold }, now);

    expect(patch?.['resources']).toHaveLength(mostEntries);
  });

  it('is whole again, and says so, when it is short enough', () => {
    const cut = patched(untold, describeStatus({ status, destination, current: untold }, now, { refused: true }));

    const patch = describeStatus({ status: guestbook, destination, current: cut }, 'later');

    expect(patch?.['resources']).toHaveLength(2);
    expect(patch?.['conditions']).toMatchObject([{ type: 'StatusTruncated', status: 'False' }]);
  });
});
