import { readFileSync } from 'node:fs';
import { badRequest } from '../status-error.ts';

type Field = readonly [number: number, name: string, type: string];

interface Facts {
  /** `apps/v1/Deployment` → the name of its message. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly messages: Readonly<Record<string, readonly Field[]>>;
}

type Value = string | number | boolean | object | undefined;

const magic = 'k8s\0';
/** No kind of ours is nested deeper; a body that is would only be there to exhaust the stack. */
const DeepestNesting = 40;
let loaded: Facts | undefined;

export const protobufType = 'application/vnd.kubernetes.protobuf';

/**
 * A body that kubectl sends as protobuf, as the JSON that it stands for. kubectl does so for kinds that it knows by heart
 * (`kubectl create configmap`, `kubectl auth can-i`); the fields' numbers are in kinds/core-messages.json.
 */
export function decodeProtobuf(body: Buffer): string {
  if (body.subarray(0, 4).toString('latin1') !== magic) throw undecodable('it does not begin as such bodies do');
  const envelope = readFields(body.subarray(4));
  const type = readFields(bytesOf(envelope, 1));
  const [apiVersion, kind] = [bytesOf(type, 1).toString('utf8'), bytesOf(type, 2).toString('utf8')];
  loaded ??= JSON.parse(readFileSync(new URL('../kinds/core-messages.json', import.meta.url), 'utf8')) as Facts;
  const message = loaded.kinds[`${apiVersion}/${kind}`];
  if (message === undefined) throw undecodable(`${apiVersion} ${kind} is not known in this form`);
  return JSON.stringify({ apiVersion, kind, ...decodeMessage(loaded, message, bytesOf(envelope, 2), 0) });
}

function decodeMessage(facts: Facts, name: string, bytes: Buffer, depth: number): Record<string, Value> {
  if (depth > DeepestNesting) throw undecodable('it is nested too deeply');
  const given = readFields(bytes);
  const made: Record<string, Value> = {};
  for (const [number, field, type] of facts.messages[name] ?? []) {
    const raw = given.get(number);
    if (raw === undefined) continue;
    if (field === '') Object.assign(made, decodeMessage(facts, type.slice(1), lastBytes(raw), depth + 1));
    else {
      const value = decodeValue(facts, type, raw, depth);
      if (value !== undefined) made[field] = value;
    }
  }
  return made;
}

/** What is zero and no pointer is as good as not said: Go writes it either way. */
function decodeValue(facts: Facts, type: string, raw: readonly Raw[], depth: number): Value {
  if (type.startsWith('[]')) return raw.map((one) => decodeOne(facts, type.slice(2), one, depth) ?? '');
  if (type.startsWith('map:')) {
    const entries = raw.map((one) => {
      const entry = readFields(asBytes(one));
      const value = entry.get(2)?.at(-1);
      const decoded = value === undefined ? '' : (decodeOne(facts, type.slice(4), value, depth) ?? '');
      return [bytesOf(entry, 1).toString('utf8'), decoded] as const;
    });
    return Object.fromEntries(entries);
  }
  const last = raw.at(-1);
  if (last === undefined) return undefined;
  if (type.startsWith('*')) return decodeOne(facts, type.slice(1), last, depth);
  const value = decodeOne(facts, type, last, depth);
  return value === '' || value === 0 || value === false ? undefined : value;
}

function decodeOne(facts: Facts, type: string, raw: Raw, depth: number): Value {
  if (type.startsWith('#')) return decodeMessage(facts, type.slice(1), asBytes(raw), depth + 1);
  switch (type) {
    case 'string':
      return asBytes(raw).toString('utf8');
    case 'bytes':
      return asBytes(raw).toString('base64');
    case 'bool':
      return asNumber(raw) !== 0;
    case 'int':
      return asNumber(raw);
    case 'double':
      return typeof raw === 'bigint' ? new DataView(new BigUint64Array([raw]).buffer).getFloat64(0, true) : 0;
    case 'quantity':
      return bytesOf(readFields(asBytes(raw)), 1).toString('utf8');
    case 'json':
      return parseJson(bytesOf(readFields(asBytes(raw)), 1).toString('utf8'));
    case 'strings':
      return (readFields(asBytes(raw)).get(1) ?? []).map((one) => asBytes(one).toString('utf8'));
    case 'int-or-string': {
      const fields = readFields(asBytes(raw));
      const isText = asNumber(fields.get(1)?.at(-1) ?? 0n) === 1;
      return isText ? bytesOf(fields, 3).toString('utf8') : asNumber(fields.get(2)?.at(-1) ?? 0n);
    }
    case 'time':
    case 'microtime': {
      const fields = readFields(asBytes(raw));
      const seconds = fields.get(1)?.at(-1);
      if (seconds === undefined) return undefined;
      const at = new Date(asNumber(seconds) * 1000 + Math.floor(asNumber(fields.get(2)?.at(-1) ?? 0n) / 1e6));
      if (Number.isNaN(at.getTime())) throw undecodable('a time in it is none');
      return type === 'time' ? at.toISOString().replace(/\.\d+Z$/, 'Z') : at.toISOString().replace('Z', '000Z');
    }
    default:
      throw undecodable(`${type} is not known in this form`);
  }
}

type Raw = bigint | Buffer;

/** Every field by its number. A field that comes twice is a list, or its last value counts. */
function readFields(bytes: Buffer): Map<number, Raw[]> {
  const fields = new Map<number, Raw[]>();
  let at = 0;
  while (at < bytes.length) {
    const key = Number(varint());
    const list = fields.get(key >>> 3) ?? [];
    fields.set(key >>> 3, list);
    list.push(value(key & 7));
  }
  return fields;

  function value(wire: number): Raw {
    if (wire === 0) return varint();
    if (wire === 1) return take(8).readBigUInt64LE();
    if (wire === 5) return BigInt(take(4).readUInt32LE());
    if (wire === 2) return take(Number(varint()));
    throw undecodable('a field in it is of no known form');
  }

  function take(length: number): Buffer {
    if (length > bytes.length - at) throw undecodable('it ends too early');
    at += length;
    return bytes.subarray(at - length, at);
  }

  function varint(): bigint {
    let read = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) break;
      at += 1;
      read |= BigInt(byte & 127) << shift;
      if (byte < 128) return read;
    }
    throw undecodable('a number in it does not end');
  }
}

function bytesOf(fields: ReadonlyMap<number, readonly Raw[]>, number: number): Buffer {
  return lastBytes(fields.get(number) ?? []);
}

function lastBytes(raw: readonly Raw[]): Buffer {
  return asBytes(raw.at(-1) ?? Buffer.alloc(0));
}

function asBytes(raw: Raw): Buffer {
  if (typeof raw === 'bigint') throw undecodable('a number stands where text should');
  return raw;
}

function asNumber(raw: Raw): number {
  if (typeof raw !== 'bigint') throw undecodable('text stands where a number should');
  return Number(BigInt.asIntN(64, raw));
}

function parseJson(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    throw undecodable('the JSON inside it is none');
  }
}

function undecodable(why: string): Error {
  return badRequest(`the body cannot be read as ${protobufType}: ${why}`);
}
