import { redact } from '../../shared/adapters/telemetry/redact.ts';

/** Everything that a verb prints goes through here: texts of others may quote a secret or hold one under its name. */
export function cleanse<Value>(value: Value): Value {
  return eachText(value, redactNamed) as Value;
}

/** A text of others may also hold characters that a terminal obeys, or that turn the line round. */
export function printable<Value>(value: Value): Value {
  return eachText(value, (_name, text) =>
    text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) =>
      '\n\t'.includes(character) ? character : '\u00b7',
    ),
  ) as Value;
}

/** A value as JSON that is no less printable: of what a terminal obeys, JSON.stringify escapes the first 32 characters only. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function redactNamed(name: string, text: string): string {
  // Whether a name is that of a secret is the redaction list's to say: it is shown the name with a value beside it.
  const sample = `${name}: value`;
  return name !== '' && redact(sample) !== sample ? '***' : redact(text);
}

function eachText(value: unknown, change: (name: string, text: string) => string, name = ''): unknown {
  if (typeof value === 'string') return change(name, value);
  if (Array.isArray(value)) return value.map((item) => eachText(item, change, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, eachText(item, change, key)]));
}
