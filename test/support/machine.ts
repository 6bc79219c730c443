import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { openJournal } from '../../shared/adapters/postgres/journal.ts';
import { openUpkeep } from '../../shared/adapters/postgres/upkeep.ts';
import { openLogger } from '../../shared/adapters/telemetry/logger.ts';
import { openMetrics } from '../../shared/adapters/telemetry/metrics.ts';
import { untraced } from '../../shared/adapters/telemetry/trace.ts';
import { interests } from '../../shared/domain/core/interest.ts';
import type { DeadLetter, Delivery, Queue } from '../../shared/ports/queue.ts';
import type { Machine, Route } from '../../shared/runtime/machine.ts';
import type { World } from '../../shared/runtime/world.ts';

/** A queue that only remembers what it was given. */
export interface RememberingQueue extends Queue {
  readonly sent: Delivery[];
  readonly buried: DeadLetter[];
  /** The error that the next calls meet. */
  away: Error | undefined;
}

export function openRememberingQueue(): RememberingQueue {
  const queue: RememberingQueue = {
    sent: [],
    buried: [],
    away: undefined,
    async send(deliveries) {
      if (queue.away !== undefined) throw queue.away;
      queue.sent.push(...deliveries);
    },
    async bury(letter) {
      if (queue.away !== undefined) throw queue.away;
      queue.buried.push(letter);
    },
  };
  return queue;
}

export const errandRoutes: readonly Route[] = [
  {
    function: 'run-errand',
    consumes: ['claim.changed.v1'],
    serial: 'errand:{namespace}/{name}',
    timeoutSeconds: 5,
    maxReceiveCount: 4,
  },
  {
    function: 'report-errand',
    consumes: ['environment.changed.v1'],
    serial: 'report:{namespace}/{name}',
    timeoutSeconds: 5,
    maxReceiveCount: 4,
  },
];

/** For functions that ask nothing of the world. */
export const nowhere = new Proxy({} as World, {
  get: (_target, part) => {
    throw new Error(`this machine has no ${String(part)}`);
  },
});

/** A machine on a real database and a remembering queue, with its log lines in hand. */
export function openTestMachine(
  sql: Sql,
  but: Partial<Machine> = {},
): Machine & { readonly lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const clock = { now: () => Date.now(), elapsed: () => performance.now() };
  return {
    lines,
    journal: openJournal(sql, { resendSeconds: 60 }),
    upkeep: openUpkeep(sql, { resendSeconds: 60 }),
    queue: openRememberingQueue(),
    clock,
    random: () => 0.5,
    newId: randomUUID,
    log: openLogger({
      level: 'debug',
      write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
      clock,
    }),
    tracing: untraced,
    metrics: openMetrics(),
    routes: errandRoutes,
    interests,
    settings: { leaseSeconds: 20, retry: { baseSeconds: 1, capSeconds: 120 }, attempts: 3 },
    retention: { stepLogDays: 30, ledgerDays: 400, servedDays: 30 },
    tokens: ['a-token-for-tests-only'],
    bodyLimitBytes: 1_000_000,
    world: nowhere,
    ...but,
  };
}

let events = 0;

/** A well-formed event of ours, unless told otherwise. */
export function anEvent(name: string, but: Record<string, unknown> = {}): Record<string, unknown> {
  events += 1;
  return {
    specversion: '1.0',
    id: `event-${events}`,
    source: '/functions/forward-event',
    type: 'claim.changed.v1',
    subject: `team/${name}`,
    time: new Date().toISOString(),
    data: { namespace: 'team', name },
    ...but,
  };
}
