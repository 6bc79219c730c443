import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateQueueCommand, GetQueueAttributesCommand, type QueueAttributeName, SQSClient } from '@aws-sdk/client-sqs';
import { type EmbeddedQueueOptions, startEmbeddedQueue } from '../../infra/embedded/queue/start-embedded-queue.ts';

export interface QueueEndpoint {
  readonly client: SQSClient;
  stop(): Promise<void>;
}

/** A client as any user of an endpoint makes it. Nobody checks the credentials; the SDK wants some. */
export function clientFor(endpoint: string): SQSClient {
  return new SQSClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 25_000 },
  });
}

/** A folder for the queues of one test, gone with it. */
export async function temporaryFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'stagecoach-queue-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** An embedded server of the test's own, with its folder. */
export async function openEmbeddedQueue(
  options: Partial<EmbeddedQueueOptions> = {},
): Promise<QueueEndpoint & { readonly endpoint: string }> {
  const { folder, remove } = await temporaryFolder();
  const queue = await startEmbeddedQueue({ folder, log: () => {}, ...options });
  const client = clientFor(queue.endpoint);
  return {
    endpoint: queue.endpoint,
    client,
    stop: async () => {
      client.destroy();
      await queue.stop();
      await remove();
    },
  };
}

let created = 0;

/** A queue with a name of its own, so that tests share an endpoint without seeing one another. */
export async function makeQueue(
  client: SQSClient,
  attributes: Partial<Record<QueueAttributeName, string>> = {},
): Promise<{ url: string; arn: string }> {
  created += 1;
  const suffix = attributes.FifoQueue === 'true' ? '.fifo' : '';
  const QueueName = `queue-${process.pid}-${created}-${Date.now().toString(36)}${suffix}`;
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName, Attributes: attributes }));
  const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  return { url: QueueUrl, arn: Attributes?.QueueArn ?? '' };
}

export function redriveTo(deadLetterArn: string, maxReceiveCount: number): { RedrivePolicy: string } {
  return { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: deadLetterArn, maxReceiveCount }) };
}

/** The approximate numbers of messages: ready, in flight, delayed. */
export async function counts(client: SQSClient, QueueUrl: string): Promise<[number, number, number]> {
  const { Attributes: all = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
  );
  return [
    Number(all.ApproximateNumberOfMessages),
    Number(all.ApproximateNumberOfMessagesNotVisible),
    Number(all.ApproximateNumberOfMessagesDelayed),
  ];
}

/** The name of the error that a call ends with; the empty text when it succeeds. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  );
}

/** The headers of a request as the SDK makes it. */
export function sqsHeaders(action: string): Record<string, string> {
  return { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` };
}
