import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Sql } from 'postgres';
import { startEmbeddedPostgres } from '../../infra/embedded/postgres/start-embedded-postgres.ts';
import { spawnEmbeddedQueue } from '../../infra/embedded/queue/spawn-embedded-queue.ts';
import { readMap } from '../../infra/map.ts';
import { setUp } from '../../scripts/setup.ts';
import { connect } from '../../shared/adapters/postgres/connect.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import { errandTables } from '../support/errands/errand-store.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const benchToken = 'a-token-for-benchmarks';

/** The embedded database and queue, on disk as they are by default, and hosts on them. */
export interface BenchWorld {
  readonly sql: Sql;
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function openBenchWorld(map = here('./serverless.yml')): Promise<BenchWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'stagecoach-bench-'));
  chmodSync(folder, 0o711);
  const [postgres, queue] = await Promise.all([
    startEmbeddedPostgres({ folder: join(folder, 'postgres'), log: () => {} }),
    spawnEmbeddedQueue({ folder: join(folder, 'queue') }),
  ]);
  writeFileSync(join(folder, 'token'), benchToken);
  const keys = join(folder, 'keys');
  writeFileSync(keys, `k1:${randomBytes(32).toString('base64')}`, { mode: 0o600 });
  const environment = {
    DATABASE_URL: postgres.url,
    AWS_ENDPOINT_URL_SQS: queue.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    WEBHOOK_TOKEN_FILE: join(folder, 'token'),
    CREDENTIAL_KEYS_FILE: keys,
    MAP_FILE: map,
    PORT: '0',
  };
  Object.assign(process.env, environment);
  await setUp(readConfig(['database', 'queues'], environment), readMap(map));
  const sql = connect({
    url: postgres.url,
    poolSize: 2,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 10_000,
    applicationName: 'bench',
  });
  await sql.unsafe(errandTables);
  return {
    sql,
    environment,
    async close() {
      await sql.end({ timeout: 5 });
      await queue.stop();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A process under measure. It tells through IPC when a function starts and when it is done. */
export interface BenchHost {
  readonly url: string;
  readonly pid: number;
  /** Posts one event and resolves with the milliseconds until the host said `word` about its subject. */
  time(word: 'started' | 'done', namespace: string, name: string, version: number): Promise<number>;
  post(events: readonly unknown[]): Promise<void>;
  stop(): Promise<void>;
}

export async function startBenchHost(
  kind: 'host' | 'bare',
  environment: Readonly<Record<string, string>>,
): Promise<BenchHost> {
  const file = kind === 'host' ? here('../../infra/host/main.ts') : here('./bare-host.ts');
  const child: ChildProcess = fork(file, [], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    // For whoever has to find out why a thing did not come: BENCH_HOST_LOG=/tmp/host.log keeps the lines.
    const kept = process.env['BENCH_HOST_LOG'];
    child.stdout?.on('data', (chunk: Buffer) => {
      if (kept !== undefined) appendFileSync(kept, chunk);
      // Log lines are read and thrown away after the first: a full pipe would stop the host.
      if (text.length > 100_000) return;
      text += chunk.toString();
      const up = /"msg":"host is up".*?"url":"(?<url>[^"]+)"/.exec(text)?.groups?.['url'];
      if (up !== undefined) resolve(up);
    });
    child.once('exit', () => reject(new Error(`the ${kind} did not start: ${text}`)));
  });
  const waiting = new Map<string, (at: number) => void>();
  child.on('message', (message: { word: string; subject: string }) => {
    const key = `${message.word} ${message.subject}`;
    waiting.get(key)?.(performance.now());
    waiting.delete(key);
  });

  async function post(events: readonly unknown[]): Promise<void> {
    const response = await fetch(`${url}/forward-event`, {
      method: 'POST',
      headers: { authorization: `Bearer ${benchToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ source: 'watch', events }),
    });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${kind} answered ${response.status}`);
  }

  return {
    url,
    pid: child.pid ?? 0,
    post,
    async time(word, namespace, name, version) {
      const told = new Promise<number>((resolve) => waiting.set(`${word} ${namespace}/${name}`, resolve));
      const from = performance.now();
      const [at] = await Promise.all([told, post([event(namespace, name, version)])]);
      return at - from;
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

export function event(namespace: string, name: string, version: number) {
  return {
    type: 'MODIFIED',
    object: {
      apiVersion: 'appstudio.redhat.com/v1alpha1',
      kind: 'DeploymentTargetClaim',
      metadata: { namespace, name, resourceVersion: String(version) },
    },
  };
}
