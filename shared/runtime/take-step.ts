import { Envelope } from '../contracts/envelope.ts';
import type { Effect, Step } from '../domain/core/step.ts';
import { inWords } from '../domain/core/subject.ts';
import type { Begun, Message, RowWrite } from '../ports/journal.ts';
import { Conflict, Poison, Uncertain } from '../ports/trouble.ts';
import { address } from './address.ts';
import type { Definition, Receipt } from './define-function.ts';
import { type Machine, type Route, routesTo } from './machine.ts';
import type { Outcome } from './outcome.ts';
import { type Attempt, putOff } from './put-off.ts';
import { sendOn } from './send-on.ts';
import { tellStep } from './tell-step.ts';

/** Somebody wrote first: looking again at once mostly works, and the queue is slower than three looks. */
const looks = 3;

/**
 * One step for one event: parse, begin, observe, decide, apply, finish, send. Every trouble ends here, in an outcome
 * and a message put off or buried; only a defect of ours is thrown on, to the framework and the alarm.
 */
export async function takeStep<Seen, E extends Effect, Services, Applied>(
  definition: Definition<Seen, E, Services, Applied>,
  event: unknown,
  receipt: Receipt,
  machine: Machine,
): Promise<Outcome> {
  const route = machine.routes.find((known) => known.function === definition.name);
  if (route === undefined) throw new Error(`${definition.name} is not in the map`);
  const parsed = parse(definition, route, event);
  if (parsed instanceof Poison) return buryUnread(definition.name, event, parsed, machine);

  const { envelope, message } = parsed;
  const span = machine.tracing.start(definition.name, envelope.traceparent);
  const attempt: Attempt = {
    id: machine.newId(),
    message: { ...message, traceparent: span.traceparent },
    envelope,
    route,
    receipt,
    startedAt: machine.clock.elapsed(),
    waitedMs: Math.max(0, Math.round(machine.clock.now() - Date.parse(envelope.time))),
  };
  const running = stopwatch(route.timeoutSeconds * 1_000);
  const lease: { renewal?: NodeJS.Timeout; begun?: Begun } = {};
  try {
    const outcome = await running.race(
      work(definition, definition.services(machine.world), attempt, machine, running.signal, lease),
    );
    tellStep(attempt, outcome, span, machine);
    return outcome.outcome;
  } catch (error) {
    const told = await putOff(attempt, lease.begun, error, machine);
    tellStep(attempt, told, span, machine);
    if (told.defect !== undefined) throw told.defect;
    return told.outcome;
  } finally {
    running.stop();
    clearInterval(lease.renewal);
  }
}

/** What came of a step, for the log line: the outcome, and the decision where there was one. */
export interface Told {
  readonly outcome: Outcome;
  readonly step?: Step | undefined;
  readonly defect?: unknown;
}

async function work<Seen, E extends Effect, Services, Applied>(
  definition: Definition<Seen, E, Services, Applied>,
  services: Services,
  attempt: Attempt,
  machine: Machine,
  signal: AbortSignal,
  lease: { renewal?: NodeJS.Timeout; begun?: Begun },
): Promise<Told> {
  const { message } = attempt;
  const { leaseSeconds } = machine.settings;
  const begun = await machine.journal.begin({
    step: attempt.id,
    message,
    pending: attempt.envelope.pending === 'true',
    leaseSeconds,
  });
  // Nobody waits for a step any more whose time is over: whatever comes late, it goes no further.
  signal.throwIfAborted();
  lease.begun = begun;
  if (begun.state !== 'go') return { outcome: { kind: 'coalesced', why: begun.state } };
  lease.renewal = setInterval(
    () => void machine.journal.renew(attempt.id, message.serialKey, leaseSeconds).catch(() => undefined),
    (leaseSeconds * 1_000) / 3,
  ).unref();

  for (let look = 1; ; look += 1) {
    const seen = await definition.observe(message.subject, services, signal);
    signal.throwIfAborted();
    const step =
      seen === undefined ? undefined : definition.decide(seen, { now: machine.clock.now(), waiting: begun.waiting });
    try {
      let rows: readonly RowWrite[] | undefined;
      let applied: Applied | undefined;
      if (seen !== undefined && step !== undefined) {
        // Where there is nothing to apply, nothing comes of it.
        applied = (await definition.apply?.(seen, step, services, signal)) as Applied;
        // What it has left in the world is found by the next look.
        signal.throwIfAborted();
        rows = definition.rows?.(seen, step, services, applied as Applied);
      }
      const knocks = step === undefined ? [] : follow(definition, step, attempt, machine);
      const observed = seen === undefined ? undefined : definition.version?.(seen, applied);
      const outcome: Outcome =
        step === undefined
          ? { kind: 'skipped', why: 'gone' }
          : { kind: 'stepped', next: step.next.kind, effects: step.effects.length };
      const messages = await machine.journal.finish(
        {
          step: attempt.id,
          message,
          begun,
          done: true,
          outcome: outcome.kind,
          reason: outcome.kind === 'skipped' ? outcome.why : waitReason(step),
          effects: step?.effects ?? [],
          next: step?.next,
          knocks,
          version: later(message.subject.version, observed),
          attempt: attempt.envelope.attempt ?? 0,
          covered: attempt.receipt.covered,
          waitedMs: attempt.waitedMs,
          ms: Math.round(machine.clock.elapsed() - attempt.startedAt),
        },
        rows,
      );
      await sendOn(messages, knocks, definition.name, machine);
      return { outcome, step };
    } catch (error) {
      if (!(error instanceof Conflict) || look >= looks || signal.aborted) throw error;
    }
  }
}

function follow<E extends Effect>(
  definition: Pick<Definition<unknown, E, unknown>, 'name' | 'emits'>,
  step: Step<E>,
  { message }: Attempt,
  machine: Machine,
): Message[] {
  const messages = step.knocks.flatMap(({ type, subject, afterSeconds: delaySeconds }) => {
    if (!definition.emits.some((contract) => contract.type === type))
      throw new Error(`${definition.name} may not emit ${type}: the map does not say so`);
    const origin = {
      cause: message.id,
      correlation: message.correlation ?? message.id,
      traceparent: message.traceparent,
    };
    return routesTo(machine, type).map((route): Message => {
      const knock = address(route, { id: machine.newId(), type, subject }, origin);
      return delaySeconds === undefined ? knock : { ...knock, delaySeconds };
    });
  });
  // One look at a subject serves whoever asked for it.
  const each = new Map(messages.map((message) => [`${message.function} ${inWords(message.subject)}`, message]));
  return [...each.values()];
}

function parse(
  definition: Pick<Definition<unknown, Effect, unknown>, 'name' | 'consumes'>,
  route: Route,
  event: unknown,
): { envelope: Envelope; message: Message } | Poison {
  const envelope = Envelope.safeParse(event);
  if (!envelope.success)
    return new Poison(
      `not a CloudEvent of ours: ${envelope.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')}`,
    );
  const contract = definition.consumes.find(({ type }) => type === envelope.data.type);
  if (contract === undefined) return new Poison(`${definition.name} does not consume ${envelope.data.type}`);
  const subject = contract.Data.safeParse(envelope.data.data);
  if (!subject.success)
    return new Poison(
      `not a ${contract.type}: ${subject.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')}`,
    );
  const { id, causationid: cause, correlationid: correlation, traceparent } = envelope.data;
  return {
    envelope: envelope.data,
    message: address(route, { id, type: contract.type, subject: subject.data }, { cause, correlation, traceparent }),
  };
}

async function buryUnread(name: string, event: unknown, poison: Poison, machine: Machine): Promise<Outcome> {
  await machine.queue.bury({
    function: name,
    body: typeof event === 'string' ? event : JSON.stringify(event),
    why: poison.message,
  });
  const { pending, id } = (typeof event === 'object' && event !== null ? event : {}) as {
    pending?: unknown;
    id?: unknown;
  };
  if (pending === 'true' && typeof id === 'string') await machine.journal.forget(name, id).catch(() => undefined);
  machine.metrics.steps.inc({ fn: name, outcome: 'poison' });
  machine.metrics.deadLetters.inc({ fn: name });
  machine.log.error('step', { fn: name, outcome: 'poison', reason: poison.message });
  return { kind: 'poison', why: poison.message };
}

function waitReason(step: Step | undefined): string | undefined {
  return step === undefined || step.next.kind === 'settled' ? undefined : step.next.wait.reason;
}

function later(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return BigInt(one) > BigInt(other) ? one : other;
}

/** A time-out that really stops waiting, whatever the waited-for thing does with its signal. */
function stopwatch(ms: number): { signal: AbortSignal; race<T>(work: Promise<T>): Promise<T>; stop(): void } {
  const controller = new AbortController();
  let stop = (): void => {};
  const expired = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new Uncertain('cluster', `no answer within ${ms / 1_000} seconds`);
      controller.abort(error);
      reject(error);
    }, ms);
    stop = () => clearTimeout(timer);
  });
  expired.catch(() => undefined);
  return { signal: controller.signal, race: (work) => Promise.race([work, expired]), stop };
}
