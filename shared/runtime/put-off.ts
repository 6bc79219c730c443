import type { Envelope } from '../contracts/envelope.ts';
import { backoffSeconds } from '../domain/core/backoff.ts';
import { patienceSeconds } from '../domain/core/patience.ts';
import { type Next, recheck } from '../domain/core/step.ts';
import type { Begun, Message } from '../ports/journal.ts';
import { isTrouble, type Trouble } from '../ports/trouble.ts';
import type { Receipt } from './define-function.ts';
import type { Machine, Route } from './machine.ts';
import type { Outcome } from './outcome.ts';
import type { Told } from './take-step.ts';

/** One handling of one message. */
export interface Attempt {
  readonly id: string;
  readonly message: Message;
  readonly envelope: Envelope;
  readonly route: Route;
  readonly receipt: Receipt;
  readonly startedAt: number;
  readonly waitedMs: number;
}

/**
 * Deals with a step that did not come to its end: the message comes again later, or is buried, or is done because only
 * the user can help. The message is safe in the queue before anything is said of it.
 */
export async function putOff(
  attempt: Attempt,
  begun: Begun | undefined,
  error: unknown,
  machine: Machine,
): Promise<Told> {
  if (!isTrouble(error)) return defect(attempt, begun, error, machine);
  switch (error.kind) {
    case 'refused': {
      await record(
        attempt,
        begun,
        {
          done: true,
          outcome: 'refused',
          reason: `${error.reason}: ${error.forUser}`,
          next: goOnWaiting(begun, machine),
        },
        machine,
      );
      return { outcome: { kind: 'refused', why: error.reason } };
    }
    case 'poison': {
      await bury(attempt, begun, error.message, machine);
      return { outcome: { kind: 'poison', why: error.message } };
    }
    default:
      return again(attempt, begun, error, machine);
  }
}

/** What waited has a deadline, and whoever refused may have been mistaken: what is forbidden now may be allowed in a minute. */
function goOnWaiting(begun: Begun | undefined, { clock }: Machine): Next | undefined {
  if (begun?.state !== 'go' || begun.waiting === undefined) return undefined;
  const { reason, since, deadline } = begun.waiting;
  const deadlineSeconds = Math.max(1, Math.ceil((deadline - since) / 1_000));
  const message = 'The last look was refused: the log of steps says why';
  return recheck(patienceSeconds({ now: clock.now(), waiting: begun.waiting }, reason), {
    reason,
    message,
    deadlineSeconds,
  });
}

async function again(
  attempt: Attempt,
  begun: Begun | undefined,
  error: Exclude<Trouble, { kind: 'refused' | 'poison' }>,
  machine: Machine,
): Promise<Told> {
  const tries = (attempt.envelope.attempt ?? 0) + 1;
  if (tries > machine.settings.attempts) {
    await bury(attempt, begun, `still ${error.kind} after ${tries - 1} attempts: ${error.message}`, machine);
    return { outcome: { kind: 'poison', why: error.message } };
  }
  const waited =
    error.kind === 'conflict' ? machine.random() : backoffSeconds(tries, machine.random(), machine.settings.retry);
  // A step that timed out may still be writing: nobody else may work under its key before its lease is over.
  const stillRunning = error.kind === 'uncertain' && begun?.state === 'go';
  const retrySeconds = stillRunning ? Math.max(waited, machine.settings.leaseSeconds) : waited;
  await machine.queue.send([
    {
      message: attempt.message,
      from: attempt.message.function,
      pending: attempt.envelope.pending === 'true',
      attempt: tries,
      delaySeconds: retrySeconds,
    },
  ]);
  // Where Postgres itself is away there is nobody to tell; the lease runs out by itself.
  const databaseAway = error.kind !== 'conflict' && error.dependency === 'database';
  if (!databaseAway && !stillRunning) {
    await record(attempt, begun, { done: false, outcome: error.kind, reason: error.message, retrySeconds }, machine);
  }
  return { outcome: { kind: error.kind, why: error.message, retrySeconds } };
}

/** Ours. The queue hands the message out again, and after its last receive to the dead letters; the error stands in the step log. */
async function defect(attempt: Attempt, begun: Begun | undefined, error: unknown, machine: Machine): Promise<Told> {
  const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const last = attempt.receipt.receives >= attempt.route.maxReceiveCount;
  await record(attempt, begun, { done: false, buried: last, outcome: 'defect', reason: why }, machine);
  if (last) machine.metrics.deadLetters.inc({ fn: attempt.message.function });
  const outcome: Outcome = { kind: 'transient', why: 'a defect of ours', retrySeconds: 0 };
  return { outcome, defect: error };
}

async function bury(attempt: Attempt, begun: Begun | undefined, why: string, machine: Machine): Promise<void> {
  const { message, envelope } = attempt;
  await machine.queue.bury({
    function: message.function,
    body: JSON.stringify(envelope),
    why,
    step: attempt.id,
    traceparent: message.traceparent,
  });
  machine.metrics.deadLetters.inc({ fn: message.function });
  await record(attempt, begun, { done: false, buried: true, outcome: 'poison', reason: why }, machine);
}

interface Ending {
  readonly done: boolean;
  readonly buried?: boolean;
  readonly outcome: string;
  readonly reason: string;
  readonly retrySeconds?: number;
  readonly next?: Next | undefined;
}

/** Gives the lease back and writes the line of the step log. If that fails, the lease runs out and the line is missing: no more. */
async function record(attempt: Attempt, begun: Begun | undefined, ending: Ending, machine: Machine): Promise<void> {
  try {
    await machine.journal.finish({
      step: attempt.id,
      message: attempt.message,
      ...(begun?.state === 'go' && { begun }),
      ...ending,
      effects: [],
      knocks: [],
      attempt: attempt.envelope.attempt ?? 0,
      covered: attempt.receipt.covered,
      waitedMs: attempt.waitedMs,
      ms: Math.round(machine.clock.elapsed() - attempt.startedAt),
    });
  } catch (error) {
    machine.log.warn('step could not be recorded', {
      fn: attempt.message.function,
      outcome: ending.outcome,
      error: String(error),
    });
  }
}
