import { hash } from 'node:crypto';
import type { Broker, Draft } from './broker.ts';
import { batchEntries, eachEntry, type Input, optionalInteger, optionalText, requiredText } from './input.ts';
import type { MessageAttributes } from './message.ts';
import {
  md5,
  md5OfAttributes,
  readMessageAttributes,
  readTraceHeader,
  sizeOfAttributes,
} from './message-attributes.ts';
import type { Queue } from './queue.ts';
import { type Action, queueOf } from './queue-actions.ts';
import { invalidValue, SqsError } from './sqs-error.ts';

const BatchBytes = 1_048_576;
const DeduplicationMs = 5 * 60_000;

/** A group or deduplication id: 1 to 128 letters, digits and punctuation. */
const GroupId = /^[\x21-\x7e]{1,128}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what SQS refuses.
const Forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

interface Outgoing {
  readonly body: string;
  readonly attributes: MessageAttributes | undefined;
  readonly trace: MessageAttributes | undefined;
  readonly size: number;
}

export function sendActions(broker: Broker): Record<string, Action> {
  return {
    SendMessage: (input) => {
      const queue = queueOf(broker, input);
      const { MessageId, ...rest } = send(broker, queue, input, readOutgoing(input));
      return { MessageId, ...rest };
    },
    SendMessageBatch: (input) => {
      const queue = queueOf(broker, input);
      const entries = batchEntries(input);
      let total = 0;
      const outgoing = new Map<string, Outgoing | SqsError>();
      for (const entry of entries) {
        const read = attempt(() => readOutgoing(entry.input));
        outgoing.set(entry.id, read);
        if (!(read instanceof SqsError)) total += read.size;
      }
      if (total > BatchBytes) {
        throw new SqsError(
          'BatchRequestTooLong',
          `Batch requests cannot be longer than ${BatchBytes} bytes. You have sent ${total} bytes.`,
        );
      }
      return eachEntry(entries, (entry) => {
        const read = outgoing.get(entry.id);
        if (read === undefined || read instanceof SqsError) throw read;
        return send(broker, queue, entry.input, read);
      });
    },
  };
}

function attempt(read: () => Outgoing): Outgoing | SqsError {
  try {
    return read();
  } catch (error) {
    if (error instanceof SqsError) return error;
    throw error;
  }
}

function readOutgoing(input: Input): Outgoing {
  const body = requiredText(input, 'MessageBody');
  if (Forbidden.test(body) || !body.isWellFormed()) {
    throw new SqsError('InvalidMessageContents', 'Invalid characters found in the message body.');
  }
  const attributes = readMessageAttributes(input);
  const trace = readTraceHeader(input);
  return {
    body,
    attributes,
    trace: trace === undefined ? undefined : { AWSTraceHeader: trace },
    size: Buffer.byteLength(body) + (attributes === undefined ? 0 : sizeOfAttributes(attributes)),
  };
}

function send(broker: Broker, queue: Queue, input: Input, outgoing: Outgoing): Record<string, string> {
  const { settings } = queue;
  if (outgoing.size > settings.maximumMessageSize) {
    throw new SqsError(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${settings.maximumMessageSize} bytes.`,
    );
  }
  const delay = optionalInteger(input, 'DelaySeconds', 0, 900);
  const group = groupId(input, 'MessageGroupId');
  const deduplicationId = groupId(input, 'MessageDeduplicationId');
  const bodyMd5 = md5(outgoing.body);
  const attributesMd5 = outgoing.attributes === undefined ? undefined : md5OfAttributes(outgoing.attributes);
  const answer: Record<string, string> = { MD5OfMessageBody: bodyMd5 };
  if (attributesMd5 !== undefined) answer['MD5OfMessageAttributes'] = attributesMd5;
  if (outgoing.trace !== undefined) answer['MD5OfMessageSystemAttributes'] = md5OfAttributes(outgoing.trace);
  const draft: Draft = {
    body: outgoing.body,
    bodyMd5,
    attributes: outgoing.attributes,
    attributesMd5,
    traceHeader: outgoing.trace?.['AWSTraceHeader']?.StringValue,
    group,
    deduplicationId,
  };
  if (settings.fifo) return { ...answer, ...sendInOrder(broker, queue, draft, delay) };
  if (deduplicationId !== undefined) {
    throw invalidValue(
      'MessageDeduplicationId',
      deduplicationId,
      'The request include parameter that is not valid for this queue type',
    );
  }
  answer['MessageId'] = broker.put(queue, draft, delay ?? settings.delaySeconds).id;
  return answer;
}

/** A FIFO queue takes a message once: what was sent in the last five minutes is answered as then, and not kept again. */
function sendInOrder(broker: Broker, queue: Queue, draft: Draft, delay: number | undefined): Record<string, string> {
  const { settings } = queue;
  if (draft.group === undefined) {
    throw new SqsError('MissingParameter', 'The request must contain the parameter MessageGroupId.');
  }
  if (delay !== undefined && delay > 0) {
    throw invalidValue('DelaySeconds', delay, 'The request include parameter that is not valid for this queue type.');
  }
  if (draft.deduplicationId === undefined && !settings.contentBasedDeduplication) {
    throw new SqsError(
      'InvalidParameterValue',
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    );
  }
  const deduplicationId = draft.deduplicationId ?? hash('sha256', draft.body);
  const key = settings.deduplicateByGroup ? `${draft.group} ${deduplicationId}` : deduplicationId;
  const now = broker.now();
  forgetOld(queue, now);
  const known = queue.remembered.get(key);
  if (known !== undefined) return { MessageId: known.id, SequenceNumber: sequenceNumber(known.seq) };
  const message = broker.put(queue, { ...draft, deduplicationId }, settings.delaySeconds);
  broker.remember(queue, key, { id: message.id, seq: message.seq, at: now });
  return { MessageId: message.id, SequenceNumber: sequenceNumber(message.seq) };
}

function forgetOld(queue: Queue, now: number): void {
  for (const [key, sent] of queue.remembered) {
    if (sent.at + DeduplicationMs > now) return;
    queue.remembered.delete(key);
  }
}

export function sequenceNumber(seq: number): string {
  return String(seq).padStart(20, '0');
}

function groupId(input: Input, name: string): string | undefined {
  const value = optionalText(input, name);
  if (value === undefined || GroupId.test(value)) return value;
  throw invalidValue(
    name,
    value,
    `${name} can only include alphanumeric and punctuation characters. 1 to 128 in length.`,
  );
}
