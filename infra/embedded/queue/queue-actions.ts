import type { Broker } from './broker.ts';
import { type Input, optionalInteger, optionalText, requiredText, textList, textRecord } from './input.ts';
import type { Queue } from './queue.ts';
import { Account, arnOf, checkAttributes, defaultAttributes, readRedrivePolicy } from './queue-settings.ts';
import { invalidValue, SqsError } from './sqs-error.ts';

export type Action = (input: Input) => object;

const QueueName = /^[A-Za-z0-9_-]{1,80}$/;

/** Finds the queue by the last part of its URL, so that a URL stays good when the server comes back on another port. */
export function queueOf(broker: Broker, input: Input): Queue {
  const url = requiredText(input, 'QueueUrl');
  return broker.queue(url.slice(url.lastIndexOf('/') + 1));
}

function urlOf(endpoint: string, queueName: string): string {
  return `${endpoint}/${Account}/${queueName}`;
}

/** What can be done with queues themselves. */
export function queueActions(broker: Broker, endpoint: string): Record<string, Action> {
  return {
    CreateQueue: (input) => ({ QueueUrl: urlOf(endpoint, createQueue(broker, input).name) }),
    GetQueueUrl: (input) => ({ QueueUrl: urlOf(endpoint, broker.queue(requiredText(input, 'QueueName')).name) }),
    ListQueues: (input) => {
      const prefix = optionalText(input, 'QueueNamePrefix') ?? '';
      const names = [...broker.queues.keys()].filter((name) => name.startsWith(prefix));
      return page(input, 'QueueUrls', names, endpoint);
    },
    DeleteQueue: (input) => {
      broker.forget(queueOf(broker, input));
      return {};
    },
    GetQueueAttributes: (input) => readAttributes(queueOf(broker, input), textList(input, 'AttributeNames')),
    SetQueueAttributes: (input) => {
      setAttributes(broker, queueOf(broker, input), textRecord(input, 'Attributes'));
      return {};
    },
    PurgeQueue: (input) => {
      broker.purge(queueOf(broker, input));
      return {};
    },
    TagQueue: (input) => {
      const queue = queueOf(broker, input);
      queue.tags = { ...queue.tags, ...textRecord(input, 'Tags') };
      broker.recordQueue(queue);
      return {};
    },
    UntagQueue: (input) => {
      const queue = queueOf(broker, input);
      const keys = new Set(textList(input, 'TagKeys'));
      queue.tags = Object.fromEntries(Object.entries(queue.tags).filter(([key]) => !keys.has(key)));
      broker.recordQueue(queue);
      return {};
    },
    ListQueueTags: (input) => {
      const { tags } = queueOf(broker, input);
      return Object.keys(tags).length === 0 ? {} : { Tags: tags };
    },
    ListDeadLetterSourceQueues: (input) => {
      const { name } = queueOf(broker, input);
      return page(input, 'queueUrls', sourcesOf(broker, name), endpoint);
    },
  };
}

/** The queues whose dead letters go to this one. */
export function sourcesOf(broker: Broker, deadLetterQueue: string): string[] {
  const sources = [...broker.queues.values()].filter((q) => q.settings.redrive?.deadLetterQueue === deadLetterQueue);
  return sources.map((queue) => queue.name);
}

function createQueue(broker: Broker, input: Input): Queue {
  const name = requiredText(input, 'QueueName');
  const attributes = textRecord(input, 'Attributes');
  const fifo = name.endsWith('.fifo');
  if (name.length > 80 || !QueueName.test(fifo ? name.slice(0, -5) : name)) {
    throw invalidValue(
      'QueueName',
      name,
      'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
    );
  }
  checkAttributes(attributes, fifo);
  if (fifo && attributes['FifoQueue'] !== 'true') {
    throw invalidValue('QueueName', name, 'A name that ends in .fifo needs the attribute FifoQueue to be true.');
  }
  const existing = broker.queues.get(name);
  if (existing !== undefined) return sameQueue(existing, attributes);
  checkDeadLetterQueue(broker, name, attributes);
  const all = withoutEmpty({ ...defaultAttributes(fifo), ...attributes });
  return broker.declare(name, all, { ...textRecord(input, 'tags') });
}

function sameQueue(queue: Queue, attributes: Readonly<Record<string, string>>): Queue {
  for (const [name, value] of Object.entries(attributes)) {
    if ((queue.attributes[name] ?? '') !== value) {
      throw new SqsError(
        'QueueNameExists',
        `A queue already exists with the same name and a different value for attribute ${name}`,
      );
    }
  }
  return queue;
}

function setAttributes(broker: Broker, queue: Queue, changes: Readonly<Record<string, string>>): void {
  checkAttributes(changes, queue.settings.fifo);
  checkDeadLetterQueue(broker, queue.name, changes);
  queue.setAttributes(withoutEmpty({ ...queue.attributes, ...changes }));
  broker.recordQueue(queue);
}

/** An empty policy is none. */
function withoutEmpty(attributes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
}

function checkDeadLetterQueue(broker: Broker, name: string, attributes: Readonly<Record<string, string>>): void {
  const policy = attributes['RedrivePolicy'] ?? '';
  const redrive = readRedrivePolicy(policy);
  if (redrive === undefined) return;
  if (!broker.queues.has(redrive.deadLetterQueue)) {
    throw invalidValue('RedrivePolicy', policy, 'Dead letter target does not exist.');
  }
  if (redrive.deadLetterQueue.endsWith('.fifo') !== name.endsWith('.fifo')) {
    throw invalidValue('RedrivePolicy', policy, 'Dead-letter queue must be same type of queue as the source.');
  }
}

function readAttributes(queue: Queue, asked: readonly string[]): object {
  const all: Record<string, string> = {
    ...queue.attributes,
    QueueArn: arnOf(queue.name),
    ApproximateNumberOfMessages: String(queue.ready),
    ApproximateNumberOfMessagesNotVisible: String(queue.inFlight),
    ApproximateNumberOfMessagesDelayed: String(queue.delayed),
    CreatedTimestamp: String(Math.floor(queue.createdAt / 1000)),
    LastModifiedTimestamp: String(Math.floor(queue.modifiedAt / 1000)),
  };
  if (asked.includes('All')) return { Attributes: all };
  const chosen: Record<string, string> = {};
  for (const name of asked) {
    if (all[name] !== undefined) chosen[name] = all[name];
    else if (!Optional.has(name)) throw new SqsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
  }
  return Object.keys(chosen).length === 0 ? {} : { Attributes: chosen };
}

/** Attributes that exist in SQS and that a queue need not have. */
const Optional = new Set([
  'Policy',
  'RedrivePolicy',
  'RedriveAllowPolicy',
  'KmsMasterKeyId',
  'KmsDataKeyReusePeriodSeconds',
  'FifoQueue',
  'ContentBasedDeduplication',
  'DeduplicationScope',
  'FifoThroughputLimit',
]);

/** One page of queue URLs; the token of the next page is the place where it starts. */
function page(input: Input, field: string, names: readonly string[], endpoint: string): object {
  const max = optionalInteger(input, 'MaxResults', 1, 1000);
  const token = optionalText(input, 'NextToken');
  const start = token === undefined ? 0 : Number(token);
  if (!Number.isSafeInteger(start) || start < 0)
    throw invalidValue('NextToken', token, 'It is not a token given by us.');
  const end = start + (max ?? 1000);
  const urls = names.slice(start, end).map((name) => urlOf(endpoint, name));
  const more = max !== undefined && end < names.length ? { NextToken: String(end) } : {};
  return { [field]: urls, ...more };
}
