import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  counts,
  makeQueue,
  openEmbeddedQueue,
  type QueueEndpoint,
  redriveTo,
  refusal,
} from '../../support/queue-endpoints.ts';

describe('a FIFO queue of the embedded server', () => {
  let endpoint: QueueEndpoint;
  let client: SQSClient;
  let time = Date.now();
  beforeAll(async () => {
    endpoint = await openEmbeddedQueue({ now: () => time });
    client = endpoint.client;
  });
  afterAll(() => endpoint.stop());

  const Fifo = { FifoQueue: 'true', ContentBasedDeduplication: 'true' } as const;

  async function send(QueueUrl: string, group: string, ...bodies: string[]): Promise<void> {
    for (const MessageBody of bodies) {
      await client.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: group }));
    }
  }

  async function receive(QueueUrl: string, MaxNumberOfMessages = 10): Promise<Message[]> {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages, MessageSystemAttributeNames: ['All'] }),
    );
    return Messages;
  }

  const bodies = (messages: readonly Message[]) => messages.map((message) => message.Body);

  test('gives several messages of one group in order, and numbers them in that order', async () => {
    const { url } = await makeQueue(client, Fifo);
    await send(url, 'a', 'a1', 'a2', 'a3');
    await send(url, 'b', 'b1');

    const messages = await receive(url);

    expect(bodies(messages)).toEqual(['a1', 'a2', 'a3', 'b1']);
    const numbers = messages.map((message) => message.Attributes?.SequenceNumber ?? '');
    expect(numbers).toEqual([...numbers].sort());
    expect(messages[0]?.Attributes?.MessageGroupId).toBe('a');
  });

  test('holds a group back while one of its messages is in flight, and no other group', async () => {
    const { url } = await makeQueue(client, Fifo);
    await send(url, 'a', 'a1', 'a2');
    const [a1] = await receive(url, 1);
    await send(url, 'b', 'b1');

    const others = await receive(url);
    const none = await receive(url);
    await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: a1?.ReceiptHandle }));
    const next = await receive(url);

    expect([bodies(others), bodies(none), bodies(next)]).toEqual([['b1'], [], ['a2']]);
  });

  test('gives a message that comes back before the later ones of its group', async () => {
    const { url } = await makeQueue(client, Fifo);
    await send(url, 'a', 'a1', 'a2', 'a3');
    const [a1, a2] = await receive(url, 2);

    for (const message of [a2, a1]) {
      const ReceiptHandle = message?.ReceiptHandle;
      await client.send(new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle, VisibilityTimeout: 0 }));
    }

    expect(bodies(await receive(url))).toEqual(['a1', 'a2', 'a3']);
  });

  test('takes the same message once in five minutes, and then again', async () => {
    const { url } = await makeQueue(client, Fifo);
    await send(url, 'a', 'same', 'same');
    const during = await counts(client, url);

    time += 5 * 60_000 + 1;
    await send(url, 'a', 'same');

    expect(during).toEqual([1, 0, 0]);
    expect(await counts(client, url)).toEqual([2, 0, 0]);
  });

  test('tells messages apart by group when it is asked to', async () => {
    const { url: byQueue } = await makeQueue(client, Fifo);
    const { url: byGroup } = await makeQueue(client, { ...Fifo, DeduplicationScope: 'messageGroup' });

    for (const url of [byQueue, byGroup]) {
      await send(url, 'a', 'same');
      await send(url, 'b', 'same');
    }

    expect(await counts(client, byQueue)).toEqual([1, 0, 0]);
    expect(await counts(client, byGroup)).toEqual([2, 0, 0]);
  });

  test('refuses what is not for it', async () => {
    const { url: QueueUrl } = await makeQueue(client, { FifoQueue: 'true' });
    const { url: standard } = await makeQueue(client);
    const message = { QueueUrl, MessageBody: 'x', MessageGroupId: 'a', MessageDeduplicationId: 'd' };

    const refusals = [
      await refusal(client.send(new SendMessageCommand({ ...message, MessageGroupId: undefined }))),
      await refusal(client.send(new SendMessageCommand({ ...message, MessageDeduplicationId: undefined }))),
      await refusal(client.send(new SendMessageCommand({ ...message, DelaySeconds: 5 }))),
      await refusal(client.send(new SendMessageCommand({ ...message, QueueUrl: standard }))),
    ];

    const invalid = 'InvalidParameterValue';
    expect(refusals).toEqual(['MissingParameter', invalid, invalid, invalid]);
  });

  test('does not let a late holder delete', async () => {
    const { url: QueueUrl } = await makeQueue(client, { ...Fifo, VisibilityTimeout: '30' });
    await send(QueueUrl, 'a', 'a1');
    const [held] = await receive(QueueUrl);

    time += 31_000;
    const late = client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: held?.ReceiptHandle }));

    expect(await refusal(late)).toBe('InvalidParameterValue');
    expect(await counts(client, QueueUrl)).toEqual([1, 0, 0]);
  });

  test('sets a group free when its stuck message has gone to the dead letters', async () => {
    const dead = await makeQueue(client, Fifo);
    const { url } = await makeQueue(client, { ...Fifo, ...redriveTo(dead.arn, 1), VisibilityTimeout: '30' });
    await send(url, 'a', 'stuck', 'next');
    await receive(url, 1);

    time += 31_000;

    expect(bodies(await receive(url))).toEqual(['next']);
    expect(bodies(await receive(dead.url))).toEqual(['stuck']);
  });
});
