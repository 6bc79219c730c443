import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { counts, makeQueue, refusal } from '../support/queue-endpoints.ts';
import { type Ask, note, type QueueDifferences } from './queue-contract.ts';

/** Who may see a message, and when. */
export function visibilityContract(client: Ask, differences: QueueDifferences): void {
  async function receive(QueueUrl: string, VisibilityTimeout: number, WaitTimeSeconds = 10): Promise<Message> {
    const { Messages = [] } = await client().send(
      new ReceiveMessageCommand({
        QueueUrl,
        VisibilityTimeout,
        WaitTimeSeconds,
        MessageSystemAttributeNames: ['ApproximateReceiveCount'],
      }),
    );
    return Messages[0] ?? {};
  }

  async function queueWithMessage(): Promise<string> {
    const { url: QueueUrl } = await makeQueue(client());
    await client().send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
    return QueueUrl;
  }

  test('a delayed message is counted as delayed and arrives after its delay', async () => {
    const { url: QueueUrl } = await makeQueue(client());

    await client().send(new SendMessageCommand({ QueueUrl, MessageBody: 'later', DelaySeconds: 3 }));
    const early = await receive(QueueUrl, 30, 0);
    const during = await counts(client(), QueueUrl);
    const late = await receive(QueueUrl, 30);

    expect(early.Body).toBeUndefined();
    expect(during).toEqual([0, 0, 1]);
    expect(late.Body).toBe('later');
  });

  test('a message that is not deleted comes back when its visibility time-out ends, and counts its receives', async () => {
    const QueueUrl = await queueWithMessage();

    const first = await receive(QueueUrl, 1);
    const inFlight = await counts(client(), QueueUrl);
    const second = await receive(QueueUrl, 30);

    expect(inFlight).toEqual([0, 1, 0]);
    expect(second.MessageId).toBe(first.MessageId);
    expect(second.ReceiptHandle).not.toBe(first.ReceiptHandle);
    expect([first, second].map((message) => message.Attributes?.ApproximateReceiveCount)).toEqual(['1', '2']);
  });

  test('a holder can keep a message longer than it first said', async () => {
    const QueueUrl = await queueWithMessage();
    const { ReceiptHandle } = await receive(QueueUrl, 2);

    await client().send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 60 }));
    const other = await receive(QueueUrl, 30, 4);

    expect(other.Body).toBeUndefined();
    expect(await counts(client(), QueueUrl)).toEqual([0, 1, 0]);
  });

  test('a holder can give a message back at once', { timeout: 12_000 }, async () => {
    const QueueUrl = await queueWithMessage();
    const { ReceiptHandle } = await receive(QueueUrl, 600);

    await client().send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    const again = await receive(QueueUrl, 30);

    expect(again.Attributes?.ApproximateReceiveCount).toBe('2');
  });

  test('visibility is changed in batches, and a bad handle fails by itself', async () => {
    const QueueUrl = await queueWithMessage();
    const { ReceiptHandle } = await receive(QueueUrl, 600);

    const changed = await client().send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl,
        Entries: [
          { Id: 'good', ReceiptHandle, VisibilityTimeout: 0 },
          { Id: 'bad', ReceiptHandle: 'no handle of ours', VisibilityTimeout: 0 },
        ],
      }),
    );
    const again = await receive(QueueUrl, 30);

    expect(changed.Successful?.map((entry) => entry.Id)).toEqual(['good']);
    expect(changed.Failed?.map((entry) => [entry.Id, entry.Code])).toEqual([['bad', 'ReceiptHandleIsInvalid']]);
    expect(again.Body).toBe('x');
  });

  test('deleting what is already deleted is no error', async () => {
    const QueueUrl = await queueWithMessage();
    const { ReceiptHandle } = await receive(QueueUrl, 30);
    await client().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));

    const again = client().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));

    expect(await refusal(again)).toBe('');
  });

  test('a receipt handle that never was one is refused, alone and in a batch', async () => {
    const QueueUrl = await queueWithMessage();

    const alone = await refusal(client().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: 'nonsense' })));
    const batch = await client().send(
      new DeleteMessageBatchCommand({ QueueUrl, Entries: [{ Id: 'a', ReceiptHandle: 'nonsense' }] }),
    );

    expect(alone).toBe('ReceiptHandleIsInvalid');
    expect(batch.Failed?.map((entry) => entry.Code)).toEqual(['ReceiptHandleIsInvalid']);
  });

  test('a deleted message cannot be held longer', async () => {
    const QueueUrl = await queueWithMessage();
    const { ReceiptHandle } = await receive(QueueUrl, 30);
    await client().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));

    const change = client().send(
      new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 30 }),
    );

    expect(await refusal(change)).toBe('InvalidParameterValue');
  });

  test('who lost a message can still delete it while nobody else has received it', async () => {
    const QueueUrl = await queueWithMessage();
    const { ReceiptHandle } = await receive(QueueUrl, 0);

    await client().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));

    expect(await counts(client(), QueueUrl)).toEqual([0, 0, 0]);
  });

  const oldDelete = differences.oldHandleDeletes;
  test.skipIf(oldDelete)(`an old handle deletes nothing that another holds${note(oldDelete)}`, async () => {
    const QueueUrl = await queueWithMessage();
    const first = await receive(QueueUrl, 0);
    await receive(QueueUrl, 600);

    const call = client().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: first.ReceiptHandle }));

    expect(await refusal(call)).toBe('');
    expect(await counts(client(), QueueUrl)).toEqual([0, 1, 0]);
  });

  const oldChange = differences.visibilityOfVisibleMessageChanges;
  test.skipIf(oldChange)(`a message that is visible again cannot be held longer${note(oldChange)}`, async () => {
    const QueueUrl = await queueWithMessage();
    const { ReceiptHandle } = await receive(QueueUrl, 0);

    const change = client().send(
      new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 30 }),
    );

    expect(await refusal(change)).toBe('MessageNotInflight');
  });
}
