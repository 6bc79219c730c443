import {
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { counts, makeQueue, openEmbeddedQueue, type QueueEndpoint } from '../../support/queue-endpoints.ts';

describe('fairness between message groups of a standard queue', () => {
  let endpoint: QueueEndpoint;
  let client: SQSClient;
  beforeEach(async () => {
    endpoint = await openEmbeddedQueue();
    client = endpoint.client;
  });
  afterEach(() => endpoint.stop());

  async function fill(QueueUrl: string, MessageGroupId: string | undefined, count: number): Promise<void> {
    for (let sent = 0; sent < count; sent += 10) {
      const Entries = Array.from({ length: Math.min(10, count - sent) }, (_, index) => ({
        Id: `e${index}`,
        MessageBody: `${MessageGroupId ?? 'nobody'} ${sent + index}`,
        ...(MessageGroupId === undefined ? {} : { MessageGroupId }),
      }));
      await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    }
  }

  async function receive(QueueUrl: string, MaxNumberOfMessages: number): Promise<string[]> {
    const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages }));
    return Messages.map((message) => message.Body ?? '');
  }

  test('a quiet group is served by the next receive although another has ten thousand waiting', async () => {
    const { url } = await makeQueue(client);
    await fill(url, 'noisy', 10_000);
    await receive(url, 10);

    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'quiet 0', MessageGroupId: 'quiet' }));

    expect(await receive(url, 1)).toEqual(['quiet 0']);
    expect(await counts(client, url)).toEqual([9_990, 11, 0]);
  });

  test('a quiet group is served by the next receive although many others have a backlog', async () => {
    const { url } = await makeQueue(client);
    for (let group = 0; group < 30; group += 1) await fill(url, `noisy-${group}`, 20);
    for (let round = 0; round < 5; round += 1) await receive(url, 10);

    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'quiet 0', MessageGroupId: 'quiet' }));

    expect(await receive(url, 1)).toEqual(['quiet 0']);
  });

  test('groups with a backlog take turns, and messages without a group are one of them', async () => {
    const { url } = await makeQueue(client);
    await fill(url, 'a', 20);
    await fill(url, undefined, 20);
    await fill(url, 'b', 20);

    const turns = [...(await receive(url, 9)), ...(await receive(url, 9))];

    const shares = turns.map((body) => body.split(' ')[0]);
    expect(shares.filter((group) => group === 'a')).toHaveLength(6);
    expect(shares.filter((group) => group === 'b')).toHaveLength(6);
    expect(shares.filter((group) => group === 'nobody')).toHaveLength(6);
    expect(turns.filter((body) => body.startsWith('a '))).toEqual([0, 1, 2, 3, 4, 5].map((index) => `a ${index}`));
  });

  test('a group that sends one message at a time does not keep a backlog from being served', async () => {
    const { url } = await makeQueue(client);
    await fill(url, 'backlog', 10);
    const served = await receive(url, 1);

    for (let turn = 0; turn < 10; turn += 1) {
      await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'trickle', MessageGroupId: 'trickle' }));
      served.push(...(await receive(url, 1)));
    }

    expect(served.filter((body) => body.startsWith('backlog')).length).toBeGreaterThanOrEqual(4);
  });
});
