import { setTimeout as pause } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import type { Clock } from '../../ports/clock.ts';
import type { ServiceGauges, ServiceNumbers } from '../../ports/service-gauges.ts';
import type { Logger } from './logger.ts';
import { type PublishedGauge, publishGauge } from './publish-gauge.ts';

export interface ServiceGaugesSettings {
  readonly registry: Registry;
  readonly gauges: ServiceGauges;
  readonly clock: Clock;
  readonly log: Logger;
  /** However often somebody scrapes, the database is not asked more often than this. */
  readonly keptMs?: number | undefined;
  /** A scrape waits no longer than this for the database. */
  readonly timeoutMs?: number | undefined;
}

/**
 * The gauges of the original service that count rows, under the names and labels that dashboards know. They are the same
 * at every host. While the database is away they keep what they last were, and another gauge says how old that is; a host
 * that has never reached it publishes none of them.
 */
export function publishServiceGauges(settings: ServiceGaugesSettings): void {
  const { registry, gauges, clock, log, keptMs = 10_000, timeoutMs = 2_000 } = settings;
  let last: { readonly numbers: ServiceNumbers; readonly at: number } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let isAsking = false;
  let isAway = false;
  let answered = Promise.resolve();

  async function ask(): Promise<void> {
    try {
      last = { numbers: await gauges.read(), at: clock.elapsed() };
      isAway = false;
    } catch (error) {
      // Once for each outage; how long it lasts is in the gauge of the age.
      if (!isAway) log.warn('metrics keep their last numbers', { error: String(error) });
      isAway = true;
    } finally {
      isAsking = false;
    }
  }

  /** All gauges of a scrape wait for the same answer. One that comes too late is there for the next scrape. */
  async function latest(): Promise<typeof last> {
    if (!isAsking && clock.elapsed() - askedAt >= keptMs) {
      askedAt = clock.elapsed();
      isAsking = true;
      answered = Promise.race([ask(), pause(timeoutMs, undefined, { ref: false })]);
    }
    await answered;
    return last;
  }

  for (const { of, ...gauge } of counted)
    publishGauge(registry, {
      ...gauge,
      async read() {
        const found = await latest();
        return found === undefined ? undefined : of(found.numbers);
      },
    });
  publishGauge(registry, {
    name: 'stagecoach_service_numbers_age_seconds',
    help: 'How old the numbers of deployments and operations are; it grows while the database is away',
    labels: {},
    async read() {
      const found = await latest();
      return found === undefined ? undefined : (clock.elapsed() - found.at) / 1_000;
    },
  });
}

type CountedGauge = Omit<PublishedGauge, 'read'> & { readonly of: (numbers: ServiceNumbers) => number };

const counted: readonly CountedGauge[] = [
  {
    name: 'active_gitopsDeployments',
    help: 'GitOpsDeployments that are known, faulty ones too',
    labels: { gitopsDeployment: 'success' },
    of: ({ deployments }) => deployments,
  },
  {
    name: 'gitopsDeployments_failures',
    help: 'GitOpsDeployments whose condition ErrorOccurred is True',
    labels: { gitopsDeployment: 'fail' },
    of: ({ faultyDeployments }) => faultyDeployments,
  },
  {
    name: 'total_number_of_operationDB_rows',
    help: 'Rows of operations',
    labels: { name: 'total_operation_DB_rows' },
    of: (numbers) => open(numbers) + ended(numbers),
  },
  {
    name: 'operationDB_rows_in_waiting_state',
    help: 'Rows of operations that wait',
    labels: { operationDBState: 'Waiting' },
    of: ({ waiting }) => waiting,
  },
  {
    name: 'operationDB_rows_in_in_progress_state',
    help: 'Rows of operations that are under way',
    labels: { operationDBState: 'In_Progress' },
    of: ({ inProgress }) => inProgress,
  },
  {
    name: 'operationDB_rows_in_completed_state',
    help: 'Rows of operations that were completed, as long as they are kept',
    labels: { operationDBState: 'Completed' },
    of: ({ completed }) => completed,
  },
  {
    name: 'operationDB_rows_in_error_state',
    help: 'Rows of operations that failed, as long as they are kept',
    labels: { operationDBState: 'Failed' },
    of: ({ failed }) => failed,
  },
  {
    name: 'total_operationDB_rows_in_complete_state',
    help: 'Rows of operations that ended, well or not',
    labels: { operationDBRow: 'CompleteState' },
    of: (numbers) => ended(numbers),
  },
  {
    name: 'operationDB_rows_in_non_complete_state',
    help: 'Rows of operations that have not ended',
    labels: { operationDBRow: 'NonCompleteState' },
    of: (numbers) => open(numbers),
  },
  {
    name: 'operationDB_completedState',
    help: 'Operations that were completed in the last ten minutes',
    labels: { OperationDBState: 'completed' },
    of: ({ completedLately }) => completedLately,
  },
  {
    name: 'operationDB_failedState',
    help: 'Operations that failed in the last ten minutes',
    labels: { OperationDBState: 'failed' },
    of: ({ failedLately }) => failedLately,
  },
];

function open({ waiting, inProgress }: ServiceNumbers): number {
  return waiting + inProgress;
}

function ended({ completed, failed }: ServiceNumbers): number {
  return completed + failed;
}
