import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectQueue } from '../../shared/adapters/sqs/client.ts';
import { deadLettersOf } from '../../shared/adapters/sqs/queue.ts';
import { startFakeWatchServer } from '../support/fake-watch-server.ts';
import {
  type HostProcess,
  openWorld,
  post,
  startHostProcess,
  type World,
  watchBatch,
  watchEvent,
} from '../support/host-process.ts';
import { counts } from '../support/queue-endpoints.ts';

let world: World;
let hosts: HostProcess[];
let sqs: SQSClient;

beforeAll(async () => {
  // Nobody dies here, so nothing is sent a second time, however busy the machine is.
  world = await openWorld({ HELD_PER_TENANT: '10', LOG_LEVEL: 'debug', RESEND_SECONDS: '20' });
  sqs = connectQueue({ endpoint: world.queue.endpoint, region: 'us-east-1' });
  hosts = await Promise.all([startHostProcess(world.environment), startHostProcess(world.environment)]);
});
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.kill('SIGTERM')));
  sqs.destroy();
  await world.close();
});

const queueUrl = (name: string) => `${world.queue.endpoint}/000000000000/stagecoach-${name}`;
const aHost = (index = 0): string => hosts[index]?.url ?? '';

async function sum(column: 'runs' | 'reports', tenant: string): Promise<number> {
  const [row] = await world.database.sql.unsafe<{ sum: number }[]>(
    `select coalesce(sum(${column}), 0)::int as sum from errand where subject like '${tenant}/%'`,
  );
  return row?.sum ?? 0;
}

describe('two hosts on one database and queue', () => {
  it('do the work of many tenants between them, each piece once', async () => {
    const events = Array.from({ length: 200 }, (_none, index) => watchEvent(`shared-${index % 20}`, `e-${index}`, 1));
    await Promise.all([
      post(aHost(0), 'forward-event', watchBatch(...events)),
      post(aHost(1), 'forward-event', watchBatch(...events)),
    ]);

    await expect.poll(() => sum('reports', 'shared-%'), { timeout: 20_000 }).toBe(200);
    expect(await sum('runs', 'shared-%')).toBe(200);
  });

  it('fire a schedule once for each of its slots', async () => {
    const slots = async () => Number((await world.database.sql`select count(*)::int as slots from tick`)[0]?.['slots']);
    await expect.poll(slots, { timeout: 20_000 }).toBeGreaterThan(3);

    const fired = hosts.flatMap(({ lines }) => lines.filter((line) => line.includes('"msg":"tick"'))).length;
    expect(fired).toBeLessThanOrEqual(await slots());
    expect(fired).toBeGreaterThan(1);
  });

  it('say that they are healthy while work gets done', async () => {
    const response = await fetch(`${aHost()}/healthz`);
    const { ok, checks } = (await response.json()) as { ok: boolean; checks: { part: string }[] };

    expect(ok).toBe(true);
    expect(checks.map(({ part }) => part)).toEqual(
      expect.arrayContaining(['queue run-errand', 'queue report-errand', 'schedule forward-due', 'due work']),
    );
  });
});

describe('a tenant over its share', () => {
  it('has its knocks put aside, and every one of them served in the end', async () => {
    for (let batch = 0; batch < 6; batch += 1) {
      await post(
        aHost(),
        'forward-event',
        watchBatch(
          ...Array.from({ length: 100 }, (_none, index) => watchEvent('noisy', `n-${batch * 100 + index}`, 1)),
        ),
      );
    }

    await expect.poll(() => sum('reports', 'noisy'), { timeout: 30_000 }).toBe(600);
    expect(await sum('runs', 'noisy')).toBe(600);
    const metrics = await Promise.all(hosts.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
    expect(metrics.some((text) => /stagecoach_put_aside_total\{fn="run-errand"\} [1-9]/.test(text))).toBe(true);
    expect(await world.database.sql`select * from knock where tenant = 'noisy'`).toHaveLength(0);
  });
});

describe('a step that takes longer than its message is hidden for', () => {
  it('is not handed out a second time', async () => {
    await post(aHost(), 'forward-event', watchBatch(watchEvent('team', 'slow-1', 1)));

    await expect.poll(() => sum('reports', 'team'), { timeout: 20_000 }).toBe(1);
    expect(
      await world.database.sql`select outcome from step_log where subject = 'team/slow-1' and function = 'run-errand'`,
    ).toEqual([{ outcome: 'stepped' }]);
    expect(
      hosts.flatMap(({ lines }) => lines.filter((line) => line.includes('slow-1') && line.includes('"run-errand"'))),
    ).toHaveLength(1);
  });
});

describe('garbage in the queue', () => {
  it.each([
    ['text that is no JSON', 'hello'],
    ['an empty object', '{}'],
    [
      'a message of an unknown version',
      JSON.stringify({
        specversion: '1.0',
        id: 'x',
        source: '/x',
        type: 'claim.changed.v9',
        time: '2026-01-01T00:00:00Z',
        data: { namespace: 'team', name: 'x' },
      }),
    ],
    ['a message of 200 kB', JSON.stringify({ specversion: '1.0', id: 'x', pad: 'x'.repeat(200_000) })],
  ])('%s is a dead letter at once, with the reason, and the host goes on', async (_what, MessageBody) => {
    const before = (await counts(sqs, queueUrl(deadLettersOf('run-errand'))))[0];
    await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl('run-errand'), MessageBody }));

    await expect
      .poll(async () => (await counts(sqs, queueUrl(deadLettersOf('run-errand'))))[0], { timeout: 10_000 })
      .toBe(before + 1);
    expect((await fetch(`${aHost()}/healthz`)).status).toBe(200);
  });
});

describe('a defect', () => {
  it('is tried again with back-off, and lies with the dead letters after the last receive', async () => {
    const before = (await counts(sqs, queueUrl(deadLettersOf('run-errand'))))[0];
    await post(aHost(), 'forward-event', watchBatch(watchEvent('team', 'breaks-always', 1)));

    await expect
      .poll(async () => (await counts(sqs, queueUrl(deadLettersOf('run-errand'))))[0], { timeout: 30_000 })
      .toBe(before + 1);
    const rows = await world.database.sql`select outcome, reason from step_log where subject = 'team/breaks-always'`;
    expect(rows).toHaveLength(4);
    expect(rows[0]).toEqual({ outcome: 'defect', reason: 'Error: this errand breaks' });
  }, 40_000);
});

describe('a host that is told to stop', () => {
  it('finishes what runs, gives back what has not begun, and leaves with success', async () => {
    const leaving = await startHostProcess(world.environment);
    await post(
      leaving.url,
      'forward-event',
      watchBatch(
        ...Array.from({ length: 100 }, (_none, index) => watchEvent(`leaving-${index % 10}`, `l-${index}`, 1)),
      ),
    );

    expect(await leaving.kill('SIGTERM')).toBe(0);
    await expect.poll(() => sum('reports', 'leaving-%'), { timeout: 20_000 }).toBe(100);
    expect(await sum('runs', 'leaving-%')).toBe(100);
  });
});

describe('a watch', () => {
  it('leads from a change on the cluster to its step, and after a crash of the host to the changes it missed', async () => {
    const cluster = await startFakeWatchServer();
    const folder = mkdtempSync(join(tmpdir(), 'stagecoach-watch-'));
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'c',
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
        clusters: [{ name: 'c', cluster: { server: cluster.url } }],
        users: [{ name: 'u', user: {} }],
      }),
    );
    const environment = { ...world.environment, KUBECONFIG: kubeconfig };
    const claims = '/apis/appstudio.redhat.com/v1alpha1/deploymenttargetclaims';
    const claim = (name: string) => ({
      apiVersion: 'appstudio.redhat.com/v1alpha1',
      kind: 'DeploymentTargetClaim',
      metadata: { namespace: 'watched', name },
    });
    try {
      cluster.install(claims);
      const first = await startHostProcess(environment);
      cluster.put(claims, claim('one'));
      await expect.poll(() => sum('reports', 'watched'), { timeout: 20_000 }).toBe(1);

      await first.kill('SIGKILL');
      cluster.put(claims, claim('two'));
      const second = await startHostProcess(environment);
      await expect.poll(() => sum('reports', 'watched'), { timeout: 20_000 }).toBe(2);
      await second.kill('SIGTERM');
    } finally {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
