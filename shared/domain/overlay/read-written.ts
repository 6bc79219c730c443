import type { Fields } from '../core/fields.ts';
import { writeYaml } from './write-yaml.ts';

/** Nothing that we write goes deeper. */
const mostMargin = 40;
/** Comments above everything, without any character that somebody could take for the end of a line. */
const head = /^(?:#[\x20-\x7e]*\n)*/;
const wholeNumber = /^-?\d+$/;

/**
 * Reads what shared/domain/overlay/write-yaml.ts has written, many times faster than a parser that knows all of YAML.
 * It guesses, and believes a guess only where writing it gives the very same text: that text then means this value, because
 * everything written is read back as what it was. Undefined: somebody else wrote it, or it is no YAML.
 */
export function readWritten(text: string): Fields | undefined {
  const written = text.replace(head, '');
  const value = guess(written.split('\n'));
  return value !== undefined && writeYaml(value) === written ? value : undefined;
}

function guess(lines: string[]): Fields | undefined {
  let at = 0;

  function isItem(margin: number): boolean {
    return lines[at]?.startsWith(`${' '.repeat(margin)}- `) === true;
  }

  function readItems(margin: number): unknown[] {
    const items: unknown[] = [];
    while (isItem(margin)) {
      // What the item says stands two to the right, as if its mark were not there.
      lines[at] = `${' '.repeat(margin + 2)}${lines[at]?.slice(margin + 2)}`;
      items.push(fieldAt(margin + 2) === undefined ? scalar(lines[at++]?.slice(margin + 2)) : readFields(margin + 2));
    }
    return items;
  }

  function readFields(margin: number): Fields {
    const fields: Record<string, unknown> = {};
    for (let field = fieldAt(margin); field !== undefined; field = fieldAt(margin)) {
      at += 1;
      fields[field.name] = field.rest === undefined ? readBelow(margin) : scalar(field.rest);
    }
    return fields;
  }

  function readBelow(margin: number): unknown {
    return isItem(margin) ? readItems(margin) : readFields(margin + 2);
  }

  function fieldAt(margin: number): { readonly name: string; readonly rest: string | undefined } | undefined {
    const line = lines[at];
    if (line === undefined || margin > mostMargin || !line.startsWith(' '.repeat(margin))) return undefined;
    if (line.endsWith(':')) return { name: line.slice(margin, -1), rest: undefined };
    const colon = line.indexOf(': ', margin);
    return colon === -1 ? undefined : { name: line.slice(margin, colon), rest: line.slice(colon + 2) };
  }

  const fields = readFields(0);
  return lines[at] === '' && at === lines.length - 1 ? fields : undefined;
}

function scalar(word = ''): unknown {
  if (wholeNumber.test(word)) return Number(word);
  if (word.startsWith('"')) return unquoted(word);
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === '[]') return [];
  if (word === '{}') return {};
  return word === 'null' ? null : word;
}

function unquoted(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    return word;
  }
}
