import type { Broker } from './broker.ts';
import { batchEntries, eachEntry, type Input, optionalInteger, requiredText } from './input.ts';
import { type Message, readHandle } from './message.ts';
import type { Queue } from './queue.ts';
import { type Action, queueOf } from './queue-actions.ts';
import { invalidValue, SqsError } from './sqs-error.ts';

/** What a receiver does with a message in its hands. */
export function messageActions(broker: Broker): Record<string, Action> {
  return {
    DeleteMessage: (input) => deleteMessage(broker, queueOf(broker, input), input),
    DeleteMessageBatch: (input) => {
      const queue = queueOf(broker, input);
      return eachEntry(batchEntries(input), (entry) => deleteMessage(broker, queue, entry.input));
    },
    ChangeMessageVisibility: (input) => changeVisibility(broker, queueOf(broker, input), input),
    ChangeMessageVisibilityBatch: (input) => {
      const queue = queueOf(broker, input);
      return eachEntry(batchEntries(input), (entry) => changeVisibility(broker, queue, entry.input));
    },
  };
}

/** Undefined when the message is no more, which is no error for one who wants to delete it. */
function held(broker: Broker, queue: Queue, handle: string): { message: Message; latest: boolean } | undefined {
  const read = readHandle(handle);
  if (read === undefined || read.seq >= broker.nextSeq) {
    throw new SqsError(
      'ReceiptHandleIsInvalid',
      `The input receipt handle "${handle.slice(0, 200)}" is not a valid receipt handle.`,
    );
  }
  const message = queue.messages.get(read.seq);
  return message === undefined ? undefined : { message, latest: message.handOuts === read.handOuts };
}

function deleteMessage(broker: Broker, queue: Queue, input: Input): object {
  const handle = requiredText(input, 'ReceiptHandle');
  const found = held(broker, queue, handle);
  if (found === undefined) return {};
  if (queue.settings.fifo && (!found.latest || found.message.state !== 'in-flight')) {
    throw invalidValue('ReceiptHandle', handle, 'The receipt handle has expired.');
  }
  // Somebody else holds the message by now: SQS accepts the old handle and does not delete.
  if (found.latest) broker.drop(queue, [found.message]);
  return {};
}

function changeVisibility(broker: Broker, queue: Queue, input: Input): object {
  const handle = requiredText(input, 'ReceiptHandle');
  const seconds = optionalInteger(input, 'VisibilityTimeout', 0, 43_200);
  if (seconds === undefined) {
    throw new SqsError('MissingParameter', 'The request must contain the parameter VisibilityTimeout.');
  }
  const found = held(broker, queue, handle);
  if (found === undefined || !found.latest) {
    throw invalidValue(
      'ReceiptHandle',
      handle,
      'Message does not exist or is not available for visibility timeout change.',
    );
  }
  if (found.message.state !== 'in-flight') {
    throw new SqsError(
      'MessageNotInflight',
      `The message referred to by the receipt handle ${handle} is not in flight.`,
    );
  }
  broker.setVisibility(queue, found.message, seconds);
  return {};
}
