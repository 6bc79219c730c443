import { SQSClient } from '@aws-sdk/client-sqs';
import { Transient } from '../../ports/trouble.ts';

export interface QueueSettings {
  /** Empty for Amazon SQS itself. */
  readonly endpoint?: string | undefined;
  readonly region: string;
}

export function connectQueue({ endpoint, region }: QueueSettings): SQSClient {
  return new SQSClient({
    region,
    ...(endpoint !== undefined && { endpoint }),
    // Retrying is the caller's: a send is repeated with its step, a receive with its loop.
    maxAttempts: 2,
    // A long poll holds a connection for twenty seconds; with the default of fifty sockets, pollers would starve senders.
    requestHandler: {
      connectionTimeout: 2_000,
      requestTimeout: 30_000,
      httpAgent: { keepAlive: true, maxSockets: 256 },
      httpsAgent: { keepAlive: true, maxSockets: 256 },
    },
  });
}

/** Anything a queue answers with is an outage to us: our own requests are well formed, or tests would not pass. */
export function translateSqs(error: unknown): Transient {
  const name = error instanceof Error ? error.name : 'unknown error';
  return new Transient('queue', `the queue did not take the request (${name})`, { cause: error });
}
