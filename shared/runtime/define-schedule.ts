import { cloudEvent } from '@google-cloud/functions-framework';
import { type Machine, theMachine } from './machine.ts';

/** A function that a clock wakes. It carries no message, so it may be woken late, twice, or not at all now and then. */
export interface ScheduleDefinition {
  readonly name: string;
  readonly emits: readonly { readonly type: string }[];
  /** Returns what it did, for the log line. */
  run(machine: Machine): Promise<{ readonly count: number; readonly did: string }>;
}

export interface StagecoachSchedule {
  readonly name: string;
  readonly emits: readonly string[];
  /** Does its round. Throws what went wrong, for the schedule's owner to tell. */
  tick(machine?: Machine): Promise<{ readonly count: number; readonly did: string }>;
}

export function defineSchedule(definition: ScheduleDefinition): StagecoachSchedule {
  async function tick(machine: Machine = theMachine()) {
    const started = machine.clock.elapsed();
    const done = await definition.run(machine);
    const ms = Math.round(machine.clock.elapsed() - started);
    machine.log[done.count > 0 ? 'info' : 'debug']('tick', {
      fn: definition.name,
      count: done.count,
      reason: done.did,
      ms,
    });
    return done;
  }

  cloudEvent(definition.name, () => tick());
  return { name: definition.name, emits: definition.emits.map(({ type }) => type), tick };
}
