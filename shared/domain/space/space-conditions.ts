import type { Condition } from '../core/condition.ts';

// The words are those of the toolchain operator, whose clients wait for them.

export const spaceConditions = {
  provisioned: (): Condition => ready('True', 'Provisioned', ''),
  provisioning: (message: string): Condition => ready('False', 'Provisioning', message),
  unableToProvision: (message: string): Condition => ready('False', 'UnableToProvision', message),
  terminating: (message: string): Condition => ready('False', 'Terminating', message),
  unableToTerminate: (message: string): Condition => ready('False', 'UnableToTerminate', message),
};

function ready(status: 'True' | 'False', reason: string, message: string): Condition {
  return { type: 'Ready', status, reason, message };
}
