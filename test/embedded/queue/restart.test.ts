import { spawn } from 'node:child_process';
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SpawnedQueue, spawnEmbeddedQueue } from '../../../infra/embedded/queue/spawn-embedded-queue.ts';
import { startEmbeddedQueue } from '../../../infra/embedded/queue/start-embedded-queue.ts';
import { clientFor, counts, makeQueue, openEmbeddedQueue, temporaryFolder } from '../../support/queue-endpoints.ts';

describe('the embedded queue after the death of its process', () => {
  let place: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: SpawnedQueue;
  let client: SQSClient;

  async function start(port?: number): Promise<void> {
    server = await spawnEmbeddedQueue({ folder: place.folder, port });
    client = clientFor(server.endpoint);
  }

  async function dieAndReturn(): Promise<void> {
    client.destroy();
    process.kill(server.pid, 'SIGKILL');
    await server.ended;
    await start(Number(new URL(server.endpoint).port));
  }

  beforeEach(async () => {
    place = await temporaryFolder();
    await start();
  });
  afterEach(async () => {
    client.destroy();
    await server.stop();
    await place.remove();
  });

  test('nothing that was answered is lost, however many send at once', async () => {
    const { url: QueueUrl } = await makeQueue(client);
    const answered = new Set<string>();
    let sending = true;
    const senders = Array.from({ length: 8 }, async (_, sender) => {
      for (let turn = 0; sending; turn += 1) {
        const MessageBody = `${sender}-${turn}`;
        const sent = await client.send(new SendMessageCommand({ QueueUrl, MessageBody })).catch(() => undefined);
        if (sent === undefined) return;
        answered.add(MessageBody);
      }
    });
    await expect.poll(() => answered.size, { timeout: 10_000 }).toBeGreaterThan(200);

    await dieAndReturn();
    sending = false;
    await Promise.all(senders);

    const found = new Set<string>();
    for (let more = true; more; ) {
      const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
      for (const message of Messages) found.add(message.Body ?? '');
      more = Messages.length > 0;
    }
    expect([...answered].filter((body) => !found.has(body))).toEqual([]);
  });

  test('what was in flight stays with its holder and comes back when its time is over', async () => {
    const { url: QueueUrl } = await makeQueue(client, { VisibilityTimeout: '2' });
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'lost', MessageGroupId: 'g' }));
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'kept', MessageGroupId: 'g' }));
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'late', DelaySeconds: 900 }));
    const { Messages: [first, second] = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
    );

    await dieAndReturn();
    const during = await counts(client, QueueUrl);
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: second?.ReceiptHandle }));
    const { Messages: back = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 10, MessageSystemAttributeNames: ['All'] }),
    );

    expect(during).toEqual([0, 2, 1]);
    expect(back.map((message) => message.MessageId)).toEqual([first?.MessageId]);
    expect(back[0]?.Attributes).toMatchObject({ ApproximateReceiveCount: '2', MessageGroupId: 'g' });
    expect(await counts(client, QueueUrl)).toEqual([0, 1, 1]);
  });

  test('a FIFO queue still knows what it has taken', async () => {
    const { url: QueueUrl } = await makeQueue(client, { FifoQueue: 'true' });
    const knock = { QueueUrl, MessageBody: 'x', MessageGroupId: 'g', MessageDeduplicationId: 'once' };
    const first = await client.send(new SendMessageCommand(knock));

    await dieAndReturn();
    const second = await client.send(new SendMessageCommand(knock));

    expect([second.MessageId, second.SequenceNumber]).toEqual([first.MessageId, first.SequenceNumber]);
    expect(await counts(client, QueueUrl)).toEqual([1, 0, 0]);
  });

  test('a second server is kept out of the folder of the first', async () => {
    const second = startEmbeddedQueue({ folder: place.folder, log: () => {} });

    await expect(second).rejects.toThrow(/Another embedded queue server uses/);
  });

  test('half a line at the end of the journal is what a death may leave, and costs nothing else', async () => {
    const { url: QueueUrl } = await makeQueue(client);
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'first' }));
    process.kill(server.pid, 'SIGKILL');
    await server.ended;
    appendFileSync(join(place.folder, 'journal.log'), '{"t":"put","q":"');

    await start();
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'second' }));
    await dieAndReturn();

    expect(await counts(client, QueueUrl)).toEqual([2, 0, 0]);
  });

  test('the server ends when its parent is killed', async () => {
    const other = await temporaryFolder();
    const module = new URL('../../../infra/embedded/queue/spawn-embedded-queue.ts', import.meta.url).href;
    const script = `const { spawnEmbeddedQueue } = await import(${JSON.stringify(module)});
      const queue = await spawnEmbeddedQueue({ folder: ${JSON.stringify(other.folder)} });
      process.stdout.write(String(queue.pid));`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script]);
    const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (text) => resolve(Number(text))));
    const isAlive = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    expect(isAlive()).toBe(true);

    parent.kill('SIGKILL');

    await expect.poll(isAlive, { timeout: 10_000 }).toBe(false);
    await other.remove();
  });
});

describe('the journal of the embedded queue', () => {
  test('stays small while messages come and go, and keeps those that stay', async () => {
    const { folder, remove } = await temporaryFolder();
    const compactAboveBytes = 100_000;
    const endpoint = await openEmbeddedQueue({ folder, compactAboveBytes });
    const { client } = endpoint;
    const { url: QueueUrl } = await makeQueue(client);
    const stays = await makeQueue(client);
    await client.send(new SendMessageCommand({ QueueUrl: stays.url, MessageBody: 'stays' }));
    let largest = 0;

    for (let turn = 0; turn < 100; turn += 1) {
      const Entries = Array.from({ length: 10 }, (_, id) => ({ Id: `e${id}`, MessageBody: 'x'.repeat(1_000) }));
      await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
      const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
      for (const { ReceiptHandle } of Messages)
        await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      largest = Math.max(largest, statSync(join(folder, 'journal.log')).size);
    }
    await endpoint.stop();
    const again = await openEmbeddedQueue({ folder });

    // A million bytes of bodies went through; one turn writes about 15,000 bytes more than the limit.
    expect(largest).toBeLessThan(2 * compactAboveBytes);
    expect(await counts(again.client, QueueUrl)).toEqual([0, 0, 0]);
    const { Messages = [] } = await again.client.send(new ReceiveMessageCommand({ QueueUrl: stays.url }));
    expect(Messages.map((message) => message.Body)).toEqual(['stays']);
    await again.stop();
    await remove();
  });
});
