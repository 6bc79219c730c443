import { GetQueueUrlCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Where each queue is, asked once. */
export interface QueueUrls {
  of(queue: string): Promise<string>;
}

export function openQueueUrls(client: SQSClient, prefix: string): QueueUrls {
  const known = new Map<string, string>();
  return {
    async of(queue) {
      const url = known.get(queue);
      if (url !== undefined) return url;
      const QueueName = queueName(prefix, queue);
      const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName }), {
        abortSignal: AbortSignal.timeout(10_000),
      });
      if (QueueUrl === undefined) throw new Error(`The queue ${QueueName} has no URL`);
      known.set(queue, QueueUrl);
      return QueueUrl;
    },
  };
}

export function queueName(prefix: string, queue: string): string {
  return `${prefix}-${queue}`;
}
