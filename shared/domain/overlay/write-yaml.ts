import { type Fields, isFields } from '../core/fields.ts';

/** Read as this very text by every version of YAML, without quotes: names, paths, images. */
const plain = /^(?:\.{1,2}\/)*[A-Za-z/](?:[\w./:@+-]*[\w/])?$/;
/** Words that YAML 1.1, which kustomize speaks, or YAML 1.2 take for something else than a text. */
const words = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
/** Characters that a block of lines may hold as they are. */
const printable = /^[\t\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;
/** A space where a line ends or the text begins is easily lost, and so are empty lines at the end. */
const losable = /^\s|[ \t](?:\n|$)|\n\n$/;
/** What JSON lets stand in a text and YAML does not, or takes for the end of a line. */
const unwritable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * Writes what YAML reads back as the same value, as the tools of Kubernetes would lay it out. The same value always gives
 * the same bytes; fields stay in their order.
 */
export function writeYaml(value: Fields): string {
  return `${write(value, '')}\n`;
}

/** Its first line stands where the reader is already; every other one begins with the margin. */
function write(value: unknown, margin: string): string {
  if (typeof value === 'string') return isBlock(value) ? block(value, margin) : quoteIfNeeded(value);
  if (Array.isArray(value)) return writeItems(value, margin);
  return isFields(value) ? writeFields(value, margin) : scalarWord(value);
}

function writeItems(items: readonly unknown[], margin: string): string {
  let written = '';
  for (const item of items) written += `${written === '' ? '' : `\n${margin}`}- ${write(item, `${margin}  `)}`;
  return written === '' ? '[]' : written;
}

function writeFields(fields: Fields, margin: string): string {
  let written = '';
  for (const [name, field] of Object.entries(fields))
    if (field !== undefined) written += `${written === '' ? '' : `\n${margin}`}${writeField(name, field, margin)}`;
  return written === '' ? '{}' : written;
}

function writeField(name: string, field: unknown, margin: string): string {
  const isList = Array.isArray(field);
  const inner = isList ? margin : `${margin}  `;
  const written = write(field, inner);
  const isBelow = (isList || isFields(field)) && written !== '[]' && written !== '{}';
  return `${quoteIfNeeded(name)}:${isBelow ? `\n${inner}` : ' '}${written}`;
}

function block(text: string, margin: string): string {
  const ends = text.endsWith('\n');
  const lines = (ends ? text.slice(0, -1) : text).split('\n');
  return [ends ? '|' : '|-', ...lines.map((line) => (line === '' ? '' : `${margin}${line}`))].join('\n');
}

/** Text of several lines stays readable: a user's own patch, a certificate. */
function isBlock(text: string): boolean {
  return text.includes('\n') && printable.test(text) && !losable.test(text);
}

function scalarWord(value: unknown): string {
  if (typeof value !== 'number' || Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return '.nan';
  return value > 0 ? '.inf' : '-.inf';
}

/** A text of JSON is a text of YAML. Half a character cannot be written in any encoding, and is replaced. */
function quoteIfNeeded(text: string): string {
  if (plain.test(text) && !words.test(text)) return text;
  return JSON.stringify(text.toWellFormed()).replace(unwritable, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
