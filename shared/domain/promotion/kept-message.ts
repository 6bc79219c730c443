import { keepable } from '../core/keepable.ts';
import { truncate } from '../gitops/truncate.ts';

/** A condition of any length may be behind it; people read the beginning. */
const longest = 4_000;

/** What is kept of a text that others have a word in. It is told as it is kept: a difference would be news at every look. */
export function keptMessage(text: string): string {
  return truncate(keepable(text), longest);
}
