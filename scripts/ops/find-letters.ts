import { catalog } from '../../shared/contracts/catalog.ts';
import { Envelope } from '../../shared/contracts/envelope.ts';
import type { Letter } from '../../shared/ports/dead-letters.ts';
import type { LoggedStep } from '../../shared/ports/step-reader.ts';
import { type Context, routeOf } from './context.ts';
import { type OldMessage, whyNot } from './send-again.ts';

/** A dead letter with what the step log knows about its end. */
export interface KnownLetter {
  readonly letter: Letter;
  readonly reason: string;
  readonly diedAt: string;
  /** Every step that was tried for it, oldest first. */
  readonly steps: readonly LoggedStep[];
}

export interface LetterQuestion {
  /** Undefined: of every function that has a queue. */
  readonly function?: string | undefined;
  /** The id of the event, or the queue's own. */
  readonly id?: string | undefined;
  /** A part of the reason they died of. */
  readonly reason?: string | undefined;
  /** How many letters of each function to look at. */
  readonly limit: number;
}

export interface FoundLetters {
  readonly found: readonly KnownLetter[];
  /** The functions that may have letters beside those that were looked at. */
  readonly more: readonly string[];
}

export async function findLetters(context: Context, question: LetterQuestion): Promise<FoundLetters> {
  const functions =
    question.function === undefined
      ? context.routes.map((route) => route.function)
      : [routeOf(context, question.function).function];
  const looked = await Promise.all(
    functions.map(async (name) => ({ name, ...(await context.deadLetters.look(name, question.limit)) })),
  );
  const letters = looked
    .flatMap((one) => one.letters)
    .filter(({ id, queueId }) => question.id === undefined || question.id === id || question.id === queueId);
  const steps = letters.length === 0 ? [] : await context.reader.ofMessages(letters.map(({ id }) => id));
  return {
    found: letters
      .map((letter) => know(letter, steps))
      .filter(({ reason }) => question.reason === undefined || reason.includes(question.reason)),
    more: looked.filter(({ more }) => more).map(({ name }) => name),
  };
}

function know(letter: Letter, all: readonly LoggedStep[]): KnownLetter {
  const steps = all.filter(({ message, function: name }) => message === letter.id && name === letter.function);
  const last = steps.at(-1);
  const { why, buriedat } = letter.attributes as Readonly<Partial<Record<'why' | 'buriedat', string>>>;
  return {
    letter,
    // The queue itself buries what was handed out too often, and adds no word of its own.
    reason: why ?? last?.reason ?? 'the queue gave up on it, and the step log knows nothing of it',
    diedAt: buriedat ?? last?.at ?? new Date(letter.sentAt).toISOString(),
    steps,
  };
}

/** The message that a letter holds, or the reason why it cannot be sent again. */
export function readLetter(context: Context, letter: Letter): OldMessage | { readonly refused: string } {
  if (letter.event === undefined) return { refused: 'its body is not a JSON object' };
  const envelope = Envelope.safeParse(letter.event);
  if (!envelope.success) return { refused: `not a CloudEvent of ours: ${problems(envelope.error)}` };
  const { id, type, data, correlationid, traceparent } = envelope.data;
  const contract = catalog.find((known) => known.type === type);
  if (contract === undefined) return { refused: `there is no message type ${type}` };
  const subject = contract.Data.safeParse(data);
  if (!subject.success) return { refused: `not a ${type}: ${problems(subject.error)}` };
  const old = { id, function: letter.function, type, subject: subject.data, correlation: correlationid, traceparent };
  const refused = whyNot(context, old);
  return refused === undefined ? old : { refused };
}

function problems({
  issues,
}: {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}): string {
  return issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; ');
}
