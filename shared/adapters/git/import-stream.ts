import type { Edit } from './find-edits.ts';

export interface NewCommit {
  readonly reference: string;
  /** Undefined: it is the first one of the branch. */
  readonly parent: string | undefined;
  readonly edits: readonly Edit[];
  readonly message: string;
  /** As in `Name <address>`. */
  readonly author: string;
  readonly seconds: number;
}

/** A commit as `git fast-import` reads it. It prints the id of the commit, and does nothing where the end is missing. */
export function importStream({ reference, parent, edits, message, author, seconds }: NewCommit): string {
  if (message.includes('\0') || !message.isWellFormed()) throw new Error('The message of a commit must be plain text');
  // What goes away goes first: a folder may take the place of a file.
  const ordered = edits.toSorted((one, other) => Number(one.text !== undefined) - Number(other.text !== undefined));
  return [
    `commit ${reference}\nmark :1\ncommitter ${author} ${seconds} +0000\n${data(message)}`,
    parent === undefined ? '' : `from ${parent}\n`,
    ...ordered.map(({ path, mode, text }) =>
      text === undefined ? `D ${quoted(path)}\n` : `M ${mode} inline ${quoted(path)}\n${data(text)}`,
    ),
    'get-mark :1\ndone\n',
  ].join('');
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

/** Other characters need no escape between quotes, and control characters are in no path of ours. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, '\\$&')}"`;
}
