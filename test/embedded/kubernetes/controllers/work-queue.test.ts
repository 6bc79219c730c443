import { describe, expect, it } from 'vitest';
import { WorkQueue } from '../../../../infra/embedded/kubernetes/controllers/work-queue.ts';
import { conflict } from '../../../../infra/embedded/kubernetes/status-error.ts';
import { SteppedClock } from '../../../support/stepped-clock.ts';

function aQueue(run: (key: string) => Promise<void>) {
  const clock = new SteppedClock('2026-11-16T10:00:00Z');
  const lines: string[] = [];
  let rest: () => void = () => {};
  const queue = new WorkQueue({
    name: 'test',
    clock,
    workers: 2,
    run,
    log: ({ level, key }) => lines.push(`${level} ${key}`),
    onRest: () => rest(),
  });
  const rested = () =>
    new Promise<void>((resolve) => {
      rest = resolve;
    });
  return { clock, queue, lines, rested };
}

describe('a work queue', () => {
  it('works on a key once for many wishes, and again for a wish that came meanwhile', async () => {
    const seen: string[] = [];
    const { queue, rested } = aQueue(async (key) => {
      seen.push(key);
      if (seen.length === 1) queue.add(key);
    });

    for (let wish = 0; wish < 5; wish += 1) queue.add('a');
    await rested();

    expect(seen).toEqual(['a', 'a']);
  });

  it('tries again at once when somebody else wrote first', async () => {
    let attempts = 0;
    const { queue, rested, lines } = aQueue(async () => {
      attempts += 1;
      if (attempts === 1) throw conflict({ group: '', resource: 'pods' }, 'a', 'changed');
    });

    queue.add('a');
    await rested();

    expect(attempts).toBe(2);
    expect(lines).toEqual(['debug a']);
  });

  it('waits longer after each failure', async () => {
    let attempts = 0;
    const { queue, rested, clock } = aQueue(async () => {
      attempts += 1;
      throw new Error('no');
    });
    queue.add('a');
    await rested();

    clock.advance(5);
    await rested();
    clock.advance(9);
    expect(queue.isIdle()).toBe(true);
    clock.advance(1);
    await rested();

    expect(attempts).toBe(3);
  });

  it('does nothing after it was stopped', async () => {
    const { queue, clock } = aQueue(async () => {
      throw new Error('must not run');
    });
    queue.addAfter('a', 10);

    queue.stop();
    queue.add('b');
    clock.advance(1000);

    expect(queue.isIdle()).toBe(true);
  });
});
