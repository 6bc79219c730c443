import type { Broker } from './broker.ts';
import { type Input, optionalInteger, textList } from './input.ts';
import { handleOf, type Message } from './message.ts';
import { md5OfAttributes, selectAttributes } from './message-attributes.ts';
import { queueOf } from './queue-actions.ts';
import { arnOf } from './queue-settings.ts';
import { sequenceNumber } from './send-actions.ts';

/** The connection on which a receive came in. */
export interface Receiver {
  isOpen(): boolean;
  /** Called with the answer, and with what to do when it turns out that it reached nobody. */
  answer(body: object, takeBack: (() => void) | undefined): void;
  onClose(stop: () => void): void;
}

/** Hands out what is there, or waits for it as long as asked. */
export function receiveMessage(broker: Broker, input: Input, receiver: Receiver): void {
  const queue = queueOf(broker, input);
  const max = optionalInteger(input, 'MaxNumberOfMessages', 1, 10) ?? 1;
  const visibilitySeconds = optionalInteger(input, 'VisibilityTimeout', 0, 43_200) ?? queue.settings.visibilitySeconds;
  const waitSeconds = optionalInteger(input, 'WaitTimeSeconds', 0, 20) ?? queue.settings.waitSeconds;
  const show = presenter(input);

  function answer(messages: readonly Message[]): void {
    const handOuts = messages.map((message) => message.handOuts);
    if (messages.length === 0) receiver.answer({}, undefined);
    else receiver.answer({ Messages: messages.map(show) }, () => broker.takeBack(queue, messages, handOuts));
  }

  const messages = queue.ready > 0 ? broker.receive(queue, max, visibilitySeconds) : [];
  if (messages.length > 0 || waitSeconds === 0) {
    answer(messages);
    return;
  }
  const request = { queue, max, visibilitySeconds, isOpen: () => receiver.isOpen(), answer };
  receiver.onClose(broker.polls.wait(request, waitSeconds * 1000));
}

/** How one receiver wants its messages shown. */
function presenter(input: Input): (message: Message) => object {
  const attributeNames = textList(input, 'MessageAttributeNames');
  const systemNames = new Set([
    ...textList(input, 'AttributeNames'),
    ...textList(input, 'MessageSystemAttributeNames'),
  ]);
  return (message) => {
    const shown: Record<string, unknown> = {
      MessageId: message.id,
      ReceiptHandle: handleOf(message),
      MD5OfBody: message.bodyMd5,
      Body: message.body,
    };
    if (systemNames.size > 0) shown['Attributes'] = systemAttributes(message, systemNames);
    if (attributeNames.length > 0 && message.attributes !== undefined) {
      const selected = selectAttributes(message.attributes, attributeNames);
      if (selected !== undefined) {
        shown['MessageAttributes'] = selected;
        shown['MD5OfMessageAttributes'] =
          selected === message.attributes ? message.attributesMd5 : md5OfAttributes(selected);
      }
    }
    return shown;
  };
}

function systemAttributes(message: Message, asked: ReadonlySet<string>): Record<string, string> {
  const all: Record<string, string | undefined> = {
    SenderId: 'AIDAEMBEDDEDQUEUE0000',
    SentTimestamp: String(message.sentAt),
    ApproximateReceiveCount: String(message.receives),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    MessageGroupId: message.group,
    MessageDeduplicationId: message.deduplicationId,
    SequenceNumber: message.deduplicationId === undefined ? undefined : sequenceNumber(message.seq),
    DeadLetterQueueSourceArn: message.deadFrom === undefined ? undefined : arnOf(message.deadFrom),
    AWSTraceHeader: message.traceHeader,
  };
  const everything = asked.has('All');
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined && (everything || asked.has(name))) shown[name] = value;
  }
  return shown;
}
