import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type EmbeddedQueue, startEmbeddedQueue } from '../../infra/embedded/queue/start-embedded-queue.ts';
import { readMap } from '../../infra/map.ts';
import { setUp } from '../../scripts/setup.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import { openTestClient, openTestDatabase, type TestDatabase } from './database.ts';
import { errandTables } from './errands/errand-store.ts';

export const errandMap = fileURLToPath(new URL('./errands/serverless.yml', import.meta.url));
const hostMain = fileURLToPath(new URL('../../infra/host/main.ts', import.meta.url));
const token = 'a-token-for-tests-only';

/** A database, a queue and the errand functions, for hosts that come and go. */
export interface World {
  readonly database: TestDatabase;
  readonly queue: EmbeddedQueue;
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Without a map of its own it has the errands of the test tree. */
export async function openWorld(
  settings: Readonly<Record<string, string>> = {},
  mapFile: string = errandMap,
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'stagecoach-world-'));
  const database = await openTestDatabase();
  const queue = await startEmbeddedQueue({ folder: join(folder, 'queue'), log: () => {} });
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, token);
  const keysFile = join(folder, 'keys');
  writeFileSync(keysFile, `k1:${randomBytes(32).toString('base64')}`, { mode: 0o600 });
  const environment = {
    DATABASE_URL: database.url,
    AWS_ENDPOINT_URL_SQS: queue.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    WEBHOOK_TOKEN_FILE: tokenFile,
    MAP_FILE: mapFile,
    CREDENTIAL_KEYS_FILE: keysFile,
    PORT: '0',
    // What a crash leaves is picked up in a second or two instead of half a minute.
    LEASE_SECONDS: '2',
    VISIBILITY_SECONDS: '2',
    RESEND_SECONDS: '2',
    RETRY_CAP_SECONDS: '2',
    ...settings,
  };
  // The SDK and the stand-in store read these by themselves.
  Object.assign(process.env, environment);
  const config = readConfig(['database', 'queues', 'host'], environment);
  await setUp(config, readMap(config.host.MAP_FILE));
  const admin = openTestClient(database.url, { poolSize: 1 });
  await admin.unsafe(errandTables);
  await admin.end();
  return {
    database,
    queue,
    environment,
    async close() {
      await queue.stop();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface HostProcess {
  readonly url: string;
  readonly lines: readonly string[];
  /** Resolves with the first log line that matches. */
  said(pattern: RegExp): Promise<string>;
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

/** The host as a process of its own, that can be killed. */
export async function startHostProcess(environment: Readonly<Record<string, string>>): Promise<HostProcess> {
  const child: ChildProcess = spawn(process.execPath, [hostMain], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  if (child.stdout === null) throw new Error('the host has no output');
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;

  function said(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const line = lines.find((one) => pattern.test(one));
        if (line === undefined) return;
        waiting.delete(look);
        resolve(line);
      };
      waiting.add(look);
      look();
      void ended.then(() =>
        reject(new Error(`the host ended before it said ${pattern}:\n${lines.slice(-5).join('\n')}`)),
      );
    });
  }

  const up = JSON.parse(await said(/"host is up"/)) as { url: string };
  return {
    url: up.url,
    lines,
    said,
    async kill(signal) {
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

export async function post(
  url: string,
  path: string,
  body: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${url}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

export function watchEvent(namespace: string, name: string, version: number, type = 'MODIFIED') {
  return {
    type,
    object: {
      apiVersion: 'appstudio.redhat.com/v1alpha1',
      kind: 'DeploymentTargetClaim',
      metadata: { namespace, name, resourceVersion: String(version) },
    },
  };
}

export function auditEvent(namespace: string, name: string, version: number) {
  return {
    level: 'RequestResponse',
    auditID: `audit-${namespace}-${name}-${version}`,
    stage: 'ResponseComplete',
    verb: 'update',
    requestURI: `/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/deploymenttargetclaims/${name}`,
    objectRef: {
      resource: 'deploymenttargetclaims',
      namespace,
      name,
      apiGroup: 'appstudio.redhat.com',
      apiVersion: 'v1alpha1',
    },
    responseStatus: { code: 200 },
    responseObject: {
      apiVersion: 'appstudio.redhat.com/v1alpha1',
      kind: 'DeploymentTargetClaim',
      metadata: { namespace, name, resourceVersion: String(version) },
    },
  };
}

export const auditList = (...items: unknown[]) => ({ apiVersion: 'audit.k8s.io/v1', kind: 'EventList', items });
export const watchBatch = (...events: unknown[]) => ({ source: 'watch', events });
