import type { Answer } from './play-chapter.ts';
import type { Comparison } from './step.ts';

interface Rule {
  readonly because: string;
  readonly pattern: RegExp;
  readonly shownAs: string;
}

/** The alphabet of names that Kubernetes makes. */
const made = '[bcdfghjklmnpqrstvwxz2456789]';

const rules: readonly Rule[] = [
  {
    because: 'every object has an id of its own',
    pattern: /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
    shownAs: '<uid>',
  },
  {
    because: 'the two sessions do not happen at the same instant',
    pattern: /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?Z| [+]0000( UTC)?)?/g,
    shownAs: '<time>',
  },
  {
    because: 'the two sessions do not happen at the same instant (as describe writes it)',
    pattern: /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/g,
    shownAs: '<time>',
  },
  {
    because: 'things age while the session goes on',
    pattern: /(?<=^|\s)(\d+m)?\d+s(?=$|\s)/gm,
    shownAs: '<age>',
  },
  {
    because: 'a version counts the writes to the whole cluster, and each cluster has its own',
    pattern: /(resourceVersion"?: )"\d+"|(Resource Version: +)\d+/g,
    shownAs: '$1$2<version>',
  },
  { because: 'each server has a port of its own', pattern: /127\.0\.0\.1:\d+/g, shownAs: '<server>' },
  { because: 'addresses of services are dealt at random', pattern: /\b10\.\d+\.\d+\.\d+\b/g, shownAs: '<address>' },
  {
    because: 'the hash of a pod template is taken over the memory of a Go program',
    pattern: new RegExp(`\\b(web|shop)-${made}{8,10}(-${made}{5})?\\b`, 'g'),
    shownAs: '$1-<hash>',
  },
  {
    because: 'the hash of a pod template is taken over the memory of a Go program (as a label)',
    pattern: new RegExp(`(pod-template-hash["=: ]+)${made}{8,10}\\b`, 'g'),
    shownAs: '$1<hash>',
  },
  {
    because: 'kubectl makes up the names of its own folders and files',
    pattern: /\/[^\s"]+\/(LIVE|MERGED|kubectl-edit)-\d+/g,
    shownAs: '/$1',
  },
  {
    because: 'tokens are signed with a key of the server, for a time',
    pattern: /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g,
    shownAs: '<token>',
  },
  { because: 'the embedded server says what it is', pattern: /(v1\.36\.3)\+embedded/g, shownAs: '$1' },
  {
    because: 'kubectl pads columns to what it shows in them, while a diff keeps what comes after its signs',
    pattern: /(?<=[^\s+-]) {2,}/g,
    shownAs: '  ',
  },
  { because: 'kubectl pads the last column, too', pattern: / +$/gm, shownAs: '' },
];

/** What a person at the screen sees of an answer, without what cannot be the same twice. */
function inWords({ stdout, stderr, code }: Answer): string {
  const seen = [stdout, ...(stderr === '' ? [] : ['(stderr)', stderr])].join('\n').trim();
  const shown = rules.reduce((text, { pattern, shownAs }) => text.replaceAll(pattern, shownAs), seen);
  return code === undefined ? shown : `${shown}\n(exit code ${code})`;
}

/** The two answers in the form in which they must be equal. */
export function compared(
  answers: { readonly embedded: Answer; readonly real: Answer },
  comparison: Comparison = 'whole',
): { readonly embedded: string; readonly real: string } {
  const [embedded, real] = [inWords(answers.embedded), inWords(answers.real)];
  if (comparison === 'whole') return { embedded, real };
  if (comparison === 'any order') return { embedded: sorted(embedded), real: sorted(real) };
  if (comparison === 'fields') return { embedded: linesOf(embedded, isField), real: linesOf(real, isField) };
  // An empty answer is part of every other.
  if (answers.embedded.stdout === '') return { embedded, real };
  const known = new Set(embedded.split('\n'));
  return { embedded, real: linesOf(real, (line) => known.has(line)) };
}

function sorted(text: string): string {
  return text.split('\n').sort().join('\n');
}

function linesOf(text: string, isWanted: (line: string) => boolean): string {
  return text.split('\n').filter(isWanted).join('\n');
}

/** A name and its type, or the head of the page. */
function isField(line: string): boolean {
  return /^ +\w+\t<.+>/.test(line) || /^(GROUP|KIND|VERSION|FIELD): /.test(line);
}
