import { type CloudEvent, cloudEvent } from '@google-cloud/functions-framework';
import { type Contract, Envelope, type Subject as SubjectSchema } from '../contracts/envelope.ts';
import type { Effect, Moment, Step } from '../domain/core/step.ts';
import type { Subject } from '../domain/core/subject.ts';
import type { RowWrite } from '../ports/journal.ts';
import { type Machine, theMachine } from './machine.ts';
import type { Outcome, Rehearsal } from './outcome.ts';
import { takeStep } from './take-step.ts';
import type { World } from './world.ts';

/** Observe, decide, commit: a function is these three words and the names around them. */
export interface Definition<Seen, E extends Effect, Services, Applied = void> {
  readonly name: string;
  readonly consumes: readonly Contract<typeof SubjectSchema>[];
  readonly emits: readonly Contract[];
  /** What it asks of the world. Opened once per process; here only chosen. */
  readonly services: (world: World) => Services;
  /** Reads all that the rule needs, at one moment. Undefined: there is nothing to look at any more. */
  observe(subject: Subject, services: Services, signal: AbortSignal): Promise<Seen | undefined>;
  /** The rule. Pure, so that an operator may ask what it would say. */
  decide(seen: Seen, moment: Moment): Step<E>;
  /** Kubernetes and Git: idempotent, with a precondition, before the rows that say it happened. */
  apply?(seen: Seen, step: Step<E>, services: Services, signal: AbortSignal): Promise<Applied>;
  /** The store's own rows, written in the step's one transaction. `applied` is what came of it, which only the world knew. */
  rows?(seen: Seen, step: Step<E>, services: Services, applied: Applied): readonly RowWrite[];
  /**
   * The cluster revision that was seen, where a cluster was looked at. Events from before it need no run. What was written
   * over the version that was seen, and over no other, has been seen as well: `applied` may say so.
   */
  version?(seen: Seen, applied: Applied | undefined): string | undefined;
}

/** What came with a message that the event itself does not say. */
export interface Receipt {
  /** How often the queue has handed the message out, this time included. */
  readonly receives: number;
  /** Messages for the same subject that this one stands for. */
  readonly covered: number;
}

export interface StagecoachFunction {
  readonly name: string;
  readonly consumes: readonly string[];
  readonly emits: readonly string[];
  /** Takes one step for one event. Throws only for a defect of ours. */
  handle(event: unknown, receipt?: Receipt, machine?: Machine): Promise<Outcome>;
  /** Observes and decides, and writes nothing. */
  rehearse(subject: Subject, moment: Moment, machine?: Pick<Machine, 'world'>): Promise<Rehearsal>;
}

const delivered: Receipt = { receives: 1, covered: 0 };

export function defineFunction<Seen, E extends Effect, Services, Applied = void>(
  definition: Definition<Seen, E, Services, Applied>,
): StagecoachFunction {
  async function handle(
    event: unknown,
    receipt: Receipt = delivered,
    machine: Machine = theMachine(),
  ): Promise<Outcome> {
    return takeStep(definition, event, receipt, machine);
  }

  // One parameter, on purpose: the framework takes a second one for a callback and would wait for it for ever.
  cloudEvent(definition.name, (event: CloudEvent<unknown>) => handle(withoutForeignAttributes(event)));

  return {
    name: definition.name,
    consumes: definition.consumes.map(({ type }) => type),
    emits: definition.emits.map(({ type }) => type),
    handle,
    async rehearse(subject, moment, { world } = theMachine()) {
      const seen = await definition.observe(subject, definition.services(world), AbortSignal.timeout(30_000));
      return {
        function: definition.name,
        subject: `${subject.namespace}/${subject.name}`,
        step: seen === undefined ? undefined : definition.decide(seen, moment),
      };
    },
  };
}

/** Brokers on the way may add attributes of their own to an event. In a queue of ours nobody may. */
function withoutForeignAttributes(event: CloudEvent<unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(event).filter(([name]) => name in Envelope.shape));
}
