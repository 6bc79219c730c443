import { describe, expect, it } from 'vitest';
import { cutShort, mostEntries, summarize } from '../../../shared/domain/status/summarize.ts';
import { environmentId, guestbook, manyResources } from './fixtures.ts';

const ownNamespace = { environmentId: 'namespace-uid', environmentName: undefined };
const staging = { environmentId, environmentName: 'staging' };

function comparedWith(name: string) {
  return {
    ...guestbook,
    sync: { status: 'Synced', revision: '', comparedTo: { destination: { name, namespace: 'x' } } },
  };
}

describe('a status of Argo CD in our words', () => {
  it('RT-02 health, sync and what was compared', () => {
    const { health, sync, reconciledState } = summarize(guestbook, ownNamespace);

    expect({ health, sync, reconciledState }).toEqual({
      health: { status: 'Healthy' },
      sync: { status: 'Synced', revision: 'c0ffee' },
      reconciledState: {
        source: { path: 'deploy', repoURL: 'https://git.example/guestbook', branch: 'main' },
        destination: { name: '', namespace: 'team-a' },
      },
    });
  });

  it('RT-06 resources: none stay none, and health that is not there stays away', () => {
    const { resources } = summarize(guestbook, ownNamespace);

    expect(resources).toEqual([
      { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'team-a', name: 'web', status: 'Synced' },
      {
        version: 'v1',
        kind: 'Service',
        namespace: 'team-a',
        name: 'web',
        status: 'OutOfSync',
        health: { status: 'Healthy' },
      },
    ]);
    expect(summarize({ ...guestbook, resources: [] }, ownNamespace).resources).toEqual([]);
  });

  it('RT-07 operationState keeps every field', () => {
    expect(summarize(guestbook, ownNamespace).operationState).toEqual(guestbook.operationState);
    expect(summarize({ ...guestbook, operationState: undefined }, ownNamespace).operationState).toBeUndefined();
  });

  it.each([
    ['RT-04 the environment that the rows name', `managed-env-${environmentId}`, staging, 'staging'],
    ['RT-04 the own cluster has no name', 'in-cluster', staging, ''],
    ['another environment than the rows name', 'managed-env-1c0de000-0000-4000-8000-000000000000', staging, ''],
    ['an environment that is gone', `managed-env-${environmentId}`, undefined, ''],
    ['a cluster that is none of ours', 'production', staging, ''],
  ])('%s', (_what, name, destination, expected) => {
    expect(summarize(comparedWith(name), destination).reconciledState.destination).toEqual({
      name: expected,
      namespace: 'x',
    });
  });

  it('CA-07 an Application that nobody has looked at says nothing', () => {
    const empty = {
      sync: { status: '', revision: '' },
      health: { status: '', message: '' },
      resources: [],
      conditions: [],
    };

    expect(summarize(empty, ownNamespace)).toEqual({
      health: undefined,
      sync: undefined,
      resources: [],
      operationState: undefined,
      reconciledState: { source: { path: '', repoURL: '', branch: '' }, destination: { name: '', namespace: '' } },
    });
  });
});

describe('a status that is too long', () => {
  it('keeps the first entries of its lists and everything else', () => {
    const resources = manyResources(mostEntries + 5);
    const long = {
      ...guestbook,
      resources,
      operationState: { phase: 'Succeeded', message: '', syncResult: { resources } },
    };
    const whole = summarize(long, ownNamespace);

    const short = cutShort(whole);

    expect(short.resources).toEqual(whole.resources.slice(0, mostEntries));
    expect(short.operationState).toEqual({
      phase: 'Succeeded',
      syncResult: { resources: resources.slice(0, mostEntries) },
    });
    expect(short.sync).toBe(whole.sync);
  });

  it('loses nothing where its lists are short', () => {
    const whole = summarize(guestbook, ownNamespace);

    expect(cutShort(whole)).toEqual(whole);
  });
});
