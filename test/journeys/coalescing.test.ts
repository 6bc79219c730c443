import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  auditEvent,
  auditList,
  type HostProcess,
  openWorld,
  post,
  startHostProcess,
  type World,
  watchBatch,
  watchEvent,
} from '../support/host-process.ts';

let world: World;
let host: HostProcess;

beforeAll(async () => {
  world = await openWorld();
  host = await startHostProcess(world.environment);
});
afterAll(async () => {
  await host.kill('SIGTERM');
  await world.close();
});

async function stepsOf(subject: string, fn = 'run-errand'): Promise<number> {
  const [row] = await world.database.sql<
    { steps: number }[]
  >`select count(*)::int as steps from step_log where subject = ${subject} and function = ${fn}`;
  return row?.steps ?? 0;
}

async function settledAt(subject: string, version: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const [row] = await world.database.sql<
          { ran_version: string }[]
        >`select ran_version from errand where subject = ${subject}`;
        return row?.ran_version;
      },
      { timeout: 20_000 },
    )
    .toBe(String(version));
}

async function queueIsEmpty(): Promise<void> {
  await expect
    .poll(
      async () => {
        const response = await fetch(`${world.queue.endpoint}/`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.GetQueueAttributes' },
          body: JSON.stringify({
            QueueUrl: `${world.queue.endpoint}/000000000000/stagecoach-run-errand`,
            AttributeNames: ['All'],
          }),
        });
        const { Attributes } = (await response.json()) as { Attributes: Record<string, string> };
        return (
          Number(Attributes['ApproximateNumberOfMessages']) +
          Number(Attributes['ApproximateNumberOfMessagesNotVisible'])
        );
      },
      { timeout: 20_000 },
    )
    .toBe(0);
}

describe('a change that was seen', () => {
  it('by the audit webhook and by the watch is served by one step', async () => {
    await post(host.url, 'ingest-audit', auditList(auditEvent('team', 'both', 7)));
    await settledAt('team/both', 7);
    await post(host.url, 'forward-event', watchBatch(watchEvent('team', 'both', 7)));
    await queueIsEmpty();

    expect(await stepsOf('team/both')).toBe(1);
  });

  it.each([
    ['by the audit webhook alone', 'ingest-audit', (name: string) => auditList(auditEvent('team', name, 3))],
    ['by the watch alone', 'forward-event', (name: string) => watchBatch(watchEvent('team', name, 3))],
  ])('%s is served', async (_how, door, body) => {
    await post(host.url, door, body(door));

    await settledAt(`team/${door}`, 3);
  });
});

describe('a burst', () => {
  it('of 10,000 events on one subject causes at most two runs after it', async () => {
    const burst = 10_000;
    await post(host.url, 'forward-event', watchBatch(watchEvent('team', 'busy', 1)));
    // One event a post and a message: nothing is coalesced on the way in.
    const versions = Array.from({ length: burst }, (_none, index) => index + 2);
    for (let from = 0; from < burst; from += 50) {
      await Promise.all(
        versions
          .slice(from, from + 50)
          .map((version) => post(host.url, 'forward-event', watchBatch(watchEvent('team', 'busy', version)))),
      );
    }
    const during = await stepsOf('team/busy');
    await settledAt('team/busy', burst + 1);
    await queueIsEmpty();

    expect((await stepsOf('team/busy')) - during).toBeLessThanOrEqual(2);
  });
});
