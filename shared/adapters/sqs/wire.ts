import type { MessageAttributeValue, SendMessageBatchRequestEntry, Message as SqsMessage } from '@aws-sdk/client-sqs';
import { inWords } from '../../domain/core/subject.ts';
import type { Delivery } from '../../ports/queue.ts';

/** SQS takes no longer delay than this. */
const longestDelaySeconds = 900;

/** What travels beside the event, as message attributes, so that it can be read without opening the body. */
const travelling = ['traceparent', 'causationid', 'correlationid', 'attempt', 'pending'] as const;

export function toEntry(delivery: Delivery, time: string): Omit<SendMessageBatchRequestEntry, 'Id'> {
  const { message, from, pending, attempt, delaySeconds } = delivery;
  return {
    MessageBody: JSON.stringify({
      specversion: '1.0',
      id: message.id,
      source: `/functions/${from}`,
      type: message.type,
      subject: inWords(message.subject),
      time,
      data: message.subject,
    }),
    // Quiet tenants go first where the queue knows groups.
    MessageGroupId: message.tenant === '' ? 'cluster' : message.tenant,
    ...(delaySeconds !== undefined &&
      delaySeconds >= 1 && { DelaySeconds: Math.min(Math.round(delaySeconds), longestDelaySeconds) }),
    MessageAttributes: attributes({
      traceparent: message.traceparent,
      causationid: message.cause,
      correlationid: message.correlation,
      attempt: attempt === undefined || attempt === 0 ? undefined : String(attempt),
      pending: pending ? 'true' : undefined,
    }),
  };
}

/**
 * The event of a received message: the body as it came, and the attributes that travelled beside it. It is not
 * checked here; the function that gets it parses it. Undefined: the body is not even a JSON object.
 */
export function toEvent({
  Body,
  MessageAttributes = {},
}: Pick<SqsMessage, 'Body' | 'MessageAttributes'>): Record<string, unknown> | undefined {
  try {
    const event: unknown = JSON.parse(Body ?? '');
    if (typeof event !== 'object' || event === null || Array.isArray(event)) return undefined;
    const beside = travelling.flatMap((name) => {
      const value = MessageAttributes[name]?.StringValue;
      return value === undefined ? [] : [[name, value] as const];
    });
    return { ...event, ...Object.fromEntries(beside) };
  } catch {
    return undefined;
  }
}

export function attributes(
  values: Readonly<Record<string, string | undefined>>,
): Record<string, MessageAttributeValue> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, { DataType: 'String', StringValue: value }] as const],
    ),
  );
}
