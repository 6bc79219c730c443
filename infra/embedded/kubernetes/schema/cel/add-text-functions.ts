import type { Environment } from '@marcbachmann/cel-js';
import { goRegExp } from '../go-regexp.ts';

const sync = { async: false };

/** Patterns are nearly always constants of a rule. */
const patterns = new Map<string, RegExp>();

function patternOf(source: string): RegExp {
  let pattern = patterns.get(source);
  if (pattern === undefined) {
    pattern = goRegExp(source);
    if (patterns.size < 1000) patterns.set(source, pattern);
  }
  return pattern;
}

/**
 * What calls are turned into: the evaluator's own `matches` would compile the pattern at every call, and its
 * `substring` counts and complains in another way.
 */
export const insteadOf: ReadonlyMap<string, string> = new Map([
  ['matches', 'matchesPattern'],
  ['substring', 'partOf'],
]);

/** The functions for text that Kubernetes has and the evaluator lacks. */
export function addTextFunctions(environment: Environment): void {
  const add = (signature: string, body: (...args: never[]) => unknown) =>
    environment.registerFunction(signature, body, sync);

  add('string.matchesPattern(string): bool', (text: string, source: string) => patternOf(source).test(text));
  add('string.find(string): string', (text: string, source: string) => patternOf(source).exec(text)?.[0] ?? '');
  add('string.findAll(string): list<string>', (text: string, source: string) => findAll(text, source));
  add('string.findAll(string, int): list<string>', (text: string, source: string, limit: bigint) =>
    limit < 0n ? findAll(text, source) : findAll(text, source).slice(0, Number(limit)),
  );
  add('string.replace(string, string): string', (text: string, old: string, by: string) => text.replaceAll(old, by));
  add('string.replace(string, string, int): string', (text: string, old: string, by: string, limit: bigint) =>
    replaceSome(text, old, by, limit),
  );
  add('string.partOf(int): string', (text: string, from: bigint) => partOf(text, from));
  add('string.partOf(int, int): string', (text: string, from: bigint, to: bigint) => partOf(text, from, to));
  add('string.charAt(int): string', (text: string, index: bigint) => {
    const characters = [...text];
    if (index < 0n || index > BigInt(characters.length)) throw new Error(`index out of range: ${index}`);
    return characters[Number(index)] ?? '';
  });
  add('string.format(list): string', (text: string, values: readonly unknown[]) => format(text, values));
}

function partOf(text: string, from: bigint, to?: bigint): string {
  const characters = [...text];
  const end = to ?? BigInt(characters.length);
  for (const index of [from, end]) {
    if (index < 0n || index > BigInt(characters.length)) throw new Error(`index out of range: ${index}`);
  }
  if (from > end) throw new Error(`invalid substring range. start: ${from}, end: ${end}`);
  return characters.slice(Number(from), Number(end)).join('');
}

function findAll(text: string, source: string): string[] {
  const pattern = patternOf(source);
  return [...text.matchAll(new RegExp(pattern.source, `${pattern.flags}g`))].map(([found]) => found);
}

function replaceSome(text: string, old: string, by: string, limit: bigint): string {
  if (limit < 0n) return text.replaceAll(old, by);
  let left = limit;
  return text.replaceAll(old, (found) => (left-- > 0n ? by : found));
}

function format(text: string, values: readonly unknown[]): string {
  let next = 0;
  return text.replace(/%(?:\.(\d+))?([sdf%])/g, (_, digits: string | undefined, verb: string) => {
    if (verb === '%') return '%';
    if (next >= values.length) throw new Error(`index ${next} out of range`);
    const value = values[next];
    next += 1;
    if (verb === 'f') return Number(value).toFixed(digits === undefined ? 6 : Number(digits));
    return formatted(value);
  });
}

function formatted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatted).join(', ')}]`;
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${key}: ${formatted(item)}`).join(', ')}}`;
  }
  return String(value);
}
