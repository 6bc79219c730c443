import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedQueue, startEmbeddedQueue } from '../../infra/embedded/queue/start-embedded-queue.ts';
import { ensureQueues } from '../../infra/queues.ts';
import { connectQueue } from '../../shared/adapters/sqs/client.ts';
import { openQueue } from '../../shared/adapters/sqs/queue.ts';
import { openQueueUrls, type QueueUrls } from '../../shared/adapters/sqs/queue-urls.ts';
import { toEvent } from '../../shared/adapters/sqs/wire.ts';
import { ClaimChanged } from '../../shared/contracts/knocks.ts';
import { settled } from '../../shared/domain/core/step.ts';
import type { Journal } from '../../shared/ports/journal.ts';
import { Transient } from '../../shared/ports/trouble.ts';
import { defineFunction } from '../../shared/runtime/define-function.ts';
import type { Machine } from '../../shared/runtime/machine.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { errandRoutes, openTestMachine } from '../support/machine.ts';
import { aMessage } from '../support/messages.ts';

const hour = 3_600_000;
const subjects = 20;

let database: TestDatabase;
let queue: EmbeddedQueue;
let sqs: SQSClient;
let urls: QueueUrls;
let folder: string;
let now = Date.parse('2026-01-01T00:00:00Z');
const clock = { now: () => now, elapsed: () => now };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stagecoach-outage-'));
  database = await openTestDatabase();
  queue = await startEmbeddedQueue({ folder, log: () => {}, now: () => now });
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
  sqs = connectQueue({ endpoint: queue.endpoint, region: 'us-east-1' });
  urls = openQueueUrls(sqs, 'outage');
});
afterAll(async () => {
  sqs.destroy();
  await queue.stop();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Hands out whatever is visible now, once, as a host would. */
async function round(handle: (event: unknown) => Promise<unknown>): Promise<number> {
  const QueueUrl = await urls.of('run-errand');
  let handled = 0;
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] }),
    );
    if (Messages.length === 0) return handled;
    for (const message of Messages) {
      await handle(toEvent(message));
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
      handled += 1;
    }
  }
}

async function count(name: string): Promise<number> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: await urls.of(name), AttributeNames: ['All'] }),
  );
  return [
    'ApproximateNumberOfMessages',
    'ApproximateNumberOfMessagesDelayed',
    'ApproximateNumberOfMessagesNotVisible',
  ].reduce((sum, key) => sum + Number(Attributes?.[key as 'ApproximateNumberOfMessages']), 0);
}

async function throughTheHour(
  name: string,
  machineBut: Partial<Machine>,
  observe: () => Promise<string>,
  end: () => void,
): Promise<{ attempts: number }> {
  await ensureQueues(sqs, 'outage', errandRoutes);
  const machine = openTestMachine(database.sql, {
    queue: openQueue(sqs, urls, clock),
    clock,
    settings: { leaseSeconds: 20, retry: { baseSeconds: 1, capSeconds: 120 }, attempts: 2_200 },
    ...machineBut,
  });
  const errand = defineFunction({
    name: 'run-errand',
    consumes: [ClaimChanged],
    emits: [],
    services: () => undefined,
    observe,
    decide: () => ({ effects: [{ do: 'run-errand' }], conditions: [], knocks: [], next: settled }),
  });
  const handle = (event: unknown) => errand.handle(event, { receives: 1, covered: 0 }, machine);
  await machine.queue.send(
    Array.from({ length: subjects }, (_none, index) => ({
      message: aMessage(`${name}-${index}`),
      from: 'test',
      pending: false,
    })),
  );

  let attempts = 0;
  for (const over = now + hour; now < over; now += 10_000) attempts += await round(handle);
  end();
  // The longest a message may still have to wait is the cap of its back-off.
  for (const over = now + 120_000; now <= over; now += 10_000) await round(handle);
  return { attempts };
}

async function stepped(name: string): Promise<number> {
  const [row] = await database.sql<
    { done: number }[]
  >`select count(distinct subject)::int as done from step_log where outcome = 'stepped' and subject like ${`team/${name}-%`}`;
  return row?.done ?? 0;
}

describe('an hour', () => {
  it('without Postgres ends with everything done and no dead letter', async () => {
    let away = true;
    const real = openTestMachine(database.sql).journal;
    const gone = () => Promise.reject(new Transient('database', 'the database is away'));
    const journal: Journal = {
      begin: (begin) => (away ? gone() : real.begin(begin)),
      finish: (record, rows) => (away ? gone() : real.finish(record, rows)),
      renew: (...lease) => (away ? gone() : real.renew(...lease)),
      forget: (...row) => (away ? gone() : real.forget(...row)),
    };

    const { attempts } = await throughTheHour(
      'database',
      { journal },
      async () => 'seen',
      () => {
        away = false;
      },
    );

    expect(await stepped('database')).toBe(subjects);
    expect(await count('run-errand-dead')).toBe(0);
    expect(await count('run-errand')).toBe(0);
    // Six doublings, then at least one attempt in every two minutes, and no storm.
    expect(attempts).toBeLessThan(subjects * 80);
    expect(attempts).toBeGreaterThan(subjects * 25);
  });

  it('without the API server ends with everything done and no dead letter', async () => {
    let away = true;

    await throughTheHour(
      'cluster',
      {},
      async () => (away ? Promise.reject(new Transient('cluster', 'the cluster is away')) : 'seen'),
      () => {
        away = false;
      },
    );

    expect(await stepped('cluster')).toBe(subjects);
    expect(await count('run-errand-dead')).toBe(0);
    expect(await count('run-errand')).toBe(0);
  });
});
