import type { z } from 'zod';
import { anyOf, type Validation, validated } from './validation.ts';

/** Two names of one field. Both are understood, only the canonical one is ever written. */
interface Spelling<Field extends string> {
  readonly canonical: Field;
  readonly other: Field;
  /** One of the two has to be there, though it may be empty. */
  readonly required?: true;
}

/**
 * Lets an object use either name of a field, and refuses both at once: we would have to guess which one is meant.
 * An empty text says nothing, so it may stand beside the other name. The same sentence comes from the API server
 * and from parsing. The schema's own transform then keeps the canonical name only.
 */
export function eitherSpelling<Schema extends z.ZodObject>(
  schema: Schema,
  ...spellings: readonly Spelling<keyof z.input<Schema> & string>[]
): Schema {
  const checked = schema.check(({ value, issues }) => {
    const fields = value as Readonly<Record<string, unknown>>;
    for (const { canonical, other, required } of spellings) {
      if (fields[canonical] && fields[other]) {
        issues.push({ code: 'custom', message: onlyOne(canonical, other), path: [other], input: value });
      }
      if (required && fields[canonical] === undefined && fields[other] === undefined) {
        issues.push({ code: 'custom', message: needed(canonical), path: [canonical], input: value });
      }
    }
  });
  return validated(checked, ...spellings.flatMap(rules));
}

export function onlyOne(canonical: string, other: string): string {
  return `${other} is another spelling of ${canonical}: set one of them, not both`;
}

function needed(canonical: string): string {
  return `${canonical} is required`;
}

function rules({ canonical, other, required }: Spelling<string>): Validation[] {
  const one: Validation = {
    rule: anyOf(`!has(self.${canonical}) || self.${canonical} == ''`, `!has(self.${other}) || self.${other} == ''`),
    message: onlyOne(canonical, other),
    reason: 'FieldValueForbidden',
    fieldPath: `.${other}`,
  };
  if (!required) return [one];
  const present: Validation = {
    rule: `has(self.${canonical}) || has(self.${other})`,
    message: needed(canonical),
    reason: 'FieldValueRequired',
    fieldPath: `.${canonical}`,
  };
  return [one, present];
}
