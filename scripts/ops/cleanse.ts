import { redact } from '../../shared/adapters/telemetry/redact.ts';

/** Everything that a verb prints goes through here: texts of others may quote a secret or hold one under its name. */
export function cleanse<Value>(value: Value): Value {
  return eachText(value, redactNamed) as Value;
}

/** A text of others may also hold characters that a terminal obeys, or that turn the line round. JSON escapes the first. */
export function printable<Value>(value: Value): Value {
  return eachText(value, (_name, text) =>
    text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) =>
      '\n\t'.includes(character) ? character : '\u00b7',
    ),
  ) as Value;
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
