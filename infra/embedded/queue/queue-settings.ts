import { isRecord } from './input.ts';
import { invalidValue, SqsError } from './sqs-error.ts';

export type QueueAttributes = Readonly<Record<string, string>>;

/** The attributes of a queue, as numbers and names. */
export interface QueueSettings {
  readonly fifo: boolean;
  readonly delaySeconds: number;
  readonly maximumMessageSize: number;
  readonly retentionSeconds: number;
  readonly waitSeconds: number;
  readonly visibilitySeconds: number;
  readonly contentBasedDeduplication: boolean;
  readonly deduplicateByGroup: boolean;
  readonly redrive: { readonly deadLetterQueue: string; readonly maxReceiveCount: number } | undefined;
}

const Ranges: Readonly<Record<string, readonly [min: number, max: number, standard: number]>> = {
  DelaySeconds: [0, 900, 0],
  MaximumMessageSize: [1024, 1_048_576, 1_048_576],
  MessageRetentionPeriod: [60, 1_209_600, 345_600],
  ReceiveMessageWaitTimeSeconds: [0, 20, 0],
  VisibilityTimeout: [0, 43_200, 30],
};

const Choices: Readonly<Record<string, readonly string[]>> = {
  FifoQueue: ['true', 'false'],
  ContentBasedDeduplication: ['true', 'false'],
  DeduplicationScope: ['messageGroup', 'queue'],
  FifoThroughputLimit: ['perQueue', 'perMessageGroupId'],
  SqsManagedSseEnabled: ['true', 'false'],
};

/** Kept and given back, without effect here: access and encryption are not simulated. */
const Inert = new Set(['Policy', 'RedriveAllowPolicy', 'KmsMasterKeyId', 'KmsDataKeyReusePeriodSeconds']);

const FifoOnly = new Set(['ContentBasedDeduplication', 'DeduplicationScope', 'FifoThroughputLimit']);

export const Account = '000000000000';

export function arnOf(queueName: string): string {
  return `arn:aws:sqs:us-east-1:${Account}:${queueName}`;
}

export function nameOfArn(arn: string): string | undefined {
  const parts = arn.split(':');
  return parts.length === 6 && parts[0] === 'arn' && parts[2] === 'sqs' ? parts[5] : undefined;
}

export function defaultAttributes(fifo: boolean): Record<string, string> {
  const attributes: Record<string, string> = { SqsManagedSseEnabled: 'true' };
  for (const [name, [, , standard]] of Object.entries(Ranges)) attributes[name] = String(standard);
  if (!fifo) return attributes;
  return {
    ...attributes,
    FifoQueue: 'true',
    ContentBasedDeduplication: 'false',
    DeduplicationScope: 'queue',
    FifoThroughputLimit: 'perQueue',
  };
}

/** Refuses what SQS refuses in the attributes of a queue of this type. */
export function checkAttributes(attributes: QueueAttributes, fifo: boolean): void {
  for (const [name, value] of Object.entries(attributes)) {
    const range = Ranges[name];
    const choice = Choices[name];
    if (range !== undefined) checkRange(name, value, range);
    else if (choice !== undefined) checkChoice(name, value, choice, fifo);
    else if (name === 'RedrivePolicy') readRedrivePolicy(value);
    else if (!Inert.has(name)) throw new SqsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
  }
}

function checkRange(name: string, value: string, [min, max]: readonly [number, number, number]): void {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new SqsError(
      'InvalidAttributeValue',
      `Invalid value for the parameter ${name}: ${min} to ${max} is allowed.`,
    );
  }
}

function checkChoice(name: string, value: string, choice: readonly string[], fifo: boolean): void {
  if (!choice.includes(value)) {
    throw new SqsError('InvalidAttributeValue', `Invalid value for the parameter ${name}: use ${choice.join(' or ')}.`);
  }
  if (name === 'FifoQueue' && (value === 'true') !== fifo) {
    throw new SqsError(
      'InvalidAttributeName',
      'FifoQueue must be true for a name that ends in .fifo, and only for such a name.',
    );
  }
  if (FifoOnly.has(name) && !fifo) {
    throw new SqsError('InvalidAttributeName', `Unknown Attribute ${name}: it is for FIFO queues only.`);
  }
}

/** An empty policy takes the dead-letter queue away. */
export function readRedrivePolicy(text: string): QueueSettings['redrive'] {
  if (text === '') return undefined;
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch {
    throw invalidValue('RedrivePolicy', text, 'Redrive policy is not a valid JSON map.');
  }
  if (!isRecord(policy)) throw invalidValue('RedrivePolicy', text, 'Redrive policy is not a valid JSON map.');
  const arn = policy['deadLetterTargetArn'];
  const deadLetterQueue = typeof arn === 'string' ? nameOfArn(arn) : undefined;
  if (deadLetterQueue === undefined) {
    throw invalidValue('RedrivePolicy', text, 'Redrive policy does not contain a valid deadLetterTargetArn.');
  }
  const maxReceiveCount = Number(policy['maxReceiveCount'] ?? 10);
  if (!Number.isInteger(maxReceiveCount) || maxReceiveCount < 1 || maxReceiveCount > 1000) {
    throw invalidValue('RedrivePolicy', text, 'Invalid value for maxReceiveCount: 1 to 1000 is allowed.');
  }
  return { deadLetterQueue, maxReceiveCount };
}

export function settingsOf(attributes: QueueAttributes): QueueSettings {
  return {
    fifo: attributes['FifoQueue'] === 'true',
    delaySeconds: Number(attributes['DelaySeconds']),
    maximumMessageSize: Number(attributes['MaximumMessageSize']),
    retentionSeconds: Number(attributes['MessageRetentionPeriod']),
    waitSeconds: Number(attributes['ReceiveMessageWaitTimeSeconds']),
    visibilitySeconds: Number(attributes['VisibilityTimeout']),
    contentBasedDeduplication: attributes['ContentBasedDeduplication'] === 'true',
    deduplicateByGroup: attributes['DeduplicationScope'] === 'messageGroup',
    redrive: readRedrivePolicy(attributes['RedrivePolicy'] ?? ''),
  };
}
