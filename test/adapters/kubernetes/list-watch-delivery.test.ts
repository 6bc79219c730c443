import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListWatchSettings } from '../../../shared/adapters/kubernetes/list-watch.ts';
import { type FakeWatchServer, startFakeWatchServer } from '../../support/fake-watch-server.ts';
import { follow, openReceiver, openStepClock, thing, things } from './follow.ts';

describe('the delivery of watch events', () => {
  let server: FakeWatchServer;
  let receiver: ReturnType<typeof openReceiver>;
  let following: ReturnType<typeof follow>;

  beforeEach(async () => {
    server = await startFakeWatchServer();
    receiver = openReceiver();
  });
  afterEach(async () => {
    await following.stop();
    await server.stop();
  });

  async function start(settings: Partial<ListWatchSettings> = {}): Promise<void> {
    server.install(things);
    following = follow(server, receiver.onEvents, { pace: openStepClock().pace, ...settings });
    await server.watching(things);
  }

  it('brings in one batch what piled up while the last one was under way, and of each object only the newest', async () => {
    await start();
    const release = receiver.block();
    server.put(things, thing('first'));
    await receiver.until(() => receiver.attempts() === 1);

    for (let size = 1; size <= 100; size += 1) server.put(things, thing('busy', size));
    server.put(things, thing('other'));
    await vi.waitFor(() => expect(following.state().pending).toBe(3));
    release();
    await receiver.until(() => receiver.told.length === 3);

    expect(receiver.batches.map((batch) => batch.map(({ type, object }) => `${type} ${object.metadata.name}`))).toEqual(
      [['ADDED first'], ['ADDED busy', 'ADDED other']],
    );
    expect(receiver.told[1]?.object).toMatchObject({ spec: { size: 100 } });
  });

  it('tells again what changed while it was being told', async () => {
    await start();
    const release = receiver.block();
    server.put(things, thing('a', 1));
    await receiver.until(() => receiver.attempts() === 1);

    const { resourceVersion } = server.put(things, thing('a', 2)).metadata;
    server.put(things, thing('b'));
    await vi.waitFor(() => expect(following.state().pending).toBe(2));
    release();
    await receiver.until(() => receiver.told.length === 3);

    expect(receiver.world()['team-a/a']).toBe(resourceVersion);
    await vi.waitFor(() => expect(following.state()).toMatchObject({ pending: 0, pendingSince: undefined }));
  });

  it('keeps the end of an object and the beginning of its successor apart', async () => {
    await start();
    const release = receiver.block();
    server.put(things, thing('a', 1));
    await receiver.until(() => receiver.attempts() === 1);

    server.remove(things, { name: 'a', namespace: 'team-a' });
    server.put(things, thing('a', 2));
    await vi.waitFor(() => expect(following.state().pending).toBe(2));
    release();
    await receiver.until(() => receiver.told.length === 3);

    expect(receiver.inWords()).toEqual(['ADDED a', 'DELETED a', 'ADDED a']);
  });

  it('tries for ever while the receiver is away, and says since when events wait', async () => {
    await start();
    receiver.failNext(25);
    const { resourceVersion } = server.put(things, thing('a')).metadata;
    await receiver.until(() => receiver.attempts() > 3);

    const during = following.state();
    await receiver.until(() => receiver.told.length === 1);

    expect(during).toMatchObject({
      pending: 1,
      pendingSince: expect.any(Number),
      lastError: { message: 'the receiver is away' },
    });
    expect(receiver.attempts()).toBe(26);
    expect(receiver.world()).toEqual({ 'team-a/a': resourceVersion });
  });

  it('survives a receiver that throws before it even begins', async () => {
    let calls = 0;
    server.install(things);
    following = follow(
      server,
      (batch) => {
        calls += 1;
        if (calls === 1) throw new TypeError('defect');
        return receiver.onEvents(batch);
      },
      { pace: openStepClock().pace },
    );
    server.put(things, thing('a'));

    await receiver.until(() => receiver.told.length === 1);

    expect(calls).toBe(2);
  });

  it('hands over no more than a batch at a time', async () => {
    for (let count = 0; count < 12; count += 1) server.put(things, thing(`t${count}`));

    await start({ maxBatch: 5 });
    await receiver.until(() => receiver.told.length === 12);

    expect(receiver.batches.map(({ length }) => length)).toEqual([5, 5, 2]);
  });

  it('stops reading when too much waits, and loses nothing of it', async () => {
    await start({ maxPending: 5 });
    const release = receiver.block();
    for (let count = 0; count < 500; count += 1) server.put(things, thing(`t${count}`));
    await receiver.until(() => receiver.attempts() === 1);

    await vi.waitFor(() => expect(following.state().pending).toBe(5));
    release();
    await receiver.until(() => receiver.told.length === 500);

    expect(Object.keys(receiver.world())).toHaveLength(500);
    expect(Math.max(...receiver.batches.map(({ length }) => length))).toBeLessThanOrEqual(5);
  });

  it('reads the next page of a list only when there is room for it', async () => {
    for (let count = 0; count < 10; count += 1) server.put(things, thing(`t${count}`));
    const release = receiver.block();

    following = follow(server, receiver.onEvents, { pace: openStepClock().pace, pageSize: 1, maxPending: 2 });
    await vi.waitFor(() => expect(following.state().pending).toBe(2));
    release();
    await receiver.until(() => receiver.told.length === 10);

    expect(Math.max(...receiver.batches.map(({ length }) => length))).toBeLessThanOrEqual(2);
  });

  it('ends at once when it is stopped, though the receiver does not answer and the reader waits for room', async () => {
    await start({
      maxPending: 1,
      onEvents: (_batch, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    });
    for (const name of ['a', 'b', 'c']) server.put(things, thing(name));
    await vi.waitFor(() => expect(following.state().pending).toBe(1));

    await following.stop();

    expect(following.state().connected).toBe(false);
  });

  it('ends with the receiver knowing what is true, whatever went wrong on the way', async () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const happening = fc.oneof(
      { weight: 6, arbitrary: name.map((which) => ({ do: 'put' as const, which })) },
      { weight: 3, arbitrary: name.map((which) => ({ do: 'remove' as const, which })) },
      {
        weight: 4,
        arbitrary: fc
          .constantFrom(
            'closeWatches',
            'dropWatches',
            'goSilent',
            'expireHistory',
            'expireContinue',
            'garbage',
            'bookmark',
            'fail',
            'refuse',
            'pause',
          )
          .map((which) => ({ do: which })),
      },
    );

    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 40 }), async (story) => {
        const world = await startFakeWatchServer();
        const told = openReceiver();
        const clock = openStepClock();
        world.install(things);
        const watch = follow(world, told.onEvents, { pace: clock.pace, pageSize: 2, maxPending: 3, maxBatch: 2 });
        const truth = new Map<string, string>();
        for (const step of story) {
          if (step.do === 'put')
            truth.set(`team-a/${step.which}`, world.put(things, thing(step.which)).metadata.resourceVersion);
          else if (step.do === 'remove') {
            if (truth.delete(`team-a/${step.which}`)) world.remove(things, { name: step.which, namespace: 'team-a' });
          } else if (step.do === 'garbage') world.emit('<html>\n');
          else if (step.do === 'fail') world.fail(2);
          else if (step.do === 'refuse') told.failNext(2);
          else if (step.do === 'pause') await new Promise((resolve) => setTimeout(resolve, 1));
          else world[step.do as 'closeWatches']();
        }

        // A silent watch is found out by time alone, and only one that was open when the time passed.
        await vi.waitFor(
          () => {
            if (watch.state().connected) clock.pass(200_000);
            expect(told.world()).toEqual(Object.fromEntries(truth));
          },
          { timeout: 5_000, interval: 25 },
        );

        await watch.stop();
        await world.stop();
      }),
      { numRuns: 60 },
    );
  });
});
