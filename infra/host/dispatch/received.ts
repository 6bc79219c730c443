import type { Message as SqsMessage } from '@aws-sdk/client-sqs';
import { toEvent } from '../../../shared/adapters/sqs/wire.ts';
import { Subject } from '../../../shared/contracts/envelope.ts';
import { inWords } from '../../../shared/domain/core/subject.ts';
import type { Message } from '../../../shared/ports/journal.ts';
import { address } from '../../../shared/runtime/address.ts';
import type { Route } from '../../../shared/runtime/machine.ts';
import type { Held } from './lanes.ts';

/** A message in hand, with what is needed to run it, to give it back and to be done with it. */
export interface Received extends Held {
  /** What the function gets. A body that is no JSON object is handed on as text: the function buries it. */
  readonly event: unknown;
  readonly receives: number;
  /** Absent for a knock that was taken from its row and never was in the queue. */
  readonly handle?: string;
  /** The message in the words of the journal; absent where the body cannot be read. */
  readonly message?: Message;
}

export function fromSqs(route: Route, raw: SqsMessage): Received {
  const event = toEvent(raw);
  const receives = Number(raw.Attributes?.ApproximateReceiveCount ?? '1');
  const handle = raw.ReceiptHandle ?? '';
  const subject = Subject.safeParse(event?.['data']);
  if (event === undefined || !subject.success || typeof event['id'] !== 'string') {
    // Nobody's: it waits for nobody and is buried by its function.
    const own = `unreadable ${raw.MessageId}`;
    return {
      function: route.function,
      look: own,
      tenant: own,
      serialKey: own,
      version: undefined,
      pending: true,
      covered: 0,
      event: event ?? raw.Body ?? '',
      receives,
      handle,
    };
  }
  const message = address(
    route,
    { id: event['id'], type: String(event['type']), subject: subject.data },
    {
      cause: text(event['causationid']),
      correlation: text(event['correlationid']),
      traceparent: text(event['traceparent']),
    },
  );
  return { ...held(message, event['pending'] === 'true'), event, receives, handle, message };
}

/** A knock taken from its row, as if the queue had brought it. */
export function fromRow(message: Message, time: string): Received {
  const event = {
    specversion: '1.0',
    id: message.id,
    source: '/functions/forward-due',
    type: message.type,
    subject: inWords(message.subject),
    time,
    data: message.subject,
    pending: 'true',
    ...(message.traceparent !== undefined && { traceparent: message.traceparent }),
    ...(message.cause !== undefined && { causationid: message.cause }),
    ...(message.correlation !== undefined && { correlationid: message.correlation }),
  };
  return { ...held(message, true), event, receives: 1, message };
}

function held(message: Message, pending: boolean): Held {
  return {
    function: message.function,
    look: `${message.function} ${inWords(message.subject)}`,
    tenant: message.tenant,
    serialKey: message.serialKey,
    version: message.subject.version,
    pending,
    covered: 0,
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
