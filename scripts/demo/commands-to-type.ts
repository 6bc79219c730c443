import { resolve } from 'node:path';
import { cleanse } from '../ops/cleanse.ts';

/** What this npm start was given; a cluster of the user's is not among it, for the demo refuses one. */
interface Given {
  readonly real: boolean;
  readonly port?: string | undefined;
  readonly 'database-url'?: string | undefined;
  readonly 'sqs-endpoint'?: string | undefined;
  readonly data: string;
}

export interface CommandsToType {
  /** What an operator types for a verb and what belongs to it. */
  readonly ops: (words: string) => string;
  /** What starts the demo another time. */
  readonly demo: string;
}

/** What people are told to type is for the Stagecoach that tells them, and for no other that this project has. */
export function commandsToType(given: Given, usualFolder: string): CommandsToType {
  // npm runs everything in the project, wherever it is typed.
  const folder = resolve(given.data);
  const isElsewhere = folder !== resolve(usualFolder);
  const options = {
    port: given.port,
    // A log may keep the screen: whoever gave a password knows where it stood.
    'database-url': cleanse(given['database-url']),
    'sqs-endpoint': cleanse(given['sqs-endpoint']),
    data: isElsewhere ? folder : undefined,
  };
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoteWord(value)],
  );
  return {
    ops: (verb) =>
      ['npm run ops --', verb, ...(isElsewhere ? ['--stagecoach-folder', quoteWord(folder)] : [])].join(' '),
    demo: ['npm start --', ...(given.real ? ['--real'] : []), ...words, '--demo'].join(' '),
  };
}

/** As one word of a shell, whatever is in it. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
