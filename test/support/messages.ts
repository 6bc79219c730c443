import { randomUUID } from 'node:crypto';
import type { Message, StepRecord } from '../../shared/ports/journal.ts';

export function aMessage(name: string, but: Partial<Message> = {}): Message {
  const namespace = but.tenant ?? 'team';
  return {
    id: randomUUID(),
    function: 'run-errand',
    type: 'claim.changed.v1',
    subject: { namespace, name },
    tenant: namespace,
    serialKey: `errand:${namespace}/${name}`,
    ...but,
  };
}

export function aRecord(message: Message, but: Partial<StepRecord> = {}): StepRecord {
  return {
    step: 'step-1',
    message,
    done: true,
    outcome: 'stepped',
    effects: [],
    knocks: [],
    attempt: 0,
    covered: 0,
    ms: 1,
    ...but,
  };
}
