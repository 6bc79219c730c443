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
  return `${linesOf(value).join('\n')}\n`;
}

function linesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.length === 0 ? ['[]'] : value.flatMap((item) => hang('- ', linesOf(item)));
  if (!isFields(value)) return scalar(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return fields.length === 0 ? ['{}'] : fields.flatMap(([name, field]) => fieldLines(quoteIfNeeded(name), field));
}

function fieldLines(name: string, field: unknown): readonly string[] {
  const lines = linesOf(field);
  const isEmpty = lines.length === 1 && (lines[0] === '[]' || lines[0] === '{}');
  if (isEmpty || (!Array.isArray(field) && !isFields(field))) return hang(`${name}: `, lines);
  return [`${name}:`, ...(Array.isArray(field) ? lines : lines.map(indent))];
}

function scalar(value: unknown): readonly string[] {
  if (typeof value !== 'string') return [scalarWord(value)];
  if (!isBlock(value)) return [quoteIfNeeded(value)];
  const ends = value.endsWith('\n');
  return [ends ? '|' : '|-', ...(ends ? value.slice(0, -1) : value).split('\n')];
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

function hang(mark: string, [first = '', ...rest]: readonly string[]): readonly string[] {
  return [`${mark}${first}`, ...rest.map(indent)];
}

function indent(line: string): string {
  return line === '' ? '' : `  ${line}`;
}
