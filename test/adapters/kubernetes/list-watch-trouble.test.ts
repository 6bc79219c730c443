import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListWatchSettings } from '../../../shared/adapters/kubernetes/list-watch.ts';
import { type FakeWatchServer, startFakeWatchServer } from '../../support/fake-watch-server.ts';
import { follow, openReceiver, openStepClock, silentLog, thing, things } from './follow.ts';

describe('a list and watch loses nothing when', () => {
  let server: FakeWatchServer;
  let receiver: ReturnType<typeof openReceiver>;
  let clock: ReturnType<typeof openStepClock>;
  let following: ReturnType<typeof follow>;

  beforeEach(async () => {
    server = await startFakeWatchServer();
    receiver = openReceiver();
    clock = openStepClock();
  });
  afterEach(async () => {
    await following.stop();
    await server.stop();
  });

  function start(settings: Partial<ListWatchSettings> = {}): void {
    following = follow(server, receiver.onEvents, { pace: clock.pace, ...settings });
  }

  async function told(name: string): Promise<void> {
    const { resourceVersion } = server.put(things, thing(name)).metadata;
    await receiver.until(() => receiver.world()[`team-a/${name}`] === resourceVersion);
  }

  const lists = () => server.requests.filter(({ kind }) => kind === 'list').length;
  const watches = () => server.requests.filter(({ kind }) => kind === 'watch').length;

  it('the list fails again and again before it works', async () => {
    server.put(things, thing('a'));
    server.fail(7, { only: 'list' });

    start();
    await receiver.until(() => receiver.told.length === 1);

    expect(lists()).toBe(8);
    expect(following.state()).toMatchObject({
      synced: true,
      restarts: 7,
      lastError: { message: expect.stringContaining('500') },
    });
  });

  it('the watch fails a few times: it goes on where it was', async () => {
    server.put(things, thing('a'));
    start();
    await server.watching(things);

    server.fail(3, { only: 'watch', status: 503 });
    server.dropWatches();
    await told('b');

    expect(receiver.inWords()).toEqual(['ADDED a', 'ADDED b']);
    expect(lists()).toBe(1);
  });

  it('the watch fails more often than that: it asks anew what there is', async () => {
    server.put(things, thing('a'));
    start();
    await server.watching(things);

    server.fail(6, { only: 'watch', status: 400 });
    server.dropWatches();
    await told('b');

    expect(receiver.inWords()).toEqual(['ADDED a', 'ADDED b']);
    expect(lists()).toBe(2);
  });

  it('the connection breaks in the middle of a line', async () => {
    start();
    server.install(things);
    await server.watching(things);

    server.emit('{"type":"ADDED","object":{"metadata":{"na');
    server.goSilent();
    const { resourceVersion } = server.put(things, thing('a')).metadata;
    server.dropWatches();
    await receiver.until(() => receiver.world()['team-a/a'] === resourceVersion);

    expect(following.state()).toMatchObject({ unreadable: 0 });
  });

  it('the connection is dead and nobody says so: it is given up after the silence', async () => {
    server.put(things, thing('a'));
    start({ silenceMs: 150_000 });
    await server.watching(things);
    await receiver.until(() => receiver.told.length === 1);

    await vi.waitFor(() => expect(following.state().connected).toBe(true));
    server.goSilent();
    server.put(things, thing('b'));
    clock.pass(150_000);
    await receiver.until(() => receiver.told.length === 2);

    expect(watches()).toBe(2);
    expect(receiver.inWords()).toEqual(['ADDED a', 'ADDED b']);
    expect(following.state().lastError?.message).toBe('nothing was heard for 150 s');
  });

  it('bookmarks come in a quiet hour: the watch is not given up', async () => {
    server.put(things, thing('a'));
    start({ silenceMs: 150_000 });
    await server.watching(things);

    for (let minute = 0; minute < 60; minute += 1) {
      clock.pass(60_000);
      const before = following.state().lastContactAt ?? 0;
      server.bookmark();
      await vi.waitFor(() => expect(following.state().lastContactAt).toBeGreaterThan(before), { interval: 1 });
    }
    await told('b');

    expect(watches()).toBe(1);
    expect(following.state()).toMatchObject({ connected: true, restarts: 0 });
  });

  it.each([
    ['is not JSON', 'Service Unavailable\n'],
    ['is no object', '42\n'],
    [
      'is of no known type',
      '{"type":"SURPRISE","object":{"metadata":{"name":"x","uid":"1","resourceVersion":"999"}}}\n',
    ],
    ['has no identity', '{"type":"MODIFIED","object":{"metadata":{"name":"x"}}}\n'],
    ['is a bookmark without a version', '{"type":"BOOKMARK","object":{}}\n'],
  ])('a line of the watch %s: it is counted, and everything is listed again', async (_what, line) => {
    server.put(things, thing('a'));
    start();
    await server.watching(things);
    await receiver.until(() => receiver.told.length === 1);

    server.goSilent();
    server.put(things, thing('b'));
    server.emit(line);
    await receiver.until(() => receiver.told.length === 2);
    await server.watching(things);

    expect(lists()).toBe(2);
    expect(following.state()).toMatchObject({ unreadable: 1, synced: true });
  });

  it('the server tells an error in the watch that is not about history', async () => {
    server.put(things, thing('a'));
    start();
    await server.watching(things);

    server.goSilent();
    server.put(things, thing('b'));
    server.emit('{"type":"ERROR","object":{"kind":"Status","code":500,"message":"etcd is unhappy"}}\n');
    await receiver.until(() => receiver.told.length === 2);

    expect(following.state().lastError?.message).toBe('etcd is unhappy');
    expect(lists()).toBe(1);
  });

  it('the server comes back from a backup and counts from an earlier version', async () => {
    server.put(things, thing('a'));
    start();
    await server.watching(things);

    server.bookmark('7');
    await server.until(() => lists() === 2);
    await told('b');

    expect(following.state().lastError?.message).toContain('back in time');
  });

  it('the server is away for a while', async () => {
    server.put(things, thing('a'));
    start();
    await server.watching(things);
    await receiver.until(() => receiver.told.length === 1);

    await server.goAway();
    server.put(things, thing('b'));
    server.remove(things, { name: 'a', namespace: 'team-a' });
    await vi.waitFor(() =>
      expect(following.state()).toMatchObject({ connected: false, restarts: expect.toSatisfy((n: number) => n > 6) }),
    );
    await server.comeBack();
    await receiver.until(() => receiver.told.length === 3);

    expect(Object.keys(receiver.world())).toEqual(['team-a/b']);
  });

  it('the kind does not exist yet: it says so, and begins when its CRD is there', async () => {
    const warnings: string[] = [];
    start({ log: { ...silentLog, warn: (_msg, fields) => warnings.push(fields?.error ?? '') } });
    await server.until(() => lists() >= 4);

    const before = following.state();
    server.install(things);
    await server.watching(things);
    await told('a');

    expect(before).toMatchObject({ synced: false, missing: true });
    expect(warnings).toEqual(['The cluster does not know things of example.com/v1: install its CRD']);
    expect(following.state()).toMatchObject({ synced: true, missing: false });
  });

  it('the kind goes away and comes back: nothing is called deleted that nobody saw deleted', async () => {
    server.put(things, thing('a'));
    start();
    await server.watching(things);
    await receiver.until(() => receiver.told.length === 1);

    server.fail(9, { status: 404 });
    server.closeWatches();
    await server.watching(things);
    await told('b');

    expect(receiver.inWords()).toEqual(['ADDED a', 'ADDED b']);
  });
});
