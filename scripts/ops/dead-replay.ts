import { inWords } from '../../shared/domain/core/subject.ts';
import { chooseLetters, type LetterChoice } from './choose-letters.ts';
import type { Context, Result } from './context.ts';
import { warnOfMore } from './dead-list.ts';
import { exits } from './exit.ts';
import { type KnownLetter, readLetter } from './find-letters.ts';
import { count } from './in-words.ts';
import { columns, firstOf, indent } from './lay-out.ts';
import type { Paint } from './paint.ts';
import { type Rehearsed, rehearse, renderRehearsal } from './rehearsal.ts';
import { anyVersion, type OldMessage, type SentAgain, sendAgain } from './send-again.ts';

export interface DeadReplay {
  readonly dryRun: boolean;
  readonly replayed: readonly ReplayedLetter[];
  /** With `--dry-run`: what each would lead to. */
  readonly rehearsed: readonly RehearsedLetter[];
  /** Letters that cannot be sent again, and why. They stay. */
  readonly refused: readonly { readonly id: string; readonly function: string; readonly reason: string }[];
  /** Chosen letters that were not there any more when it came to it. */
  readonly missing: readonly string[];
  readonly more: readonly string[];
}

interface ReplayedLetter extends SentAgain {
  /** False: the message is on its way and the letter is still there. To replay it again does no harm. */
  readonly removed: boolean;
}

interface RehearsedLetter {
  readonly function: string;
  readonly subject: string;
  readonly message: string;
  readonly step: Rehearsed;
}

interface Planned {
  readonly known: KnownLetter;
  readonly old: OldMessage;
}

export interface DeadReplayArgs extends LetterChoice {
  readonly why?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

/** Sends dead letters again, and removes each when the queue of its function has the new message. */
export async function runDeadReplay(context: Context, args: DeadReplayArgs): Promise<Result<DeadReplay>> {
  const { found, more } = await chooseLetters(context, args, 'an id, --all, or --function F');
  const plan: Planned[] = [];
  const refused: { id: string; function: string; reason: string }[] = [];
  for (const known of found) {
    const read = readLetter(context, known.letter);
    if ('refused' in read) refused.push({ id: known.letter.id, function: known.letter.function, reason: read.refused });
    else plan.push({ known, old: read });
  }
  const nothing = { dryRun: args.dryRun ?? false, replayed: [], rehearsed: [], refused, missing: [], more };
  if (args.dryRun === true) {
    const rehearsed = await rehearseAll(context, plan);
    const failed = refused.length > 0 || rehearsed.some(({ step }) => step.state === 'failed');
    return { code: failed ? exits.failed : exits.ok, value: { ...nothing, rehearsed } };
  }
  if (plan.length === 0) return { code: exits.failed, value: nothing };

  await context.approve(planInWords(context, plan, refused.length));
  const { replayed, missing } = await replayAll(context, plan, args.why);
  const failed =
    refused.length + missing.length > 0 || replayed.some(({ error, removed }) => error !== undefined || !removed);
  return { code: failed ? exits.failed : exits.ok, value: { ...nothing, replayed, missing } };
}

async function rehearseAll(context: Context, plan: readonly Planned[]): Promise<RehearsedLetter[]> {
  const rehearsed: RehearsedLetter[] = [];
  for (const { old } of plan) {
    const step = await rehearse(context, old.function, anyVersion(old.subject));
    rehearsed.push({ function: old.function, subject: inWords(old.subject), message: old.id, step });
  }
  return rehearsed;
}

async function replayAll(context: Context, plan: readonly Planned[], why: string | undefined) {
  const replayed: ReplayedLetter[] = [];
  const missing: string[] = [];
  for (const [name, planned] of Map.groupBy(plan, ({ old }) => old.function)) {
    const byQueueId = new Map(planned.map((one) => [one.known.letter.queueId, one]));
    const sent = new Map<string, SentAgain>();
    const gone = await context.deadLetters.take(name, new Set(byQueueId.keys()), async ({ queueId }) => {
      const one = byQueueId.get(queueId);
      if (one === undefined) return 'keep';
      const outcome = await sendAgain(context, one.old, { why, from: 'dead letters', died: one.known.reason });
      sent.set(queueId, outcome);
      return outcome.error === undefined ? 'done' : 'keep';
    });
    for (const [queueId, { old }] of byQueueId) {
      const outcome = sent.get(queueId);
      if (outcome === undefined) missing.push(old.id);
      else replayed.push({ ...outcome, removed: gone.has(queueId) });
    }
  }
  return { replayed, missing };
}

function planInWords({ who }: Context, plan: readonly Planned[], refused: number): string {
  return [
    `Will send ${count(plan.length, 'dead letter')} again as ${who}, and remove each when its function's queue has it:`,
    ...indent(
      firstOf(columns(plan.map(({ old, known }) => [old.function, inWords(old.subject), old.id, known.reason])), 20),
    ),
    ...(refused === 0 ? [] : [`${count(refused, 'letter')} cannot be sent again and stay.`]),
  ].join('\n');
}

export function renderDeadReplay({ replayed, rehearsed, refused, missing, more }: DeadReplay, paint: Paint): string {
  const lines = [
    ...replayed.map(({ function: name, subject, message, sent, error, removed }) => {
      if (error !== undefined) return [paint.bad('not sent'), name, subject, `${message}: ${error}`];
      const left = removed ? '' : '; the letter could not be removed and is still there';
      return [paint.good('sent'), name, subject, `${message} again as ${sent}${left}`];
    }),
    ...refused.map(({ id, function: name, reason }) => [paint.bad('refused'), name, '', `${id}: ${reason}`]),
    ...missing.map((id) => [paint.wait('missing'), '', '', `${id}: somebody else has taken it, or holds it just now`]),
  ];
  const would = rehearsed.flatMap(({ function: name, subject, message, step }) => [
    `${paint.bold(name)}  ${subject}  ${paint.dim(message)}`,
    ...indent(renderRehearsal(step, paint)),
  ]);
  return [...would, ...columns(lines), ...warnOfMore(more, paint)].join('\n');
}
