import type { LoggedStep } from '../../shared/ports/step-reader.ts';
import { type Context, impactOf, type Result } from './context.ts';
import { Exit, exits } from './exit.ts';
import { findLetters, type KnownLetter, readLetter } from './find-letters.ts';
import { fieldsInWords, lengthInWords, momentInWords, stamp } from './in-words.ts';
import { columns, indent } from './lay-out.ts';
import { type Paint, paintOutcome } from './paint.ts';

export interface ShownLetter {
  readonly id: string;
  readonly queueId: string;
  readonly function: string;
  readonly impact: string;
  readonly reason: string;
  readonly diedAt: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The event where the body could be read, else the text as it came. */
  readonly body: unknown;
  /** Why it cannot be sent again; absent where it can. */
  readonly refused?: string | undefined;
  readonly trace?: string | undefined;
  readonly story?: string | undefined;
  readonly steps: readonly LoggedStep[];
  /** The queue's ids of other letters that hold the same event. */
  readonly copies: readonly string[];
  readonly now: string;
}

export async function runDeadShow(
  context: Context,
  args: { readonly id: string; readonly function?: string | undefined; readonly limit: number },
): Promise<Result<ShownLetter>> {
  const { found, more } = await findLetters(context, args);
  const [first, ...others] = found;
  if (first === undefined) throw noLetter(`with the id ${args.id}`, more);
  return { code: exits.ok, value: show(context, first, others) };
}

export function noLetter(which: string, more: readonly string[]): Exit {
  const perhaps =
    more.length === 0
      ? ''
      : ` Not all letters of ${more.join(', ')} were looked at: try again, or with a larger --limit.`;
  return new Exit(exits.notFound, `There is no dead letter ${which}.${perhaps}`);
}

function show(
  context: Context,
  { letter, reason, diedAt, steps }: KnownLetter,
  others: readonly KnownLetter[],
): ShownLetter {
  const read = readLetter(context, letter);
  const { traceparent = steps.at(-1)?.traceparent } = letter.attributes as { readonly traceparent?: string };
  return {
    id: letter.id,
    queueId: letter.queueId,
    function: letter.function,
    impact: impactOf(context, letter.function),
    reason,
    diedAt,
    attributes: letter.attributes,
    body: letter.event === undefined ? letter.body : JSON.parse(letter.body),
    ...('refused' in read ? { refused: read.refused } : { story: read.correlation ?? read.id }),
    ...(traceparent !== undefined && { trace: traceparent.split('-')[1] }),
    steps,
    copies: others.map((other) => other.letter.queueId),
    now: new Date(context.now()).toISOString(),
  };
}

export function renderDeadShow(letter: ShownLetter, paint: Paint): string {
  const now = Date.parse(letter.now);
  const body = typeof letter.body === 'string' ? letter.body : JSON.stringify(letter.body, null, 2);
  const facts = columns([
    [paint.dim('died of'), paint.bad(letter.reason)],
    [paint.dim('died'), `${stamp(letter.diedAt)}, ${momentInWords(letter.diedAt, now)}`],
    [paint.dim('impact'), letter.impact],
    [paint.dim('queue id'), letter.queueId],
    ...letter.copies.map((queueId) => [paint.dim('copy'), queueId]),
    ...(letter.trace === undefined ? [] : [[paint.dim('trace'), letter.trace]]),
    ...fieldsInWords(letter.attributes).map((field) => [paint.dim('beside it'), field]),
  ]);
  const steps = columns(
    letter.steps.map(({ at, outcome, reason = '', ms }, index) => [
      stamp(at),
      paintOutcome(paint, outcome),
      `attempt ${index + 1}`,
      lengthInWords(ms),
      reason,
    ]),
  );
  return [
    `${paint.bold(letter.id)}  dead letter of ${paint.bold(letter.function)}`,
    ...indent(facts),
    '',
    paint.bold('Body'),
    ...indent([body]),
    '',
    paint.bold('Steps it died in'),
    ...indent(steps.length === 0 ? ['none: no step was begun for it, or the log has forgotten'] : steps),
    '',
    letter.refused === undefined
      ? `Next: npm run ops -- dead replay ${letter.id}   or   npm run ops -- trace ${letter.story}`
      : `It cannot be sent again: ${letter.refused}. Next: npm run ops -- dead drop ${letter.id} --why "…"`,
  ].join('\n');
}
