import {
  ListDeadLetterSourceQueuesCommand,
  ListMessageMoveTasksCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { counts, makeQueue, redriveTo, refusal } from '../support/queue-endpoints.ts';
import { type Ask, note, type QueueDifferences } from './queue-contract.ts';

/** What becomes of a message that nobody can handle, and how it comes back. */
export function deadLetterContract(client: Ask, differences: QueueDifferences): void {
  async function receive(QueueUrl: string, VisibilityTimeout: number): Promise<Message | undefined> {
    const { Messages = [] } = await client().send(
      new ReceiveMessageCommand({
        QueueUrl,
        VisibilityTimeout,
        WaitTimeSeconds: 1,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    return Messages[0];
  }

  async function pair(): Promise<{ work: string; workArn: string; dead: string; deadArn: string }> {
    const dead = await makeQueue(client());
    const work = await makeQueue(client(), redriveTo(dead.arn, 2));
    return { work: work.url, workArn: work.arn, dead: dead.url, deadArn: dead.arn };
  }

  /** Receives a message twice and gives it back; the third look finds it too often received. */
  async function wearOut(work: string, body: string): Promise<(string | undefined)[]> {
    const MessageAttributes = { cause: { DataType: 'String', StringValue: 'c-1' } };
    await client().send(new SendMessageCommand({ QueueUrl: work, MessageBody: body, MessageAttributes }));
    const seen = [];
    for (let look = 0; look < 3; look += 1) seen.push((await receive(work, 0))?.Body);
    return seen;
  }

  test('a message received too often goes to the dead letters with its attributes and says where it came from', async () => {
    const { work, workArn, dead } = await pair();

    const seen = await wearOut(work, 'hopeless');
    const letter = await receive(dead, 30);

    expect(seen).toEqual(['hopeless', 'hopeless', undefined]);
    expect(await counts(client(), work)).toEqual([0, 0, 0]);
    expect(letter?.Body).toBe('hopeless');
    expect(letter?.MessageAttributes?.['cause']?.StringValue).toBe('c-1');
    expect(letter?.Attributes?.DeadLetterQueueSourceArn).toBe(workArn);
  });

  test('a dead-letter queue knows whose it is', async () => {
    const { work, dead } = await pair();

    const { queueUrls } = await client().send(new ListDeadLetterSourceQueuesCommand({ QueueUrl: dead }));

    expect(queueUrls).toEqual([work]);
  });

  test('dead letters are moved back to the queue they came from', async ({ expect }) => {
    const { work, dead, deadArn } = await pair();
    await wearOut(work, 'second chance');

    await client().send(new StartMessageMoveTaskCommand({ SourceArn: deadArn }));
    await expect.poll(() => counts(client(), work), { timeout: 10_000 }).toEqual([1, 0, 0]);
    const back = await receive(work, 30);
    const moved = async () => {
      const list = await client().send(new ListMessageMoveTasksCommand({ SourceArn: deadArn }));
      return list.Results?.map((task) => [task.Status, task.ApproximateNumberOfMessagesMoved]);
    };

    expect(back?.Body).toBe('second chance');
    expect(back?.MessageAttributes?.['cause']?.StringValue).toBe('c-1');
    expect(await counts(client(), dead)).toEqual([0, 0, 0]);
    await expect.poll(moved, { timeout: 10_000 }).toEqual([['COMPLETED', 1]]);
  });

  const past = differences.movedMessageKeepsItsPast;
  test.skipIf(past)(`a message that was moved back is a new one${note(past)}`, async ({ expect }) => {
    const { work, dead, deadArn } = await pair();
    await wearOut(work, 'reborn');
    const letter = await receive(dead, 0);

    await client().send(new StartMessageMoveTaskCommand({ SourceArn: deadArn }));
    await expect.poll(() => counts(client(), work), { timeout: 10_000 }).toEqual([1, 0, 0]);
    const back = await receive(work, 30);

    expect(back?.MessageId).toMatch(/./);
    expect(back?.MessageId).not.toBe(letter?.MessageId);
  });

  test('only a dead-letter queue can be moved', async () => {
    const { workArn } = await pair();

    const start = client().send(new StartMessageMoveTaskCommand({ SourceArn: workArn }));

    expect(await refusal(start)).toBe('InvalidParameterValue');
  });

  const any = differences.anyDeadLetterQueueIsTaken;
  test.skipIf(any)(`a dead-letter queue that does not exist is refused${note(any)}`, async () => {
    const { arn } = await makeQueue(client());

    const create = makeQueue(client(), redriveTo(`${arn}-nowhere`, 2));

    expect(await refusal(create)).toBe('InvalidParameterValue');
  });
}
