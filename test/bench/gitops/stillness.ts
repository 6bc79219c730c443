import { setTimeout as pause } from 'node:timers/promises';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Sql } from 'postgres';

const patienceMs = 300_000;
/** What was just seen on a watch makes its knock a moment later, and what is done is taken off its queue after 50 ms. */
const momentMs = 60;
/** Between a message that is taken off its queue and the row of what follows from it there may be one look without either. */
const looks = 2;

const waitingIn = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

/**
 * Resolves when no step runs and none is due, so that the end of one turn does not disturb the next. Rows alone do not tell:
 * what a watch brings goes straight to the queues.
 */
export async function becomeStill(sql: Sql, client: SQSClient, queues: readonly string[]): Promise<void> {
  const deadline = performance.now() + patienceMs;
  await pause(momentMs);
  for (let still = 0; still < looks; ) {
    const found = [...(await rowsUnderWay(sql)), ...(await messagesIn(client, queues))];
    still = found.length === 0 ? still + 1 : 0;
    if (performance.now() > deadline) throw new Error(`it does not settle: ${found.join(', ')}`);
    await pause(20);
  }
}

async function rowsUnderWay(sql: Sql): Promise<string[]> {
  const rows = await sql<{ what: string }[]>`
    select key as what from lease union all select function || ' ' || subject from knock limit 5`;
  return rows.map(({ what }) => what);
}

async function messagesIn(client: SQSClient, queues: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    queues.map(async (QueueUrl) => {
      const { Attributes = {} } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...waitingIn] }),
      );
      const count = waitingIn.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
      return count === 0 ? [] : [`${count} in ${QueueUrl}`];
    }),
  );
  return found.flat();
}
