import { inWords, type Subject } from '../../shared/domain/core/subject.ts';
import type { Message } from '../../shared/ports/journal.ts';
import type { OperatorLine } from '../../shared/ports/operator-ledger.ts';
import { address } from '../../shared/runtime/address.ts';
import type { Context } from './context.ts';

/** A message that was handled or died, as far as sending it again needs it. */
export interface OldMessage {
  readonly id: string;
  readonly function: string;
  readonly type: string;
  readonly subject: Subject;
  readonly correlation?: string | undefined;
  readonly traceparent?: string | undefined;
}

/** What became of one message that was to be sent again. */
export interface SentAgain {
  readonly function: string;
  readonly type: string;
  readonly subject: string;
  /** The old message, which the new one names as its cause. */
  readonly message: string;
  readonly sent: string;
  readonly error?: string | undefined;
}

/** Why it cannot be sent to its function, or undefined where it can. */
export function whyNot({ routes }: Pick<Context, 'routes'>, { function: name, type }: OldMessage): string | undefined {
  const route = routes.find((known) => known.function === name);
  if (route === undefined) return `the map has no function ${name} with a queue any more`;
  return route.consumes.includes(type) ? undefined : `${name} does not consume ${type}`;
}

/**
 * Sends a message again: a new id, the old one as its cause, the same story. It carries no version, so that the look is
 * really taken, and no row stands behind it. The ledger knows of it before the queue does: nothing happens unrecorded.
 */
export async function sendAgain(
  context: Context,
  old: OldMessage,
  details: Readonly<Record<string, unknown>>,
): Promise<SentAgain> {
  const message = newMessage(context, old);
  const done = {
    function: old.function,
    type: old.type,
    subject: inWords(old.subject),
    message: old.id,
    sent: message.id,
  };
  const line: OperatorLine = {
    who: context.who,
    action: 'replay',
    subject: inWords(old.subject),
    tenant: old.subject.namespace,
    details: { ...details, function: old.function, message: old.id, sent: message.id },
    cause: old.id,
    correlation: message.correlation,
  };
  try {
    await context.ledger.record([line]);
  } catch (error) {
    return { ...done, error: `nothing was sent, because the ledger could not be written: ${text(error)}` };
  }
  try {
    await context.queue.send([{ message, from: 'ops', pending: false }]);
    return done;
  } catch (error) {
    const why = text(error);
    await context.ledger
      .record([{ ...line, action: 'replay-failed', details: { ...line.details, error: why } }])
      .catch(() => undefined);
    return { ...done, error: why };
  }
}

/** The subject without the version it was seen at. */
export function anyVersion({ version: _seen, ...subject }: Subject): Subject {
  return subject;
}

function newMessage(context: Context, old: OldMessage): Message {
  const subject = anyVersion(old.subject);
  const serial = context.routes.find((route) => route.function === old.function)?.serial ?? '';
  return address(
    { function: old.function, serial },
    { id: context.newId(), type: old.type, subject },
    { cause: old.id, correlation: old.correlation ?? old.id, traceparent: old.traceparent },
  );
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
