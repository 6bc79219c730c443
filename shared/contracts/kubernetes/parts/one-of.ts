import type { z } from 'zod';
import { validated } from './validation.ts';

/** Exactly one of two fields is there. The same sentence comes from the API server and from parsing. */
export function exactlyOneOf<Schema extends z.ZodObject>(
  schema: Schema,
  one: keyof z.input<Schema> & string,
  other: keyof z.input<Schema> & string,
): Schema {
  const message = `set exactly one of ${one} and ${other}`;
  const checked = schema.check(({ value, issues }) => {
    const fields = value as Readonly<Record<string, unknown>>;
    if ((fields[one] === undefined) === (fields[other] === undefined)) {
      issues.push({ code: 'custom', message, path: [], input: value });
    }
  });
  return validated(checked, { rule: `has(self.${one}) != has(self.${other})`, message });
}
