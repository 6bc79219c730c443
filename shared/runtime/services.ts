import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Sql } from 'postgres';
import type { ClusterConnection } from '../adapters/kubernetes/connection.ts';
import type { RecentObjects } from '../adapters/kubernetes/recent-objects.ts';
import { connect } from '../adapters/postgres/connect.ts';
import { openServiceGauges } from '../adapters/postgres/gitops/service-gauges.ts';
import { openJournal } from '../adapters/postgres/journal.ts';
import { openUpkeep } from '../adapters/postgres/upkeep.ts';
import { connectQueue } from '../adapters/sqs/client.ts';
import { openQueue } from '../adapters/sqs/queue.ts';
import { openQueueUrls, type QueueUrls } from '../adapters/sqs/queue-urls.ts';
import { type Logger, openLogger } from '../adapters/telemetry/logger.ts';
import { openMetrics } from '../adapters/telemetry/metrics.ts';
import { publishServiceGauges } from '../adapters/telemetry/publish-service-gauges.ts';
import { openTracing, untraced } from '../adapters/telemetry/trace.ts';
import { type Interest, interests } from '../domain/core/interest.ts';
import type { Clock } from '../ports/clock.ts';
import type { Config } from './config.ts';
import type { Machine, Route } from './machine.ts';
import { openConfiguredWorld } from './open-world.ts';
import type { Viewers } from './page/viewers.ts';

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };

/** The machine, and the connections behind it that a host polls and closes. */
export interface Standing {
  readonly machine: Machine;
  readonly sql: Sql;
  readonly sqs: SQSClient;
  readonly urls: QueueUrls;
  /** The tenants' cluster, where one is configured, and what its watch has brought. */
  readonly connection: ClusterConnection | undefined;
  readonly recent: RecentObjects;
  close(): Promise<void>;
}

type Needed = Config<'database' | 'queues' | 'steps' | 'webhooks' | 'cluster' | 'engines' | 'retention' | 'telemetry'> &
  Partial<Config<'credentials' | 'console'>>;

/** The only place where ports meet adapters. */
export async function openMachine(
  config: Needed,
  routes: readonly Route[],
  table: readonly Interest[] = interests,
): Promise<Standing> {
  const { database, queues, steps, webhooks, retention, telemetry } = config;
  const sql = connect({
    url: database.DATABASE_URL,
    poolSize: database.DATABASE_POOL_SIZE,
    statementTimeoutMs: database.DATABASE_STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: database.DATABASE_CONNECT_TIMEOUT_MS,
    applicationName: 'stagecoach',
  });
  const sqs = connectQueue({ endpoint: queues.AWS_ENDPOINT_URL_SQS, region: queues.AWS_REGION });
  const urls = openQueueUrls(sqs, queues.QUEUE_PREFIX);
  const queue = openQueue(sqs, urls, systemClock);
  const tracing =
    telemetry.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
      ? untraced
      : await openTracing({
          endpoint: telemetry.OTEL_EXPORTER_OTLP_ENDPOINT,
          serviceName: telemetry.OTEL_SERVICE_NAME,
        });
  const { world, connection, recent, close: leaveWorld } = openConfiguredWorld(config, sql, systemClock.now);
  const log = systemLogger(telemetry);
  const metrics = openMetrics();
  publishServiceGauges({ registry: metrics.registry, gauges: openServiceGauges(sql), clock: systemClock, log });
  const tokens = readTokens('WEBHOOK_TOKEN_FILE', webhooks.WEBHOOK_TOKEN_FILE);
  const resend = { resendSeconds: steps.RESEND_SECONDS };
  return {
    sql,
    sqs,
    urls,
    connection,
    recent,
    machine: {
      world,
      journal: openJournal(sql, resend),
      upkeep: openUpkeep(sql, resend),
      queue,
      clock: systemClock,
      random: Math.random,
      newId: randomUUID,
      log,
      tracing,
      metrics,
      routes,
      interests: table,
      settings: {
        leaseSeconds: steps.LEASE_SECONDS,
        retry: { baseSeconds: steps.RETRY_BASE_SECONDS, capSeconds: steps.RETRY_CAP_SECONDS },
        attempts: steps.RETRY_ATTEMPTS,
      },
      retention: {
        stepLogDays: retention.STEP_LOG_DAYS,
        ledgerDays: retention.LEDGER_DAYS,
        servedDays: retention.SERVED_DAYS,
      },
      tokens,
      viewers: viewersFor(config.console, tokens),
      openFunctions: webhooks.ADMISSION_WITHOUT_TOKEN === 'true' ? ['admit-resource'] : [],
      bodyLimitBytes: webhooks.WEBHOOK_BODY_LIMIT_BYTES,
    },
    async close() {
      await queue.idle();
      await tracing.shutdown();
      sqs.destroy();
      await leaveWorld();
      await sql.end({ timeout: 5 });
    },
  };
}

export function systemLogger({ LOG_LEVEL, STAGE }: Config<'telemetry'>['telemetry']): Logger {
  return openLogger({ level: LOG_LEVEL, stage: STAGE, write: writeLine, clock: systemClock });
}

let lines = '';

/**
 * Lines of one turn of the event loop go out in one write: under load that is one system call for many steps. What is
 * left when the process ends by itself is written then; a killed one loses the lines of its last turn.
 */
function writeLine(line: string): void {
  if (lines === '') setImmediate(flushLines);
  lines += line;
}

function flushLines(): void {
  if (lines !== '') process.stdout.write(lines);
  lines = '';
}

process.once('exit', flushLines);

function viewersFor(settings: Config<'console'>['console'] | undefined, tokens: readonly string[]): Viewers {
  const { CONSOLE_TOKEN_FILE: file, CONSOLE_OPEN_TO: openTo = 'nobody' } = settings ?? {};
  return { tokens: file === undefined ? tokens : readTokens('CONSOLE_TOKEN_FILE', file), openTo };
}

/** A token a line, so that a new one can be accepted before the old one goes. */
function readTokens(setting: string, file: string | undefined): string[] {
  if (file === undefined) return [];
  const tokens = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (tokens.some((token) => token.length < 16))
    throw new Error(`${setting} holds a token of fewer than 16 characters; write a longer one`);
  return tokens;
}
