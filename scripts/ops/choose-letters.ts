import type { Context } from './context.ts';
import { noLetter } from './dead-show.ts';
import { Exit, exits } from './exit.ts';
import { type FoundLetters, findLetters } from './find-letters.ts';

/** Which letters a verb is to act on: one by its id, those of a function, or all. */
export interface LetterChoice {
  readonly id?: string | undefined;
  readonly all?: boolean | undefined;
  readonly function?: string | undefined;
  readonly reason?: string | undefined;
  readonly limit: number;
}

/** Ends the verb where the choice says nothing or too much, and where nothing matches it. */
export async function chooseLetters(context: Context, choice: LetterChoice, ways: string): Promise<FoundLetters> {
  const { id, all = false, function: name, reason } = choice;
  const said = [id !== undefined, all, id === undefined && !all && name !== undefined].filter(Boolean).length;
  if (said !== 1 || (all && name !== undefined)) throw new Exit(exits.wrongUsage, `Say which letters: ${ways}.`);
  const found = await findLetters(context, choice);
  if (found.found.length > 0) return found;
  const which = [
    id === undefined ? '' : `with the id ${id}`,
    name === undefined ? '' : `of ${name}`,
    reason === undefined ? '' : `that died of "${reason}"`,
  ];
  throw noLetter(which.filter(Boolean).join(' ') || 'at all', found.more);
}
