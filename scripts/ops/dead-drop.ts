import { chooseLetters, type LetterChoice } from './choose-letters.ts';
import type { Context, Result } from './context.ts';
import { warnOfMore } from './dead-list.ts';
import { Exit, exits } from './exit.ts';
import { type KnownLetter, readLetter } from './find-letters.ts';
import { count } from './in-words.ts';
import { columns, firstOf, indent } from './lay-out.ts';
import type { Paint } from './paint.ts';

export interface DeadDrop {
  readonly dropped: readonly { readonly id: string; readonly function: string; readonly reason: string }[];
  /** Letters that are still there, and why. */
  readonly kept: readonly { readonly id: string; readonly function: string; readonly error: string }[];
  readonly more: readonly string[];
}

/** Deletes dead letters for good. The ledger keeps who did it, why, and what each had died of. */
export async function runDeadDrop(
  context: Context,
  args: LetterChoice & { readonly why?: string | undefined },
): Promise<Result<DeadDrop>> {
  const { why = '' } = args;
  if (why.trim() === '')
    throw new Exit(exits.wrongUsage, 'Say why with --why "…": what is dropped is gone, and the ledger must know.');
  const { found, more } = await chooseLetters(context, args, 'an id, or --function F');
  await context.approve(planInWords(context, found));

  const dropped: { id: string; function: string; reason: string }[] = [];
  const kept: { id: string; function: string; error: string }[] = [];
  for (const [name, letters] of Map.groupBy(found, ({ letter }) => letter.function)) {
    const byQueueId = new Map(letters.map((known) => [known.letter.queueId, known]));
    const errors = new Map<string, string>();
    const gone = await context.deadLetters.take(name, new Set(byQueueId.keys()), async ({ queueId }) => {
      const known = byQueueId.get(queueId);
      if (known === undefined) return 'keep';
      const error = await recordDrop(context, known, why);
      errors.set(queueId, error ?? 'the queue did not delete it');
      return error === undefined ? 'done' : 'keep';
    });
    for (const [queueId, { letter, reason }] of byQueueId) {
      const { id } = letter;
      if (gone.has(queueId)) dropped.push({ id, function: name, reason });
      else
        kept.push({
          id,
          function: name,
          error: errors.get(queueId) ?? 'somebody else has taken it, or holds it just now',
        });
    }
  }
  return { code: kept.length === 0 ? exits.ok : exits.failed, value: { dropped, kept, more } };
}

/** Before the deletion: nothing is ever dropped unrecorded. Returns what went wrong. */
async function recordDrop(context: Context, { letter, reason }: KnownLetter, why: string): Promise<string | undefined> {
  const read = readLetter(context, letter);
  const readable = 'refused' in read ? undefined : read;
  try {
    await context.ledger.record([
      {
        who: context.who,
        action: 'drop',
        // Nobody knows whose a letter is that cannot be read.
        subject:
          readable === undefined
            ? `unreadable ${letter.queueId}`
            : `${readable.subject.namespace}/${readable.subject.name}`,
        tenant: readable?.subject.namespace ?? '',
        details: { why, function: letter.function, message: letter.id, died: reason },
        cause: letter.id,
        correlation: readable === undefined ? undefined : (readable.correlation ?? readable.id),
      },
    ]);
    return undefined;
  } catch (error) {
    return `the ledger could not be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function planInWords({ who }: Context, found: readonly KnownLetter[]): string {
  return [
    `Will delete ${count(found.length, 'dead letter')} for good, as ${who}:`,
    ...indent(firstOf(columns(found.map(({ letter, reason }) => [letter.function, letter.id, reason])), 20)),
  ].join('\n');
}

export function renderDeadDrop({ dropped, kept, more }: DeadDrop, paint: Paint): string {
  const lines = [
    ...dropped.map(({ id, function: name, reason }) => [paint.good('dropped'), name, id, reason]),
    ...kept.map(({ id, function: name, error }) => [paint.bad('kept'), name, id, error]),
  ];
  return [...columns(lines), ...warnOfMore(more, paint)].join('\n');
}
