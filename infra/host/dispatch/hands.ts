import { ChangeMessageVisibilityBatchCommand, DeleteMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { inBatches } from '../../../shared/adapters/sqs/batch.ts';
import type { QueueUrls } from '../../../shared/adapters/sqs/queue-urls.ts';
import type { Logger } from '../../../shared/adapters/telemetry/logger.ts';
import type { Received } from './received.ts';

const callTimeoutMs = 10_000;

/** Nobody waits for a delete, and ten at a time cost what one does. */
const deleteLingerMs = 50;

/**
 * What is in this process's hands: kept from others while it is here, taken off the queue when it is done, given back
 * when it is not. A call that fails costs a second delivery and nothing else, so it is told and not repeated.
 */
export function openHands(sqs: SQSClient, urls: QueueUrls, visibilitySeconds: number, log: Logger) {
  const inHand = new Set<Received>();
  const removers = new Map<string, ReturnType<typeof inBatches<string>>>();
  const heartbeat = setInterval(() => void keepAll(), (visibilitySeconds * 1_000) / 3).unref();

  function remover(queue: string) {
    const known = removers.get(queue);
    if (known !== undefined) return known;
    const made = inBatches<string>({ most: 10, parallel: 2, lingerMs: deleteLingerMs }, async (handles) => {
      const Entries = handles.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: await urls.of(queue), Entries }), {
        abortSignal: AbortSignal.timeout(callTimeoutMs),
      });
      return [];
    });
    removers.set(queue, made);
    return made;
  }

  async function setVisibility(queue: string, messages: readonly Received[], seconds: number): Promise<void> {
    for (let from = 0; from < messages.length; from += 10) {
      const Entries = messages
        .slice(from, from + 10)
        .map(({ handle }, index) => ({ Id: String(index), ReceiptHandle: handle, VisibilityTimeout: seconds }));
      await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: await urls.of(queue), Entries }), {
        abortSignal: AbortSignal.timeout(callTimeoutMs),
      });
    }
  }

  async function keepAll(): Promise<void> {
    const byQueue = Map.groupBy(inHand, (message) => message.function);
    await Promise.all(
      [...byQueue].map(([queue, messages]) =>
        tried('visibility was not extended', queue, setVisibility(queue, messages, visibilitySeconds)),
      ),
    );
  }

  async function tried(what: string, queue: string, call: Promise<unknown>): Promise<void> {
    try {
      await call;
    } catch (error) {
      log.warn(what, { queue, error: String(error) });
    }
  }

  return {
    take(message: Received): void {
      if (message.handle !== undefined) inHand.add(message);
    },
    /** Done with it: off the queue. */
    async remove(message: Received): Promise<void> {
      inHand.delete(message);
      if (message.handle !== undefined)
        await tried('message was not deleted', message.function, remover(message.function).add(message.handle));
    },
    /** Not done: others may have it, after this many seconds. */
    async giveBack(messages: readonly Received[], seconds: number): Promise<void> {
      for (const message of messages) inHand.delete(message);
      const queued = messages.filter(({ handle }) => handle !== undefined);
      const byQueue = Map.groupBy(queued, (message) => message.function);
      await Promise.all(
        [...byQueue].map(([queue, some]) =>
          tried('message was not given back', queue, setVisibility(queue, some, seconds)),
        ),
      );
    },
    async close(): Promise<void> {
      clearInterval(heartbeat);
      await Promise.all([...removers.values()].map((one) => one.idle()));
    },
  };
}
