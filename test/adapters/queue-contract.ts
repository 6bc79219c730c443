import type { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe } from 'vitest';
import type { QueueEndpoint } from '../support/queue-endpoints.ts';
import { deadLetterContract } from './queue-contract-dead-letters.ts';
import { messageContract } from './queue-contract-messages.ts';
import { queueContract } from './queue-contract-queues.ts';
import { visibilityContract } from './queue-contract-visibility.ts';

/** Where an endpoint is known not to do as AWS does: the reason, which is shown in the title of the skipped test. */
export interface QueueDifferences {
  /** AWS: the call succeeds and the message, which somebody else holds by now, stays. */
  readonly oldHandleDeletes?: string;
  /** AWS: refused, the message is nobody's. */
  readonly visibilityOfVisibleMessageChanges?: string;
  /** AWS: a message that is moved back is a new message, with an id of its own. */
  readonly movedMessageKeepsItsPast?: string;
  /** AWS: a delay of more than 900 seconds is refused. */
  readonly longDelayIsTaken?: string;
  /** AWS: a redrive policy must name a queue that exists. */
  readonly anyDeadLetterQueueIsTaken?: string;
}

export type Ask = () => SQSClient;

/** What Stagecoach relies on in a queue, at any endpoint. */
export function describeQueueContract(
  name: string,
  open: () => Promise<QueueEndpoint>,
  differences: QueueDifferences = {},
): void {
  describe.concurrent(`a queue at ${name}`, () => {
    let endpoint: QueueEndpoint | undefined;
    const client: Ask = () => {
      if (endpoint === undefined) throw new Error(`${name} did not open`);
      return endpoint.client;
    };
    beforeAll(async () => {
      endpoint = await open();
    }, 900_000);
    afterAll(() => endpoint?.stop());

    messageContract(client, differences);
    visibilityContract(client, differences);
    deadLetterContract(client, differences);
    queueContract(client);
  });
}

export function note(difference: string | undefined): string {
  return difference === undefined ? '' : ` (not here: ${difference})`;
}
