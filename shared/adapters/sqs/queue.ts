import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Clock } from '../../ports/clock.ts';
import type { DeadLetter, Delivery, Queue } from '../../ports/queue.ts';
import { Transient } from '../../ports/trouble.ts';
import { inBatches } from './batch.ts';
import { translateSqs } from './client.ts';
import type { QueueUrls } from './queue-urls.ts';
import { attributes, toEntry } from './wire.ts';

/** A send that takes longer than this is tried again with its step. */
const sendTimeoutMs = 10_000;

type Entry = Omit<SendMessageBatchRequestEntry, 'Id'>;

/** Sending, through the SDK, in batches where there is more than one message to send. */
export function openQueue(
  client: SQSClient,
  urls: QueueUrls,
  clock: Pick<Clock, 'now'>,
): Queue & { idle(): Promise<void> } {
  const senders = new Map<string, ReturnType<typeof inBatches<Entry>>>();

  function senderTo(queue: string) {
    const known = senders.get(queue);
    if (known !== undefined) return known;
    const sender = inBatches<Entry>({ most: 10, parallel: 4, lingerMs: 0 }, (entries) => sendAll(queue, entries));
    senders.set(queue, sender);
    return sender;
  }

  async function sendAll(queue: string, entries: readonly Entry[]): Promise<readonly (Error | undefined)[]> {
    const [only] = entries;
    try {
      const QueueUrl = await urls.of(queue);
      const options = { abortSignal: AbortSignal.timeout(sendTimeoutMs) };
      if (entries.length === 1 && only !== undefined) {
        await client.send(new SendMessageCommand({ QueueUrl, ...only }), options);
        return [undefined];
      }
      const Entries = entries.map((entry, index) => ({ ...entry, Id: String(index) }));
      const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }), options);
      const failed = new Map(Failed.map(({ Id, Code }) => [Number(Id), Code]));
      return entries.map((_entry, index) =>
        failed.has(index)
          ? new Transient('queue', `the queue did not take a message (${failed.get(index)})`)
          : undefined,
      );
    } catch (error) {
      throw translateSqs(error);
    }
  }

  return {
    async send(deliveries: readonly Delivery[]) {
      if (deliveries.length === 0) return;
      const time = new Date(clock.now()).toISOString();
      await Promise.all(deliveries.map((delivery) => senderTo(delivery.message.function).add(toEntry(delivery, time))));
    },
    async bury({ function: name, body, why, step, traceparent }: DeadLetter) {
      await senderTo(deadLettersOf(name)).add({
        // SQS refuses an empty body, and an empty body is one of the things we bury.
        MessageBody: body === '' ? ' ' : body,
        MessageAttributes: attributes({
          function: name,
          why: why.slice(0, 1_000),
          step,
          traceparent,
          buriedat: new Date(clock.now()).toISOString(),
        }),
      });
    },
    async idle() {
      await Promise.all([...senders.values()].map((sender) => sender.idle()));
    },
  };
}

export function deadLettersOf(functionName: string): string {
  return `${functionName}-dead`;
}
