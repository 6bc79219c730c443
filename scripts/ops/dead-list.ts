import { type Context, impactOf, type Result } from './context.ts';
import { exits } from './exit.ts';
import { findLetters, type KnownLetter } from './find-letters.ts';
import { count, lengthInWords } from './in-words.ts';
import { columns, indent } from './lay-out.ts';
import type { Paint } from './paint.ts';

export interface DeadList {
  readonly letters: number;
  readonly groups: readonly DeadGroup[];
  readonly more: readonly string[];
}

interface DeadGroup {
  readonly function: string;
  readonly impact: string;
  readonly reason: string;
  readonly count: number;
  readonly oldest: string;
  readonly ageSeconds: number;
  readonly ids: readonly string[];
}

/** Dead letters by function and by what they died of; the largest heap first. */
export async function runDeadList(
  context: Context,
  args: { readonly function?: string | undefined; readonly limit: number },
): Promise<Result<DeadList>> {
  const { found, more } = await findLetters(context, args);
  const groups = [...Map.groupBy(found, ({ letter, reason }) => `${letter.function} ${reason}`).values()]
    .map((letters) => toGroup(context, letters))
    .toSorted((one, other) => other.count - one.count || (one.oldest < other.oldest ? -1 : 1));
  return { code: exits.ok, value: { letters: found.length, groups, more } };
}

function toGroup(context: Context, letters: readonly KnownLetter[]): DeadGroup {
  const [first] = letters;
  const name = first?.letter.function ?? '';
  const oldest = letters.map(({ diedAt }) => diedAt).reduce((one, other) => (one < other ? one : other));
  return {
    function: name,
    impact: impactOf(context, name),
    reason: first?.reason ?? '',
    count: letters.length,
    oldest,
    ageSeconds: Math.max(0, Math.round((context.now() - Date.parse(oldest)) / 1_000)),
    ids: letters.map(({ letter }) => letter.id),
  };
}

/** How many ids a heap shows; `--json` has all of them. */
const idsShown = 3;

export function renderDeadList({ letters, groups, more }: DeadList, paint: Paint): string {
  if (groups.length === 0) return [paint.good('No dead letters.'), ...warnOfMore(more, paint)].join('\n');
  const heaps = groups.map(({ function: name, impact, reason, count: many, ageSeconds, ids }) => [
    `${paint.bold(name)}  ${paint.bad(count(many, 'letter'))}  ${paint.dim(`the oldest ${lengthInWords(ageSeconds * 1_000)} ago`)}`,
    ...indent(
      columns([
        [paint.dim('died of'), reason],
        [paint.dim('impact'), impact],
        [paint.dim('letters'), [...ids.slice(0, idsShown), ...(ids.length > idsShown ? ['…'] : [])].join('  ')],
      ]),
    ),
    '',
  ]);
  return [
    ...heaps.flat(),
    `${count(letters, 'dead letter')}. Next: npm run ops -- dead show <id>`,
    ...warnOfMore(more, paint),
  ].join('\n');
}

/** SQS cannot list: what was not seen may still be there. */
export function warnOfMore(more: readonly string[], paint: Paint): string[] {
  if (more.length === 0) return [];
  return [paint.wait(`There may be more of ${more.join(', ')}: beyond --limit, or in somebody else's hands just now.`)];
}
