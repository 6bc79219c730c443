import { test } from 'vitest';
import { startLocalStack } from '../../scripts/real/localstack.ts';
import { clientFor } from '../support/queue-endpoints.ts';
import { describeQueueContract } from './queue-contract.ts';

const localStack = await startLocalStack({ log: (line) => process.stderr.write(`${line}\n`) });

if ('missing' in localStack) {
  test.skip(`the queue contract holds at LocalStack (skipped: ${localStack.missing})`, () => {});
} else {
  describeQueueContract(
    'LocalStack',
    async () => {
      const client = clientFor(localStack.endpoint);
      return {
        client,
        stop: async () => {
          client.destroy();
          await localStack.stop();
        },
      };
    },
    {
      oldHandleDeletes: 'LocalStack takes every handle a message ever had',
      visibilityOfVisibleMessageChanges: 'LocalStack accepts the call and changes nothing',
      movedMessageKeepsItsPast: 'LocalStack moves the same message, with its id and its count of receives',
      longDelayIsTaken: 'LocalStack takes any delay',
      anyDeadLetterQueueIsTaken: 'LocalStack looks for the queue only when a message must go there',
    },
  );
}
