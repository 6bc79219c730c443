import { inWords } from '../../shared/domain/core/subject.ts';
import type { LoggedStep } from '../../shared/ports/step-reader.ts';
import { type Context, type Result, routeOf } from './context.ts';
import { Exit, exits } from './exit.ts';
import { count, stamp } from './in-words.ts';
import { columns, firstOf, indent } from './lay-out.ts';
import type { Paint } from './paint.ts';
import { readWhen } from './read-when.ts';
import { type Rehearsed, rehearse, renderRehearsal } from './rehearsal.ts';
import { anyVersion, type OldMessage, type SentAgain, sendAgain, whyNot } from './send-again.ts';

export interface ReplayArgs {
  readonly id?: string | undefined;
  readonly function?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly why?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly limit: number;
}

export interface Replay {
  readonly dryRun: boolean;
  readonly replayed: readonly SentAgain[];
  /** With `--dry-run`: what each would lead to. */
  readonly rehearsed: readonly RehearsedMessage[];
  /** There are subjects beyond `--limit`. */
  readonly more: boolean;
}

interface RehearsedMessage {
  readonly function: string;
  readonly type: string;
  readonly subject: string;
  readonly message: string;
  readonly handledAt: string;
  readonly step: Rehearsed;
}

/** At once: enough to hide the round trips, few enough to leave the database to those who work. */
const atOnce = 10;

/** Sends handled messages to their function again. */
export async function runReplay(context: Context, args: ReplayArgs): Promise<Result<Replay>> {
  const { steps, more } = await chooseSteps(context, args);
  const dryRun = args.dryRun ?? false;
  if (dryRun) {
    const rehearsed = await inTurns(steps, (step) => rehearseStep(context, step));
    const failed = rehearsed.some(({ step }) => step.state === 'failed');
    return { code: failed ? exits.failed : exits.ok, value: { dryRun, replayed: [], rehearsed, more } };
  }
  await context.approve(planInWords(context, steps));
  const replayed = await inTurns(steps, (step) => sendAgain(context, toOld(step), { why: args.why, from: 'step log' }));
  const failed = replayed.some(({ error }) => error !== undefined);
  return { code: failed ? exits.failed : exits.ok, value: { dryRun, replayed, rehearsed: [], more } };
}

async function chooseSteps(
  context: Context,
  args: ReplayArgs,
): Promise<{ steps: readonly LoggedStep[]; more: boolean }> {
  const { id, function: name, since, until } = args;
  if (
    (id === undefined) === (name === undefined) ||
    (name === undefined) !== (since === undefined) ||
    (until !== undefined && since === undefined)
  ) {
    throw new Exit(exits.wrongUsage, 'Say which messages: an id, or --function F --since T.');
  }
  if (id !== undefined) {
    // The same message may have been tried several times; it is one message.
    const step = (await context.reader.ofMessages([id])).at(-1);
    if (step === undefined) {
      throw new Exit(
        exits.notFound,
        `The step log has no message ${id}. If it died before its first step: npm run ops -- dead show ${id}`,
      );
    }
    const refused = whyNot(context, toOld(step));
    if (refused !== undefined) throw new Exit(exits.failed, `Message ${id} cannot be sent again: ${refused}.`);
    return { steps: [step], more: false };
  }
  const route = routeOf(context, name ?? '');
  const now = context.now();
  const from = readWhen('--since', since ?? '', now);
  const to = until === undefined ? now : readWhen('--until', until, now);
  if (from >= to) throw new Exit(exits.wrongUsage, '--since must be before --until, and before now.');
  const found = await context.reader.latestOfSubjects({
    function: route.function,
    since: from,
    until: to,
    most: args.limit,
  });
  // A type that the function has stopped to consume would only come back as a dead letter.
  const steps = found.steps.filter(({ type }) => route.consumes.includes(type));
  if (steps.length === 0) {
    throw new Exit(
      exits.notFound,
      `${route.function} handled no message between ${new Date(from).toISOString()} and ${new Date(to).toISOString()}.`,
    );
  }
  return { steps, more: found.more };
}

async function rehearseStep(context: Context, step: LoggedStep): Promise<RehearsedMessage> {
  return {
    function: step.function,
    type: step.type,
    subject: step.subject,
    message: step.message,
    handledAt: step.at,
    step: await rehearse(context, step.function, anyVersion(step.data)),
  };
}

function toOld(step: LoggedStep): OldMessage {
  return {
    id: step.message,
    function: step.function,
    type: step.type,
    subject: step.data,
    correlation: step.correlation,
    traceparent: step.traceparent,
  };
}

async function inTurns<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const done: Out[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    done.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))));
  }
  return done;
}

function planInWords({ who }: Context, steps: readonly LoggedStep[]): string {
  return [
    `Will send ${count(steps.length, 'message')} again as ${who}:`,
    ...indent(
      firstOf(
        columns(
          steps.map((step) => [
            step.function,
            inWords(step.data),
            step.type,
            `${step.message}, handled ${stamp(step.at)}: ${step.outcome}`,
          ]),
        ),
        20,
      ),
    ),
  ].join('\n');
}

export function renderReplay({ dryRun, replayed, rehearsed, more }: Replay, paint: Paint): string {
  const lines = replayed.map(({ function: name, subject, message, sent, error }) =>
    error === undefined
      ? [paint.good('sent'), name, subject, `${message} again as ${sent}`]
      : [paint.bad('not sent'), name, subject, `${message}: ${error}`],
  );
  const would = rehearsed.flatMap(({ function: name, subject, message, handledAt, step }) => [
    `${paint.bold(name)}  ${subject}  ${paint.dim(`${message}, handled ${stamp(handledAt)}`)}`,
    ...indent(renderRehearsal(step, paint)),
    '',
  ]);
  return [
    ...would,
    ...columns(lines),
    ...(dryRun
      ? [
          `Nothing was sent and nothing written. Without --dry-run, ${count(rehearsed.length, 'message')} would be sent again.`,
        ]
      : []),
    ...(more ? [paint.wait('There are more subjects beyond --limit.')] : []),
  ].join('\n');
}
