import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  ListQueueTagsCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  TagQueueCommand,
} from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { counts, makeQueue, refusal } from '../support/queue-endpoints.ts';
import type { Ask } from './queue-contract.ts';

/** Queues as things: made, found, changed, emptied, deleted. */
export function queueContract(client: Ask): void {
  test('making a queue again gives the same queue, and with other attributes it is refused', async () => {
    const { url } = await makeQueue(client(), { VisibilityTimeout: '45' });
    const QueueName = url.split('/').at(-1);
    const again = (VisibilityTimeout: string) =>
      client().send(new CreateQueueCommand({ QueueName, Attributes: { VisibilityTimeout } }));

    expect((await again('45')).QueueUrl).toBe(url);
    expect((await client().send(new CreateQueueCommand({ QueueName }))).QueueUrl).toBe(url);
    expect(await refusal(again('46'))).toBe('QueueNameExists');
  });

  test('a queue is found by its name and by the beginning of it', async () => {
    const { url } = await makeQueue(client());
    const QueueName = url.split('/').at(-1);

    const found = await client().send(new GetQueueUrlCommand({ QueueName }));
    const listed = await client().send(new ListQueuesCommand({ QueueNamePrefix: QueueName }));

    expect(found.QueueUrl).toBe(url);
    expect(listed.QueueUrls).toEqual([url]);
  });

  test('a queue that does not exist is named as such by every call', async () => {
    const { url } = await makeQueue(client());
    const QueueUrl = `${url}-nowhere`;

    const refusals = [
      await refusal(client().send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }))),
      await refusal(client().send(new ReceiveMessageCommand({ QueueUrl }))),
      await refusal(client().send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))),
      await refusal(client().send(new GetQueueUrlCommand({ QueueName: 'nowhere-at-all' }))),
    ];

    expect(refusals).toEqual(Array(4).fill('QueueDoesNotExist'));
  });

  test('a deleted queue is gone', async () => {
    const { url: QueueUrl } = await makeQueue(client());

    await client().send(new DeleteQueueCommand({ QueueUrl }));

    expect(await refusal(client().send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' })))).toBe(
      'QueueDoesNotExist',
    );
  });

  test('attributes and tags can be changed and are shown', async () => {
    const { url: QueueUrl } = await makeQueue(client());

    await client().send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: '77' } }));
    await client().send(new TagQueueCommand({ QueueUrl, Tags: { owner: 'stagecoach' } }));
    const { Attributes } = await client().send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
    const { Tags } = await client().send(new ListQueueTagsCommand({ QueueUrl }));

    expect(Attributes).toMatchObject({ VisibilityTimeout: '77', MessageRetentionPeriod: '345600', DelaySeconds: '0' });
    expect(Tags).toEqual({ owner: 'stagecoach' });
  });

  test('the visibility time-out of the queue holds for a receive that names none', async () => {
    const { url: QueueUrl } = await makeQueue(client(), { VisibilityTimeout: '1' });
    await client().send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));

    await client().send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }));
    const again = await client().send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 10 }));

    expect(again.Messages).toHaveLength(1);
  });

  test('purging empties a queue of what waits and of what is in flight', async ({ expect }) => {
    const { url: QueueUrl } = await makeQueue(client());
    const Entries = ['a', 'b', 'c'].map((Id) => ({ Id, MessageBody: Id }));
    await client().send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    await client().send(new ReceiveMessageCommand({ QueueUrl }));

    await client().send(new PurgeQueueCommand({ QueueUrl }));

    await expect.poll(() => counts(client(), QueueUrl)).toEqual([0, 0, 0]);
  });
}
