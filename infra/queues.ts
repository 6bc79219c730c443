import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  QueueNameExists,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { deadLettersOf } from '../shared/adapters/sqs/queue.ts';
import { queueName } from '../shared/adapters/sqs/queue-urls.ts';
import type { Route } from '../shared/runtime/machine.ts';

/** SQS's longest: an outage over a long weekend loses nothing. */
const retentionSeconds = String(14 * 24 * 3_600);

/**
 * Makes the queue and the dead-letter queue of every function that consumes messages; there is no way to get the one
 * without the other. Harmless to repeat; a queue whose settings have changed is brought up to the map.
 */
export async function ensureQueues(client: SQSClient, prefix: string, routes: readonly Route[]): Promise<string[]> {
  return (await Promise.all(routes.map((route) => ensureQueue(client, prefix, route)))).flat();
}

async function ensureQueue(client: SQSClient, prefix: string, route: Route): Promise<string[]> {
  const dead = queueName(prefix, deadLettersOf(route.function));
  const name = queueName(prefix, route.function);
  const deadUrl = await ensure(client, dead, { MessageRetentionPeriod: retentionSeconds });
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: deadUrl, AttributeNames: ['QueueArn'] }),
    timeout(),
  );
  const deadLetterTargetArn = Attributes?.QueueArn;
  await ensure(client, name, {
    MessageRetentionPeriod: retentionSeconds,
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: route.maxReceiveCount }),
  });
  return [name, dead];
}

async function ensure(client: SQSClient, QueueName: string, Attributes: Record<string, string>): Promise<string> {
  try {
    const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName }), timeout());
    await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }), timeout());
    return QueueUrl;
  } catch (error) {
    if (error instanceof QueueNameExists)
      throw new Error(
        `The queue ${QueueName} exists as a queue of another sort; set QUEUE_PREFIX to a name of your own`,
        { cause: error },
      );
    if (error instanceof Error && error.name === 'CredentialsProviderError') {
      throw new Error(
        'The queue needs AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (for LocalStack, to any value)',
        { cause: error },
      );
    }
    throw error;
  }
}

function timeout(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(20_000) };
}
