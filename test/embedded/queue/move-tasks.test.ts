import {
  CancelMessageMoveTaskCommand,
  ListMessageMoveTasksCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  counts,
  makeQueue,
  openEmbeddedQueue,
  type QueueEndpoint,
  redriveTo,
  refusal,
} from '../../support/queue-endpoints.ts';

describe('moving dead letters of the embedded queue', () => {
  let endpoint: QueueEndpoint;
  let client: SQSClient;
  beforeEach(async () => {
    endpoint = await openEmbeddedQueue();
    client = endpoint.client;
  });
  afterEach(() => endpoint.stop());

  async function deadLetters(count: number): Promise<{ work: string; dead: string; deadArn: string }> {
    const dead = await makeQueue(client);
    const { url: work } = await makeQueue(client, redriveTo(dead.arn, 1));
    for (let sent = 0; sent < count; sent += 1) {
      await client.send(new SendMessageCommand({ QueueUrl: work, MessageBody: `letter ${sent}` }));
    }
    for (let look = 0; look <= count; look += 1) {
      await client.send(new ReceiveMessageCommand({ QueueUrl: work, VisibilityTimeout: 0, MaxNumberOfMessages: 10 }));
    }
    expect(await counts(client, dead.url)).toEqual([count, 0, 0]);
    return { work, dead: dead.url, deadArn: dead.arn };
  }

  async function latest(SourceArn: string): Promise<(string | undefined)[]> {
    const { Results = [] } = await client.send(new ListMessageMoveTasksCommand({ SourceArn }));
    return [Results[0]?.Status, Results[0]?.FailureReason];
  }

  test('a slow move can be cancelled, and what was not moved stays', async () => {
    const { work, dead, deadArn } = await deadLetters(5);
    const slow = { SourceArn: deadArn, MaxNumberOfMessagesPerSecond: 1 };
    const { TaskHandle } = await client.send(new StartMessageMoveTaskCommand(slow));

    const second = await refusal(client.send(new StartMessageMoveTaskCommand(slow)));
    await client.send(new CancelMessageMoveTaskCommand({ TaskHandle }));
    const again = await refusal(client.send(new CancelMessageMoveTaskCommand({ TaskHandle })));

    expect([second, again]).toEqual(['UnsupportedOperation', 'UnsupportedOperation']);
    expect(await latest(deadArn)).toEqual(['CANCELLED', undefined]);
    const [inWork] = await counts(client, work);
    const [inDead] = await counts(client, dead);
    expect(inWork + inDead).toBe(5);
    expect(inDead).toBeGreaterThan(0);
  });

  test('letters can be moved to another queue than the one they came from', async () => {
    const { work, deadArn } = await deadLetters(3);
    const other = await makeQueue(client);

    await client.send(new StartMessageMoveTaskCommand({ SourceArn: deadArn, DestinationArn: other.arn }));

    await expect.poll(() => counts(client, other.url)).toEqual([3, 0, 0]);
    expect(await counts(client, work)).toEqual([0, 0, 0]);
  });

  test('a letter that came from nowhere stops the move and stays', async () => {
    const { dead, deadArn } = await deadLetters(0);
    await client.send(new SendMessageCommand({ QueueUrl: dead, MessageBody: 'sent here by hand' }));

    await client.send(new StartMessageMoveTaskCommand({ SourceArn: deadArn }));

    await expect.poll(() => latest(deadArn)).toEqual(['FAILED', 'CouldNotDetermineMessageSource']);
    expect(await counts(client, dead)).toEqual([1, 0, 0]);
  });

  test('a queue or a task that does not exist is said to be missing', async () => {
    const { deadArn } = await deadLetters(0);

    const refusals = [
      await refusal(client.send(new StartMessageMoveTaskCommand({ SourceArn: `${deadArn}-nowhere` }))),
      await refusal(client.send(new CancelMessageMoveTaskCommand({ TaskHandle: 'none' }))),
    ];

    expect(refusals).toEqual(['ResourceNotFoundException', 'ResourceNotFoundException']);
  });
});
