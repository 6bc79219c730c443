import { setTimeout as pause } from 'node:timers/promises';
import { ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { QueueUrls } from '../../../shared/adapters/sqs/queue-urls.ts';
import type { Logger } from '../../../shared/adapters/telemetry/logger.ts';
import { backoffSeconds } from '../../../shared/domain/core/backoff.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Route } from '../../../shared/runtime/machine.ts';
import { fromSqs, type Received } from './received.ts';

/** SQS's longest long poll. */
const waitSeconds = 20;

export interface PollerSettings {
  readonly route: Route;
  readonly sqs: SQSClient;
  readonly urls: QueueUrls;
  readonly visibilitySeconds: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  /** Resolves when there is room for more messages. */
  readonly room: (signal: AbortSignal) => Promise<void>;
  readonly deliver: (messages: readonly Received[]) => void;
}

/** Receives from one queue for as long as the host lives. An outage of the queue slows it down and never ends it. */
export function startPoller({
  route,
  sqs,
  urls,
  visibilitySeconds,
  clock,
  random,
  log,
  room,
  deliver,
}: PollerSettings) {
  const stopping = new AbortController();
  let failures = 0;
  let answeredAt = clock.now();

  async function receive(): Promise<readonly Received[]> {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: await urls.of(route.function),
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: waitSeconds,
        VisibilityTimeout: visibilitySeconds,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['ApproximateReceiveCount'],
      }),
      { abortSignal: AbortSignal.any([stopping.signal, AbortSignal.timeout((waitSeconds + 8) * 1_000)]) },
    );
    return Messages.map((message) => fromSqs(route, message));
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await room(stopping.signal);
        const messages = await receive();
        failures = 0;
        answeredAt = clock.now();
        if (messages.length > 0) deliver(messages);
      } catch (error) {
        if (stopping.signal.aborted) return;
        failures += 1;
        const seconds = backoffSeconds(failures, random(), { baseSeconds: 0.2, capSeconds: 15 });
        log.warn('queue does not answer', {
          queue: route.function,
          attempt: failures,
          retry: seconds,
          error: String(error),
        });
        await pause(seconds * 1_000, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  const ended = poll();
  return {
    /** Milliseconds since the queue last answered. */
    silentMs: () => clock.now() - answeredAt,
    function: route.function,
    async stop(): Promise<void> {
      stopping.abort();
      await ended;
    },
  };
}
