import { ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureQueues } from '../../../infra/queues.ts';
import { connectQueue } from '../../../shared/adapters/sqs/client.ts';
import { deadLettersOf, openQueue } from '../../../shared/adapters/sqs/queue.ts';
import { openQueueUrls, type QueueUrls } from '../../../shared/adapters/sqs/queue-urls.ts';
import { toEvent } from '../../../shared/adapters/sqs/wire.ts';
import { Envelope } from '../../../shared/contracts/envelope.ts';
import { Transient } from '../../../shared/ports/trouble.ts';
import { errandRoutes } from '../../support/machine.ts';
import { aMessage } from '../../support/messages.ts';
import { openEmbeddedQueue } from '../../support/queue-endpoints.ts';

let endpoint: Awaited<ReturnType<typeof openEmbeddedQueue>>;
let client: SQSClient;
let urls: QueueUrls;
const clock = { now: () => Date.parse('2026-01-01T00:00:00Z') };

beforeAll(async () => {
  endpoint = await openEmbeddedQueue();
  client = endpoint.client;
  await ensureQueues(client, 'test', errandRoutes);
  urls = openQueueUrls(client, 'test');
});
afterAll(() => endpoint.stop());

async function receive(queue: string) {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: await urls.of(queue),
      MaxNumberOfMessages: 10,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
    }),
  );
  return Messages;
}

describe('a message', () => {
  it('arrives as the CloudEvent that was sent, its cause, story and trace beside it', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const message = aMessage('web', { cause: 'cause-1', correlation: 'story-1', traceparent });
    await openQueue(client, urls, clock).send([{ message, from: 'bind-claim', pending: true, attempt: 3 }]);

    const [received] = await receive('run-errand');

    expect(received?.Attributes?.MessageGroupId).toBe('team');
    expect(Object.keys(received?.MessageAttributes ?? {}).toSorted()).toEqual([
      'attempt',
      'causationid',
      'correlationid',
      'pending',
      'traceparent',
    ]);
    expect(Envelope.parse(toEvent(received ?? {}))).toEqual({
      specversion: '1.0',
      id: message.id,
      source: '/functions/bind-claim',
      type: 'claim.changed.v1',
      subject: 'team/web',
      time: '2026-01-01T00:00:00.000Z',
      data: { namespace: 'team', name: 'web' },
      traceparent,
      causationid: 'cause-1',
      correlationid: 'story-1',
      attempt: 3,
      pending: 'true',
    });
  });

  it('that nobody can read is buried with what an operator needs', async () => {
    await openQueue(client, urls, clock).bury({
      function: 'run-errand',
      body: '',
      why: 'not a CloudEvent of ours',
      step: 'step-1',
    });

    const [letter] = await receive(deadLettersOf('run-errand'));

    expect(letter?.MessageAttributes).toMatchObject({
      function: { StringValue: 'run-errand' },
      why: { StringValue: 'not a CloudEvent of ours' },
      step: { StringValue: 'step-1' },
    });
  });

  it('that the queue does not take is an outage to its sender', async () => {
    const nobody = connectQueue({ endpoint: 'http://127.0.0.1:1', region: 'us-east-1' });
    const queue = openQueue(nobody, { of: async () => 'http://127.0.0.1:1/000000000000/x' }, clock);

    await expect(queue.send([{ message: aMessage('web'), from: 'test', pending: false }])).rejects.toThrow(Transient);
    nobody.destroy();
  });
});

describe('the queues of the map', () => {
  it('come with their dead letters, and may be made again', async () => {
    expect(await ensureQueues(client, 'test', errandRoutes)).toEqual([
      'test-run-errand',
      'test-run-errand-dead',
      'test-report-errand',
      'test-report-errand-dead',
    ]);
  });
});
