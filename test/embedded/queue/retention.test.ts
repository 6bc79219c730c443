import { ReceiveMessageCommand, SendMessageCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { counts, makeQueue, openEmbeddedQueue, type QueueEndpoint, redriveTo } from '../../support/queue-endpoints.ts';

describe('the age of messages in the embedded queue', () => {
  let endpoint: QueueEndpoint;
  let time = Date.now();
  beforeEach(async () => {
    endpoint = await openEmbeddedQueue({ now: () => time });
  });
  afterEach(() => endpoint.stop());

  async function send(QueueUrl: string, MessageBody: string): Promise<void> {
    await endpoint.client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  }

  test('a message is gone when it is older than the queue keeps messages, in flight or not', async () => {
    const { url: QueueUrl } = await makeQueue(endpoint.client, { MessageRetentionPeriod: '60' });
    await send(QueueUrl, 'in flight');
    await endpoint.client.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 600 }));
    await send(QueueUrl, 'old');
    time += 30_000;
    await send(QueueUrl, 'young');

    const before = await counts(endpoint.client, QueueUrl);
    time += 31_000;
    const after = await counts(endpoint.client, QueueUrl);
    const { Messages = [] } = await endpoint.client.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
    );

    expect(before).toEqual([2, 1, 0]);
    expect(after).toEqual([1, 0, 0]);
    expect(Messages.map((message) => message.Body)).toEqual(['young']);
  });

  test('a shorter time holds for the messages that are there', async () => {
    const { url: QueueUrl } = await makeQueue(endpoint.client);
    await send(QueueUrl, 'x');
    time += 61_000;

    const Attributes = { MessageRetentionPeriod: '60' };
    await endpoint.client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));

    expect(await counts(endpoint.client, QueueUrl)).toEqual([0, 0, 0]);
  });

  test('a dead letter is as old as the message was', async () => {
    const dead = await makeQueue(endpoint.client, { MessageRetentionPeriod: '60' });
    const { url: QueueUrl } = await makeQueue(endpoint.client, redriveTo(dead.arn, 1));
    await send(QueueUrl, 'x');
    time += 40_000;
    for (let look = 0; look < 2; look += 1) {
      await endpoint.client.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0 }));
    }

    const before = await counts(endpoint.client, dead.url);
    time += 21_000;

    expect(before).toEqual([1, 0, 0]);
    expect(await counts(endpoint.client, dead.url)).toEqual([0, 0, 0]);
  });
});
