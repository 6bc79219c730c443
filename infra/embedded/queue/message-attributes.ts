import { hash } from 'node:crypto';
import { type Input, isRecord } from './input.ts';
import type { MessageAttribute, MessageAttributes } from './message.ts';
import { invalidValue, SqsError } from './sqs-error.ts';

export function md5(content: string | Buffer): string {
  return hash('md5', content);
}

const Name = /^(?!(?:aws|amazon)\.)(?!\.)(?!.*\.\.)(?!.*\.$)[A-Za-z0-9_.-]{1,256}$/i;
const DataType = /^(?:String|Number|Binary)(?:\..+)?$/;

/** Reads the attributes of a message; undefined where there are none. */
export function readMessageAttributes(input: Input): MessageAttributes | undefined {
  const value = input['MessageAttributes'];
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) throw new SqsError('SerializationException', 'MessageAttributes must be an object');
  const names = Object.keys(value);
  if (names.length === 0) return undefined;
  if (names.length > 10) {
    throw invalidValue(
      'MessageAttributes',
      names.length,
      'Number of message attributes exceeds the allowed maximum of 10.',
    );
  }
  const attributes: Record<string, MessageAttribute> = Object.create(null);
  for (const name of names) {
    if (!Name.test(name)) throw invalidValue('MessageAttributes', name, 'Invalid message attribute name.');
    attributes[name] = readAttribute(name, value[name]);
  }
  return attributes;
}

/** The one system attribute a sender may give. */
export function readTraceHeader(input: Input): MessageAttribute | undefined {
  const value = input['MessageSystemAttributes'];
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) throw new SqsError('SerializationException', 'MessageSystemAttributes must be an object');
  for (const name of Object.keys(value)) {
    if (name !== 'AWSTraceHeader') {
      throw invalidValue('MessageSystemAttributes', name, 'Only AWSTraceHeader can be sent.');
    }
  }
  if (value['AWSTraceHeader'] === undefined) return undefined;
  const attribute = readAttribute('AWSTraceHeader', value['AWSTraceHeader']);
  if (attribute.DataType !== 'String') {
    throw invalidValue('AWSTraceHeader', attribute.DataType, 'The trace header must be of type String.');
  }
  return attribute;
}

function readAttribute(name: string, value: unknown): MessageAttribute {
  if (!isRecord(value)) throw new SqsError('SerializationException', `The message attribute ${name} must be an object`);
  const type = value['DataType'];
  if (typeof type !== 'string' || type.length > 256 || !DataType.test(type)) {
    throw invalidValue(
      name,
      type,
      `The type of message attribute '${name}' is invalid. You must use only the following supported type prefixes: Binary, Number, String.`,
    );
  }
  const field = type.startsWith('Binary') ? 'BinaryValue' : 'StringValue';
  const content = value[field];
  if (typeof content !== 'string' || content === '') {
    throw invalidValue(name, content, `The message attribute '${name}' must contain a non-empty value in ${field}.`);
  }
  if (type.startsWith('Number') && (content.trim() === '' || !Number.isFinite(Number(content)))) {
    throw invalidValue(name, content, `Can't cast the value of message attribute '${name}' to a number.`);
  }
  return field === 'BinaryValue' ? { DataType: type, BinaryValue: content } : { DataType: type, StringValue: content };
}

/** What the attributes count towards the size of a message. */
export function sizeOfAttributes(attributes: MessageAttributes | undefined): number {
  let size = 0;
  for (const name in attributes) {
    const attribute = attributes[name];
    if (attribute === undefined) continue;
    size += Buffer.byteLength(name) + Buffer.byteLength(attribute.DataType) + bytesOf(attribute).length;
  }
  return size;
}

function bytesOf(attribute: MessageAttribute): Buffer {
  return attribute.BinaryValue === undefined
    ? Buffer.from(attribute.StringValue ?? '')
    : Buffer.from(attribute.BinaryValue, 'base64');
}

/** The digest that SQS documents: names in order, each part with its length in front, one byte for the kind of value. */
export function md5OfAttributes(attributes: MessageAttributes): string {
  const parts: Buffer[] = [];
  for (const name of Object.keys(attributes).sort()) {
    const attribute = attributes[name];
    if (attribute === undefined) continue;
    pushWithLength(parts, Buffer.from(name));
    pushWithLength(parts, Buffer.from(attribute.DataType));
    parts.push(Buffer.of(attribute.BinaryValue === undefined ? 1 : 2));
    pushWithLength(parts, bytesOf(attribute));
  }
  return md5(Buffer.concat(parts));
}

function pushWithLength(parts: Buffer[], content: Buffer): void {
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(content.length);
  parts.push(length, content);
}

/** The attributes a receiver asked for, by name, by prefix (`trace.*`) or all of them. */
export function selectAttributes(
  attributes: MessageAttributes,
  asked: readonly string[],
): MessageAttributes | undefined {
  if (asked.includes('All') || asked.includes('.*')) return attributes;
  const selected: Record<string, MessageAttribute> = Object.create(null);
  let some = false;
  for (const [name, attribute] of Object.entries(attributes)) {
    if (!asked.some((pattern) => matches(pattern, name))) continue;
    selected[name] = attribute;
    some = true;
  }
  return some ? selected : undefined;
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}
