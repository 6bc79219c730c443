import { type Step, settled } from '../core/step.ts';

/** A Binding, and what it is about. */
export interface NamedBinding {
  readonly name: string;
  readonly application: string;
  readonly environment: string;
  readonly snapshot: string;
}

interface Seen {
  readonly namespace: string;
  /** Of an Application, an Environment or a Snapshot: which of them, nobody has to know. */
  readonly name: string;
  readonly bindings: readonly NamedBinding[];
}

/** Decides which Bindings must look again because something of this name is no longer as it was. One too many does no harm. */
export function decideBindingsToWake({ namespace, name, bindings }: Seen): Step {
  const concerned = bindings.filter(({ application, environment, snapshot }) =>
    [application, environment, snapshot].includes(name),
  );
  return {
    effects: [],
    conditions: [],
    knocks: concerned.map((binding) => ({
      type: 'binding.changed.v1',
      subject: { namespace, name: binding.name, application: binding.application },
    })),
    next: settled,
  };
}
