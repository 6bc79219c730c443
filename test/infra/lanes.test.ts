import { describe, expect, it } from 'vitest';
import { type Held, openLanes } from '../../infra/host/dispatch/lanes.ts';

const limits = { atOnce: 4, atOncePerTenant: 2, heldPerTenant: 3 };

const held = (tenant: string, name: string, but: Partial<Held> = {}): Held => ({
  function: 'f',
  look: `f ${tenant}/${name}`,
  tenant,
  serialKey: `${tenant}/${name}`,
  version: undefined,
  pending: false,
  covered: 0,
  ...but,
});

function drainRound(lanes: ReturnType<typeof openLanes<Held>>): string[] {
  const taken: string[] = [];
  for (let next = lanes.next(); next !== undefined; next = lanes.next()) taken.push(next.look);
  return taken;
}

describe('the lanes', () => {
  it('give tenants their turn one after the other, whoever came first', () => {
    const lanes = openLanes<Held>({ ...limits, heldPerTenant: 10 });
    for (const name of ['1', '2', '3']) lanes.offer(held('noisy', name));
    lanes.offer(held('quiet', '1'));

    expect(drainRound(lanes)).toEqual(['f noisy/1', 'f quiet/1', 'f noisy/2']);
  });

  it('never run more of one tenant at once than its share, though slots are free', () => {
    const lanes = openLanes<Held>(limits);
    for (const name of ['1', '2', '3']) lanes.offer(held('noisy', name));

    expect(drainRound(lanes)).toHaveLength(2);
    expect(lanes.held()).toBe(1);
  });

  it('run work under one serial key one after the other, and other work of the tenant meanwhile', () => {
    const lanes = openLanes<Held>(limits);
    const first = held('team', 'a', { serialKey: 'app' });
    for (const message of [first, held('team', 'b', { serialKey: 'app' }), held('team', 'c')]) lanes.offer(message);

    expect(drainRound(lanes)).toEqual(['f team/a', 'f team/c']);
    lanes.done(first);
    expect(drainRound(lanes)).toEqual(['f team/b']);
  });

  it('BS-10 bring 1,000 pieces of work to their end, never two under one name, and what has begun waits no more', () => {
    const names = 7;
    const lanes = openLanes<Held>({ atOnce: 20, atOncePerTenant: 20, heldPerTenant: 1_000 });
    for (let number = 0; number < 1_000; number += 1)
      lanes.offer(held('team', `${number}`, { serialKey: `name-${number % names}` }));
    const running: Held[] = [];
    const ended: string[] = [];

    while (ended.length < 1_000) {
      for (let next = lanes.next(); next !== undefined; next = lanes.next()) running.push(next);
      expect(new Set(running.map(({ serialKey }) => serialKey)).size).toBe(running.length);
      expect(lanes.held() + running.length + ended.length).toBe(1_000);
      const done = running.splice(ended.length % running.length, 1);
      for (const one of done) lanes.done(one);
      ended.push(...done.map(({ look }) => look));
    }

    expect(new Set(ended).size).toBe(1_000);
    expect([lanes.held(), lanes.running()]).toEqual([0, 0]);
  });

  it('send aside what is over a tenant’s share of waiting places, and nobody else', () => {
    const lanes = openLanes<Held>(limits);
    for (const name of ['1', '2', '3']) lanes.offer(held('noisy', name));

    expect(lanes.offer(held('noisy', '4'))).toEqual({ kind: 'aside' });
    expect(lanes.offer(held('quiet', '1'))).toEqual({ kind: 'held' });
  });

  it.each([
    ['the later version', held('t', 'x', { version: '9' }), held('t', 'x', { version: '10' }), 'second'],
    [
      'the later version, though it came first',
      held('t', 'x', { version: '10' }),
      held('t', 'x', { version: '9' }),
      'first',
    ],
    ['the one without a version', held('t', 'x'), held('t', 'x', { version: '10' }), 'first'],
    ['the one with a row behind it', held('t', 'x', { version: '1', pending: true }), held('t', 'x'), 'first'],
  ])('keep, of two that ask for the same look, %s', (_why, first, second, kept) => {
    const lanes = openLanes<Held>(limits);
    lanes.offer(first);

    expect(lanes.offer(second)).toEqual({
      kind: 'covered',
      by: kept === 'first' ? first : second,
      spare: kept === 'first' ? second : first,
    });
    expect(lanes.next()).toBe(kept === 'first' ? first : second);
    expect(lanes.next()).toBeUndefined();
  });

  it('count whom the one that runs stands for', () => {
    const lanes = openLanes<Held>(limits);
    for (const version of ['1', '2', '3', '4']) lanes.offer(held('t', 'x', { version }));

    expect(lanes.next()?.covered).toBe(3);
  });

  it('hold a message for a look that runs already: what it tells may be newer', () => {
    const lanes = openLanes<Held>(limits);
    const running = held('t', 'x', { version: '1' });
    lanes.offer(running);
    lanes.next();

    expect(lanes.offer(held('t', 'x', { version: '2' }))).toEqual({ kind: 'held' });
    expect(lanes.next()).toBeUndefined();
    lanes.done(running);
    expect(lanes.next()?.version).toBe('2');
  });
});
