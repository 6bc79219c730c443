import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { openLogger } from '../../../shared/adapters/telemetry/logger.ts';
import { publishServiceGauges } from '../../../shared/adapters/telemetry/publish-service-gauges.ts';
import type { ServiceNumbers } from '../../../shared/ports/service-gauges.ts';
import { Transient } from '../../../shared/ports/trouble.ts';

const numbers: ServiceNumbers = {
  deployments: 12,
  faultyDeployments: 3,
  waiting: 4,
  inProgress: 5,
  completed: 60,
  failed: 7,
  completedLately: 8,
  failedLately: 2,
};

/** A service that answers as the test says, at the time that the test says. */
function openService(timeoutMs = 2_000) {
  const lines: string[] = [];
  const clock = { ms: 0, now: () => clock.ms, elapsed: () => clock.ms };
  const service = {
    asked: 0,
    clock,
    lines,
    answer: async (): Promise<ServiceNumbers> => numbers,
    async scrape(): Promise<string[]> {
      const text = await registry.metrics();
      return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    },
  };
  const registry = new Registry();
  const gauges = {
    read() {
      service.asked += 1;
      return service.answer();
    },
  };
  const log = openLogger({ level: 'debug', write: (line) => lines.push(line), clock });
  publishServiceGauges({ registry, gauges, clock, log, timeoutMs });
  return service;
}

const away = () => Promise.reject(new Transient('database', 'away'));

describe('a scrape', () => {
  it('BM-01 has the names and the labels of the original service', async () => {
    expect(await openService().scrape()).toEqual([
      'active_gitopsDeployments{gitopsDeployment="success"} 12',
      'gitopsDeployments_failures{gitopsDeployment="fail"} 3',
      'total_number_of_operationDB_rows{name="total_operation_DB_rows"} 76',
      'operationDB_rows_in_waiting_state{operationDBState="Waiting"} 4',
      'operationDB_rows_in_in_progress_state{operationDBState="In_Progress"} 5',
      'operationDB_rows_in_completed_state{operationDBState="Completed"} 60',
      'operationDB_rows_in_error_state{operationDBState="Failed"} 7',
      'total_operationDB_rows_in_complete_state{operationDBRow="CompleteState"} 67',
      'operationDB_rows_in_non_complete_state{operationDBRow="NonCompleteState"} 9',
      'operationDB_completedState{OperationDBState="completed"} 8',
      'operationDB_failedState{OperationDBState="failed"} 2',
      'stagecoach_service_numbers_age_seconds 0',
    ]);
  });

  it('asks the database once for all gauges, and again only after ten seconds', async () => {
    const service = openService();
    expect(service.asked).toBe(0);

    await Promise.all([service.scrape(), service.scrape()]);
    service.clock.ms = 9_999;
    const kept = await service.scrape();

    expect(service.asked).toBe(1);
    expect(kept).toContain('stagecoach_service_numbers_age_seconds 9.999');

    service.clock.ms = 10_000;
    await service.scrape();

    expect(service.asked).toBe(2);
  });

  it('defect 34: shows a number that has become 0 as 0', async () => {
    const service = openService();
    await service.scrape();
    service.clock.ms = 10_000;
    service.answer = async () => ({ ...numbers, waiting: 0 });

    expect(await service.scrape()).toContain('operationDB_rows_in_waiting_state{operationDBState="Waiting"} 0');
  });
});

describe('while the database is away', () => {
  it('the numbers stay what they were, their age grows, and it is logged once', async () => {
    const service = openService();
    await service.scrape();
    service.answer = away;

    service.clock.ms = 30_000;
    await service.scrape();
    service.clock.ms = 60_000;
    const lines = await service.scrape();

    expect(service.asked).toBe(3);
    expect(lines).toContain('gitopsDeployments_failures{gitopsDeployment="fail"} 3');
    expect(lines).toContain('stagecoach_service_numbers_age_seconds 60');
    expect(service.lines).toHaveLength(1);
  });

  it('a host that has never reached it says nothing rather than 0', async () => {
    const service = openService();
    service.answer = away;

    expect(await service.scrape()).toEqual([]);
  });

  it('a scrape does not wait for an answer that does not come, and none after it does', async () => {
    const service = openService(1);
    const answer = Promise.withResolvers<ServiceNumbers>();
    service.answer = () => answer.promise;

    expect(await service.scrape()).toEqual([]);
    service.clock.ms = 20_000;
    expect(await service.scrape()).toEqual([]);
    expect(service.asked).toBe(1);

    answer.resolve(numbers);
    await answer.promise;

    expect(await service.scrape()).toContain('active_gitopsDeployments{gitopsDeployment="success"} 12');
  });
});
