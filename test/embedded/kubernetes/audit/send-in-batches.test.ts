import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEventList } from '../../../../infra/embedded/kubernetes/audit/audit-event.ts';
import { type BatchOptions, sendInBatches } from '../../../../infra/embedded/kubernetes/audit/send-in-batches.ts';
import { SteppedClock } from '../../../support/stepped-clock.ts';

let clock: SteppedClock;
let sent: AuditEventList[];
let lines: string[];

beforeEach(() => {
  clock = new SteppedClock();
  sent = [];
  lines = [];
});

function batches(more: Partial<BatchOptions> = {}) {
  return sendInBatches({
    clock,
    log: (line) => lines.push(line),
    send: async (list) => {
      sent.push(list);
    },
    ...more,
  });
}

function add(to: ReturnType<typeof batches>, count: number): void {
  for (let index = 0; index < count; index += 1) to.add({ auditID: String(index) });
}

describe('audit events', () => {
  it('wait a tenth of a second for one another', async () => {
    const queue = batches();

    add(queue, 3);
    await clock.step(99);
    expect(sent).toHaveLength(0);
    await clock.step(1);

    expect(sent).toEqual([
      {
        kind: 'EventList',
        apiVersion: 'audit.k8s.io/v1',
        metadata: {},
        items: [{ auditID: '0' }, { auditID: '1' }, { auditID: '2' }],
      },
    ]);
    expect(clock.pending).toBe(0);
  });

  it('do not wait where a batch is full', async () => {
    const queue = batches({ largestBatch: 2 });

    add(queue, 5);
    await clock.step(0);

    expect(sent.map(({ items }) => items.length)).toEqual([2, 2]);
    await clock.step(100);
    expect(sent.map(({ items }) => items.length)).toEqual([2, 2, 1]);
  });

  it('are tried five times, with longer and longer pauses, and then lost with a line in the log', async () => {
    const tries: number[] = [];
    const queue = batches({
      send: () => {
        tries.push(clock.now());
        return Promise.reject(new Error('away'));
      },
    });
    const start = clock.now();

    add(queue, 2);
    await clock.step(600_000);

    expect(tries.map((at) => at - start)).toEqual([100, 10_100, 25_100, 47_600, 81_350]);
    expect(lines).toEqual(['audit: 2 events could not be delivered in 5 tries and are lost: away']);
  });

  it('arrive after all where the receiver comes back', async () => {
    let isAway = true;
    const queue = batches({
      send: async (list) => {
        if (isAway) throw new Error('away');
        sent.push(list);
      },
    });

    add(queue, 1);
    await clock.step(5_000);
    isAway = false;
    await clock.step(10_000);

    expect(sent).toHaveLength(1);
    expect(lines).toEqual([]);
  });

  it('are lost beyond a bound, which is said once when the jam ends', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const queue = batches({
      largestBatch: 2,
      largestBuffer: 4,
      send: async (list) => {
        await gate;
        sent.push(list);
      },
    });

    add(queue, 10);
    open();
    await clock.step(200);

    expect(sent.flatMap(({ items }) => items)).toHaveLength(4);
    expect(lines).toEqual(['audit: 6 events are lost, because 4 others were waiting for the receiver already']);
  });

  it('are sent at the end, but no longer tried again', async () => {
    const queue = batches({ send: () => Promise.reject(new Error('away')) });
    add(queue, 1);
    await clock.step(200);
    add(queue, 1);

    await queue.stop();

    expect(lines).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  it('that cannot be sent at all do not hurt whoever adds them', async () => {
    const queue = batches({
      send: () => {
        throw new Error('broken');
      },
    });

    add(queue, 1);
    await clock.step(100);
    await queue.stop();

    expect(lines).toHaveLength(1);
  });
});
