import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deadLettersOf } from '../../shared/adapters/sqs/queue.ts';
import { type CuttableProxy, startCuttableProxy } from '../support/cuttable-proxy.ts';
import {
  type HostProcess,
  openWorld,
  post,
  startHostProcess,
  type World,
  watchBatch,
  watchEvent,
} from '../support/host-process.ts';
import { clientFor, counts } from '../support/queue-endpoints.ts';

let world: World;
let database: CuttableProxy;
let queue: CuttableProxy;
let host: HostProcess;

beforeAll(async () => {
  world = await openWorld();
  database = await startCuttableProxy(world.database.url);
  queue = await startCuttableProxy(world.queue.endpoint);
  host = await startHostProcess({
    ...world.environment,
    DATABASE_URL: database.url,
    AWS_ENDPOINT_URL_SQS: queue.url.replace(/\/$/, ''),
  });
});
afterAll(async () => {
  await host.kill('SIGTERM');
  await Promise.all([database.stop(), queue.stop()]);
  await world.close();
});

const events = (tenant: string) =>
  Array.from({ length: 60 }, (_none, index) => watchEvent(`${tenant}-${index % 6}`, `e-${index}`, 1));

async function done(tenant: string): Promise<{ runs: number; reports: number }> {
  const [row] = await world.database.sql<[{ runs: number; reports: number }]>`
    select coalesce(sum(runs), 0)::int as runs, coalesce(sum(reports), 0)::int as reports from errand where subject like ${`${tenant}-%`}`;
  return { ...row };
}

async function deadLetters(): Promise<number> {
  const client = clientFor(world.queue.endpoint);
  const found = await Promise.all(
    ['run-errand', 'report-errand'].map((name) =>
      counts(client, `${world.queue.endpoint}/000000000000/stagecoach-${deadLettersOf(name)}`),
    ),
  );
  client.destroy();
  return found.flat().reduce((sum, count) => sum + count, 0);
}

describe('while the database is away', () => {
  it('the door stays open, health says so, and all is done when it is back, without a dead letter', async () => {
    database.goAway();
    expect((await post(host.url, 'forward-event', watchBatch(...events('without-database')))).status).toBe(200);
    // Long enough for steps to be tried and put off.
    await host.said(/"outcome":"transient"/);
    expect((await fetch(`${host.url}/healthz`)).status).toBe(503);

    database.comeBack();

    await expect.poll(() => done('without-database'), { timeout: 40_000 }).toEqual({ runs: 60, reports: 60 });
    expect(await deadLetters()).toBe(0);
  }, 60_000);
});

describe('while the queue is away', () => {
  it('the door asks to be called again, and all is done when it is back', async () => {
    queue.goAway();
    expect((await post(host.url, 'forward-event', watchBatch(...events('without-queue')))).status).toBe(503);

    queue.comeBack();
    await expect
      .poll(async () => (await post(host.url, 'forward-event', watchBatch(...events('without-queue')))).status, {
        timeout: 20_000,
      })
      .toBe(200);

    await expect.poll(() => done('without-queue'), { timeout: 40_000 }).toEqual({ runs: 60, reports: 60 });
    expect(await deadLetters()).toBe(0);
  }, 60_000);
});
