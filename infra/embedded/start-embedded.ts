import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../shared/adapters/telemetry/logger.ts';
import { startEmbeddedPostgres } from './postgres/start-embedded-postgres.ts';
import { spawnEmbeddedQueue } from './queue/spawn-embedded-queue.ts';

export interface Embedded {
  /** The settings that the stand-ins fill in. */
  readonly environment: Readonly<Record<string, string>>;
  /** The parts that are stand-ins, in words. */
  readonly parts: readonly string[];
  stop(): Promise<void>;
}

/** Starts a development stand-in for each part that the environment does not configure, and for no other. */
export async function startEmbedded(
  folder: string,
  given: Readonly<Record<string, string | undefined>>,
  log: Logger,
): Promise<Embedded> {
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const environment: Record<string, string> = {};
  const parts: string[] = [];
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(stops.map((one) => one()));
  };
  try {
    await Promise.all([database(), queue()]);
    token();
    credentialKeys();
    return { environment, parts, stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function database(): Promise<void> {
    if (isGiven('DATABASE_URL')) return;
    const postgres = await startEmbeddedPostgres({
      folder: join(folder, 'postgres'),
      log: (msg, { port, error, folder: where }) =>
        log.info(msg, {
          part: 'postgres',
          url: port === undefined ? undefined : `127.0.0.1:${port}`,
          name: String(where),
          error: error === undefined ? undefined : String(error),
        }),
    });
    stops.push(() => postgres.stop());
    environment['DATABASE_URL'] = postgres.url;
    parts.push('PostgreSQL');
  }

  async function queue(): Promise<void> {
    // A region or credentials alone mean Amazon's own endpoint.
    if (isGiven('AWS_ENDPOINT_URL_SQS') || isGiven('AWS_ENDPOINT_URL') || isGiven('AWS_REGION')) return;
    const server = await spawnEmbeddedQueue({
      folder: join(folder, 'queue'),
      log: (line) => log.info('embedded SQS server says', { part: 'queue', reason: line }),
    });
    stops.push(() => server.stop());
    log.info('embedded SQS server (development stand-in) is ready', { part: 'queue', url: server.endpoint });
    Object.assign(environment, {
      AWS_ENDPOINT_URL_SQS: server.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'embedded',
      AWS_SECRET_ACCESS_KEY: 'embedded',
    });
    parts.push('SQS');
  }

  /** A token of its own for each project folder, so that nobody else on the machine may knock. */
  function token(): void {
    if (isGiven('WEBHOOK_TOKEN_FILE') || isGiven('TLS_CLIENT_CA_FILE')) return;
    environment['WEBHOOK_TOKEN_FILE'] = keep('webhook-token', () => randomBytes(24).toString('base64url'));
  }

  /** A secret that is made once and kept for this user's eyes. */
  function keep(name: string, make: () => string): string {
    const file = join(folder, name);
    if (!existsSync(file)) writeFileSync(file, `${make()}\n`, { mode: 0o600 });
    return file;
  }

  /** Without a key nothing could be sealed; whoever configures a real database brings their own. */
  function credentialKeys(): void {
    if (isGiven('CREDENTIAL_KEYS_FILE')) return;
    environment['CREDENTIAL_KEYS_FILE'] = keep('credential-keys', () => `k1:${randomBytes(32).toString('base64')}`);
  }

  function isGiven(name: string): boolean {
    return (given[name] ?? '') !== '';
  }
}
