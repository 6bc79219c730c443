import {
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { counts, makeQueue, refusal } from '../support/queue-endpoints.ts';
import { type Ask, note, type QueueDifferences } from './queue-contract.ts';

function entries(count: number): { Id: string; MessageBody: string }[] {
  return Array.from({ length: count }, (_, index) => ({ Id: `e${index}`, MessageBody: `body ${index}` }));
}

/** Sending, receiving and deleting. */
export function messageContract(client: Ask, differences: QueueDifferences): void {
  test('a message that is sent is received as it was, and is gone when it is deleted', async () => {
    const { url: QueueUrl } = await makeQueue(client());
    const body = JSON.stringify({ text: 'Grüße, 世界 🚚', quote: '"<&>"' });

    const sent = await client().send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
    const { Messages = [] } = await client().send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }));
    await client().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle }));

    expect(Messages.map((message) => [message.MessageId, message.Body])).toEqual([[sent.MessageId, body]]);
    expect(await counts(client(), QueueUrl)).toEqual([0, 0, 0]);
  });

  test('ten messages are sent, received and deleted in one batch each', async () => {
    const { url: QueueUrl } = await makeQueue(client());

    const sent = await client().send(new SendMessageBatchCommand({ QueueUrl, Entries: entries(10) }));
    const received = new Map<string, string>();
    while (received.size < 10) {
      const { Messages = [] } = await client().send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 5 }),
      );
      for (const message of Messages) received.set(message.Body ?? '', message.ReceiptHandle ?? '');
    }
    const deleted = await client().send(
      new DeleteMessageBatchCommand({
        QueueUrl,
        Entries: [...received.values()].map((ReceiptHandle, index) => ({ Id: `d${index}`, ReceiptHandle })),
      }),
    );

    expect(sent.Successful?.map((entry) => entry.Id)).toEqual(entries(10).map((entry) => entry.Id));
    expect([...received.keys()].sort()).toEqual(entries(10).map((entry) => entry.MessageBody));
    expect(deleted.Successful).toHaveLength(10);
    expect(await counts(client(), QueueUrl)).toEqual([0, 0, 0]);
  });

  test('a batch of eleven is refused whole, and so are an empty one and one that repeats an id', async () => {
    const { url: QueueUrl } = await makeQueue(client());
    const twice = [...entries(1), ...entries(1)];

    const refusals = [
      await refusal(client().send(new SendMessageBatchCommand({ QueueUrl, Entries: entries(11) }))),
      await refusal(client().send(new SendMessageBatchCommand({ QueueUrl, Entries: [] }))),
      await refusal(client().send(new SendMessageBatchCommand({ QueueUrl, Entries: twice }))),
    ];

    expect(refusals).toEqual(['TooManyEntriesInBatchRequest', 'EmptyBatchRequest', 'BatchEntryIdsNotDistinct']);
    expect(await counts(client(), QueueUrl)).toEqual([0, 0, 0]);
  });

  test('one bad entry of a batch fails by itself and the others are done', async () => {
    const { url: QueueUrl } = await makeQueue(client());
    await client().send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
    const { Messages = [] } = await client().send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }));
    const good = { Id: 'good', ReceiptHandle: Messages[0]?.ReceiptHandle };

    const deleted = await client().send(
      new DeleteMessageBatchCommand({ QueueUrl, Entries: [{ Id: 'bad', ReceiptHandle: 'none of ours' }, good] }),
    );

    expect(deleted.Successful?.map((entry) => entry.Id)).toEqual(['good']);
    expect(deleted.Failed?.map((entry) => [entry.Id, entry.Code])).toEqual([['bad', 'ReceiptHandleIsInvalid']]);
    expect(await counts(client(), QueueUrl)).toEqual([0, 0, 0]);
  });

  const long = differences.longDelayIsTaken;
  test.skipIf(long)(`a delay of more than fifteen minutes is refused, in a batch by itself${note(long)}`, async () => {
    const { url: QueueUrl } = await makeQueue(client());
    const late = { MessageBody: 'too late', DelaySeconds: 901 };

    const alone = await refusal(client().send(new SendMessageCommand({ QueueUrl, ...late })));
    const sent = await client().send(
      new SendMessageBatchCommand({ QueueUrl, Entries: [...entries(2), { Id: 'late', ...late }] }),
    );

    expect(alone).toBe('InvalidParameterValue');
    expect(sent.Successful?.map((entry) => entry.Id)).toEqual(['e0', 'e1']);
    expect(sent.Failed?.map((entry) => [entry.Id, entry.SenderFault, entry.Code])).toEqual([
      ['late', true, 'InvalidParameterValue'],
    ]);
    expect(await counts(client(), QueueUrl)).toEqual([2, 0, 0]);
  });

  test('message attributes arrive with their types, and only those that were asked for', async () => {
    const { url: QueueUrl } = await makeQueue(client());
    const MessageAttributes = {
      traceparent: { DataType: 'String', StringValue: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
      'stage.attempt': { DataType: 'Number', StringValue: '3' },
      'stage.raw': { DataType: 'Binary', BinaryValue: new Uint8Array([0, 255, 7]) },
    };
    await client().send(new SendMessageCommand({ QueueUrl, MessageBody: 'x', MessageAttributes }));

    const some = await client().send(
      new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0, MessageAttributeNames: ['stage.*'] }),
    );
    const all = await client().send(
      new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5, MessageAttributeNames: ['All'] }),
    );

    expect(Object.keys(some.Messages?.[0]?.MessageAttributes ?? {}).sort()).toEqual(['stage.attempt', 'stage.raw']);
    const got = all.Messages?.[0]?.MessageAttributes ?? {};
    expect(Object.keys(got).sort()).toEqual(Object.keys(MessageAttributes).sort());
    expect(got['traceparent']).toMatchObject(MessageAttributes.traceparent);
    expect(got['stage.attempt']).toMatchObject(MessageAttributes['stage.attempt']);
    expect([...(got['stage.raw']?.BinaryValue ?? [])]).toEqual([0, 255, 7]);
  });

  test('a message of 256 KiB arrives whole', async () => {
    const { url: QueueUrl } = await makeQueue(client());
    const body = 'abcdefgh'.repeat(32 * 1024);

    await client().send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
    const { Messages = [] } = await client().send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }));

    expect(Messages[0]?.Body === body).toBe(true);
  });

  test('a message with a group is taken by a standard queue and shows its group', async () => {
    const { url: QueueUrl } = await makeQueue(client());
    await client().send(new SendMessageCommand({ QueueUrl, MessageBody: 'one', MessageGroupId: 'tenant-a' }));
    await client().send(new SendMessageCommand({ QueueUrl, MessageBody: 'two', MessageGroupId: 'tenant-a' }));

    const bodies: string[] = [];
    const groups = new Set<string | undefined>();
    while (bodies.length < 2) {
      const { Messages = [] } = await client().send(
        new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5, MessageSystemAttributeNames: ['All'] }),
      );
      for (const message of Messages) {
        bodies.push(message.Body ?? '');
        groups.add(message.Attributes?.MessageGroupId);
      }
    }

    expect(bodies.sort()).toEqual(['one', 'two']);
    expect([...groups]).toEqual(['tenant-a']);
  });

  test('a receive that waits is answered by the next send', { timeout: 12_000 }, async () => {
    const { url: QueueUrl } = await makeQueue(client());

    // Twenty seconds of waiting are longer than the time-out of this test: only the send can end it.
    const waiting = client().send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
    await client().send(new SendMessageCommand({ QueueUrl, MessageBody: 'at last' }));
    const { Messages = [] } = await waiting;

    expect(Messages.map((message) => message.Body)).toEqual(['at last']);
  });

  test('a receive that waits in vain comes back with nothing', async () => {
    const { url: QueueUrl } = await makeQueue(client());

    const { Messages = [] } = await client().send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 1 }));

    expect(Messages).toEqual([]);
  });
}
