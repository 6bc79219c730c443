import type { Logger } from '../adapters/telemetry/logger.ts';
import type { Metrics } from '../adapters/telemetry/metrics.ts';
import type { Tracing } from '../adapters/telemetry/trace.ts';
import type { BackoffLimits } from '../domain/core/backoff.ts';
import type { Interest } from '../domain/core/interest.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal, Message } from '../ports/journal.ts';
import type { Queue } from '../ports/queue.ts';
import type { Retention, Upkeep } from '../ports/upkeep.ts';
import type { Viewers } from './page/viewers.ts';
import type { World } from './world.ts';

/** What the map says about a function, as far as steps need it. */
export interface Route {
  readonly function: string;
  readonly consumes: readonly string[];
  /** The template of its serial key (shared/domain/core/serial-key.ts). */
  readonly serial: string;
  /** The template of what counts as one tenant in the lanes, where it is not the namespace of the subject. */
  readonly tenant?: string | undefined;
  readonly timeoutSeconds: number;
  /** Receives after which a message becomes a dead letter. */
  readonly maxReceiveCount: number;
}

export interface StepSettings {
  readonly leaseSeconds: number;
  readonly retry: BackoffLimits;
  readonly attempts: number;
}

/** Everything a step stands on. Built once per process by shared/runtime/services.ts, or by a test. */
export interface Machine {
  readonly journal: Journal;
  readonly queue: Queue;
  readonly upkeep: Upkeep;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly log: Logger;
  readonly tracing: Tracing;
  readonly metrics: Metrics;
  readonly routes: readonly Route[];
  readonly interests: readonly Interest[];
  readonly settings: StepSettings;
  readonly retention: Retention;
  /** The tokens that a webhook accepts. Empty: only client certificates. */
  readonly tokens: readonly string[];
  /** The functions that answer callers without a token, too. */
  readonly openFunctions?: readonly string[] | undefined;
  /** Who may look at pages. By default whoever may call a webhook. */
  readonly viewers?: Viewers | undefined;
  readonly bodyLimitBytes: number;
  /** What functions ask of the world. */
  readonly world: World;
  /** Aborted when this process is about to end: who keeps a connection open lets it go. */
  readonly draining?: AbortSignal | undefined;
  /** Gives follow-ups to functions of the same process at once; returns those that must go through the queue. */
  readonly handOver?: ((messages: readonly Message[]) => readonly Message[]) | undefined;
}

export function routesTo(machine: Pick<Machine, 'routes'>, type: string): readonly Route[] {
  return machine.routes.filter(({ consumes }) => consumes.includes(type));
}

let standing: Machine | undefined;

/** Gives every function of this process the machine it stands on. */
export function standUp(machine: Machine): void {
  standing = machine;
}

export function theMachine(): Machine {
  if (standing === undefined) throw new Error('No machine stands yet: call standUp before the first invocation');
  return standing;
}
