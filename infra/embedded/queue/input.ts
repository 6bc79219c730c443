import { invalidValue, SqsError } from './sqs-error.ts';

export type Input = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function optionalText(input: Input, name: string): string | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new SqsError('SerializationException', `${name} must be a string`);
  return value;
}

export function requiredText(input: Input, name: string): string {
  const value = optionalText(input, name);
  if (value === undefined || value === '') {
    throw new SqsError('MissingParameter', `The request must contain the parameter ${name}.`);
  }
  return value;
}

export function optionalInteger(input: Input, name: string, min: number, max: number): number | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw new SqsError('SerializationException', `${name} must be a whole number`);
  }
  if (value < min || value > max) {
    throw invalidValue(name, value, `${name} must be >= ${min} and <= ${max}.`);
  }
  return value;
}

export function textList(input: Input, name: string): readonly string[] {
  const value = input[name];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string')) {
    throw new SqsError('SerializationException', `${name} must be a list of strings`);
  }
  return value;
}

export function textRecord(input: Input, name: string): Readonly<Record<string, string>> {
  const value = input[name];
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw new SqsError('SerializationException', `${name} must be an object of strings`);
  const record: Record<string, string> = Object.create(null);
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry !== 'string') throw new SqsError('SerializationException', `${name}.${key} must be a string`);
    record[key] = entry;
  }
  return record;
}

const EntryId = /^[A-Za-z0-9_-]{1,80}$/;

interface BatchEntry {
  readonly id: string;
  readonly input: Input;
}

/** The entries of a batch, checked as a whole; what is wrong with a single entry is found out later. */
export function batchEntries(input: Input): readonly BatchEntry[] {
  const value = input['Entries'];
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) {
    throw new SqsError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  }
  if (!Array.isArray(value)) throw new SqsError('SerializationException', 'Entries must be a list');
  if (value.length > 10) {
    throw new SqsError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are 10. You have sent ${value.length}.`,
    );
  }
  const seen = new Set<string>();
  return value.map((entry: unknown): BatchEntry => {
    if (!isRecord(entry)) throw new SqsError('SerializationException', 'Every entry must be an object');
    const id = requiredText(entry, 'Id');
    if (!EntryId.test(id)) {
      throw new SqsError(
        'InvalidBatchEntryId',
        'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
      );
    }
    if (seen.has(id)) throw new SqsError('BatchEntryIdsNotDistinct', `Id ${id} repeated.`);
    seen.add(id);
    return { id, input: entry };
  });
}

interface BatchAnswer {
  readonly Successful: readonly object[];
  readonly Failed: readonly object[];
}

/** Does each entry by itself: one that is refused does not stop the others. */
export function eachEntry(entries: readonly BatchEntry[], act: (entry: BatchEntry) => object): BatchAnswer {
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.id, ...act(entry) });
    } catch (error) {
      if (!(error instanceof SqsError)) throw error;
      Failed.push({ Id: entry.id, SenderFault: error.senderFault, Code: error.code, Message: error.message });
    }
  }
  return { Successful, Failed };
}
