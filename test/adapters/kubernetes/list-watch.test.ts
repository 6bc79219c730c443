import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ListWatchSettings } from '../../../shared/adapters/kubernetes/list-watch.ts';
import { type FakeWatchServer, startFakeWatchServer } from '../../support/fake-watch-server.ts';
import { follow, openReceiver, openStepClock, thing, things } from './follow.ts';

describe('a list and watch', () => {
  let server: FakeWatchServer;
  let receiver: ReturnType<typeof openReceiver>;
  let clock: ReturnType<typeof openStepClock>;
  let following: ReturnType<typeof follow> | undefined;

  beforeEach(async () => {
    server = await startFakeWatchServer();
    receiver = openReceiver();
    clock = openStepClock();
  });
  afterEach(async () => {
    await following?.stop();
    await server.stop();
  });

  async function start(settings: Partial<ListWatchSettings> = {}): Promise<ReturnType<typeof follow>> {
    following = follow(server, receiver.onEvents, { pace: clock.pace, ...settings });
    await server.watching(things);
    return following;
  }

  /** An object whose arrival tells that all before it has arrived, too. */
  async function settle(): Promise<void> {
    const { resourceVersion } = server.put(things, thing('last')).metadata;
    await receiver.until(() => receiver.world()['team-a/last'] === resourceVersion);
  }

  const lists = () => server.requests.filter(({ kind }) => kind === 'list').length;
  const watches = () => server.requests.filter(({ kind }) => kind === 'watch');

  it('tells everything that is there, page by page, and then every change in its order', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) server.put(things, thing(name));

    await start({ pageSize: 2 });
    server.put(things, thing('b', 2));
    server.remove(things, { name: 'c', namespace: 'team-a' });
    await settle();

    expect(receiver.inWords()).toEqual([
      'ADDED a',
      'ADDED b',
      'ADDED c',
      'ADDED d',
      'ADDED e',
      'MODIFIED b',
      'DELETED c',
      'ADDED last',
    ]);
    expect(receiver.told.at(0)?.object).toMatchObject({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      spec: { size: 1 },
    });
    expect(lists()).toBe(3);
  });

  it('goes on where it was when the server closes the watch, without a new list', async () => {
    server.put(things, thing('a'));
    await start();
    server.bookmark();
    server.put(things, thing('b'));
    const seen = server.version;
    await receiver.until(() => 'team-a/b' in receiver.world());

    server.closeWatches();
    server.put(things, thing('c'));
    await settle();

    expect(receiver.inWords()).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'ADDED last']);
    expect(lists()).toBe(1);
    expect(watches().at(-1)?.query.get('resourceVersion')).toBe(seen);
    expect(watches().at(-1)?.query.get('allowWatchBookmarks')).toBe('true');
    expect(following?.state().restarts).toBe(0);
  });

  it('resumes from a bookmark, which is newer than the last event', async () => {
    server.put(things, thing('a'));
    await start();
    server.put('/apis/example.com/v1/others', thing('elsewhere'));
    server.bookmark();
    const marked = server.version;

    server.closeWatches();
    await server.until(() => watches().length === 2);

    expect(watches().at(-1)?.query.get('resourceVersion')).toBe(marked);
  });

  it.each(['event', 'status'] as const)(
    'lists again after 410 told by %s, and tells exactly what happened in the gap',
    async (as) => {
      for (const name of ['changed', 'deleted', 'same', 'earlier']) server.put(things, thing(name));
      await start();
      server.remove(things, { name: 'earlier', namespace: 'team-a' });
      await receiver.until(() => receiver.inWords().includes('DELETED earlier'));
      const before = receiver.told.length;

      server.goSilent();
      server.put(things, thing('changed', 2));
      server.remove(things, { name: 'deleted', namespace: 'team-a' });
      server.put(things, thing('new'));
      server.expireHistory({ as });
      server.closeWatches();
      await server.until(() => lists() === 2);
      await server.watching(things);
      await settle();

      expect(receiver.inWords().slice(before).sort()).toEqual([
        'ADDED last',
        'ADDED new',
        'DELETED deleted',
        'MODIFIED changed',
      ]);
    },
  );

  it('gives a deletion it did not see the version of the list, so that nobody takes it for old news', async () => {
    const seen = server.put(things, thing('deleted'));
    await start();
    await receiver.until(() => receiver.told.length === 1);

    server.goSilent();
    server.remove(things, { name: 'deleted', namespace: 'team-a' });
    server.expireHistory();
    const listed = server.version;
    server.closeWatches();
    await receiver.until(() => receiver.told.length === 2);

    expect(receiver.told.at(-1)).toEqual({
      type: 'DELETED',
      object: {
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        metadata: { name: 'deleted', namespace: 'team-a', uid: seen.metadata.uid, resourceVersion: listed },
      },
    });
  });

  it('tells of an object that was made anew under its old name in the gap that the old one is gone and the new one is there', async () => {
    const before = server.put(things, thing('again'));
    await start();
    await receiver.until(() => receiver.told.length === 1);

    server.goSilent();
    server.remove(things, { name: 'again', namespace: 'team-a' });
    const after = server.put(things, thing('again'));
    server.expireHistory();
    server.closeWatches();
    await receiver.until(() => receiver.told.length === 3);

    expect(receiver.told.slice(1).map(({ type, object }) => [type, object.metadata.uid])).toEqual([
      ['DELETED', before.metadata.uid],
      ['ADDED', after.metadata.uid],
    ]);
  });

  it('begins the list again when its pages are no longer kept', async () => {
    for (const name of ['a', 'b', 'c']) server.put(things, thing(name));
    const release = receiver.block();
    following = follow(server, receiver.onEvents, { pace: clock.pace, pageSize: 1, maxPending: 1 });
    await receiver.until(() => receiver.attempts() === 1);

    const pagesBefore = lists();
    server.expireContinue();
    release();
    await server.watching(things);
    await settle();

    expect(Object.keys(receiver.world()).sort()).toEqual(['team-a/a', 'team-a/b', 'team-a/c', 'team-a/last']);
    expect(receiver.told).toHaveLength(4);
    expect(pagesBefore).toBe(1);
    expect(following.state().lastError?.message).toBe('the list took too long to read');
  });

  it('asks for one namespace and one label where it is told to', async () => {
    server.put(things, thing('ours', 1, 'team-a'));
    server.put(things, thing('theirs', 1, 'team-b'));

    await start({
      resource: {
        group: 'example.com',
        version: 'v1',
        plural: 'things',
        kind: 'Thing',
        namespace: 'team-a',
        labelSelector: 'tier=one',
      },
    });
    await settle();

    expect(receiver.inWords()).toEqual(['ADDED ours', 'ADDED last']);
    expect(server.requests.map(({ query }) => query.get('labelSelector'))).toEqual(['tier=one', 'tier=one']);
  });

  it('keeps only what the projection leaves of an object', async () => {
    server.put(things, thing('a', 7));

    await start({ project: ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }) });
    await settle();

    expect(receiver.told.map(({ object }) => Object.keys(object))).toEqual([
      ['apiVersion', 'kind', 'metadata'],
      ['apiVersion', 'kind', 'metadata'],
    ]);
  });

  it('goes on with the others when the projection fails on one', async () => {
    server.put(things, thing('bad'));
    server.put(things, thing('good'));

    await start({
      project(object) {
        if (object.metadata.name === 'bad') throw new Error('defect');
        return object;
      },
    });
    await settle();

    expect(receiver.inWords()).toEqual(['ADDED good', 'ADDED last']);
  });
});
