import { describe, expect, it } from 'vitest';
import { inBatches } from '../../../shared/adapters/sqs/batch.ts';

function open(limits: Partial<Parameters<typeof inBatches>[0]> = {}) {
  const calls: {
    items: readonly number[];
    end: (errors?: readonly (Error | undefined)[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const batches = inBatches<number>({ most: 3, parallel: 2, lingerMs: 0, ...limits }, (items) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly (Error | undefined)[]>();
    calls.push({ items, end: (errors = []) => resolve(errors), fail: reject });
    return promise;
  });
  return { calls, ...batches };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('items', () => {
  it('that come alone go alone, at once', async () => {
    const { calls, add } = open();
    void add(1);
    await turn();

    expect(calls.map(({ items }) => items)).toEqual([[1]]);
  });

  it('that come together travel together', async () => {
    const { calls, add } = open();
    for (const item of [1, 2, 3, 4, 5, 6]) void add(item);
    await turn();

    expect(calls.map(({ items }) => items)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });

  it('that come while a call is under way make the next one', async () => {
    const { calls, add } = open();
    void add(1);
    await turn();
    void add(2);
    await turn();
    void add(3);
    await turn();
    expect(calls).toHaveLength(1);

    calls[0]?.end();
    await turn();

    expect(calls.map(({ items }) => items)).toEqual([[1], [2, 3]]);
  });

  it('that fail are told so, and the others are not', async () => {
    const { calls, add } = open();
    const results = Promise.allSettled([add(1), add(2)]);
    await turn();
    calls[0]?.end([undefined, new Error('refused')]);

    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('of a call that fails are all told so, and later ones go on', async () => {
    const { calls, add } = open();
    const results = Promise.allSettled([add(1), add(2)]);
    await turn();
    calls[0]?.fail(new Error('away'));
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);

    void add(3);
    await turn();
    expect(calls[1]?.items).toEqual([3]);
  });

  it('that may linger wait for company, and go when everything must', async () => {
    const { calls, add, idle } = open({ lingerMs: 60_000 });
    void add(1);
    await turn();
    expect(calls).toEqual([]);

    const still = idle();
    await turn();
    expect(calls.map(({ items }) => items)).toEqual([[1]]);
    calls[0]?.end();
    await still;
  });
});
