import { afterAll, describe, expect, it } from 'vitest';
import { startHost } from '../../infra/host/host.ts';
import { readMap } from '../../infra/map.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import { closeErrandStores } from '../support/errands/errand-store.ts';
import {
  auditEvent,
  auditList,
  errandMap,
  type HostProcess,
  openWorld,
  post,
  startHostProcess,
  type World,
  watchBatch,
  watchEvent,
} from '../support/host-process.ts';
import { type Boundary, startDatabaseProxy, startQueueProxy } from '../support/killing-proxies.ts';

const root = new URL('../..', import.meta.url).pathname;
const everything = [
  'database',
  'queues',
  'steps',
  'webhooks',
  'host',
  'cluster',
  'engines',
  'retention',
  'telemetry',
] as const;

/** Every place where a message or a row changes hands, on the way from an event to its follow-up's end. */
const boundaries: Record<string, Boundary & { readonly at: 'queue' | 'database' }> = {
  'before the knock is sent': { at: 'queue', when: 'before', what: 'SendMessage', nth: 1 },
  'after the knock is sent': { at: 'queue', when: 'after', what: 'SendMessage', nth: 1 },
  'when the message is on its way to the host': { at: 'queue', when: 'after', what: 'ReceiveMessage', nth: 1 },
  'before the lease is taken': { at: 'database', when: 'before', what: 'begin_steps', nth: 1 },
  'after the lease is taken': { at: 'database', when: 'after', what: 'begin_steps', nth: 1 },
  'while it observes': { at: 'database', when: 'before', what: 'select ran_version', nth: 1 },
  'before the commit': { at: 'database', when: 'before', what: 'finish_step', nth: 1 },
  'after the commit': { at: 'database', when: 'after', what: 'finish_step', nth: 1 },
  'before the message is deleted': { at: 'queue', when: 'before', what: 'DeleteMessage', nth: 1 },
  'after the message is deleted': { at: 'queue', when: 'after', what: 'DeleteMessage', nth: 1 },
  // The follow-up is handed over inside the process; what stands between the two is the row of the commit before.
  'before the follow-up’s commit': { at: 'database', when: 'before', what: 'finish_step', nth: 2 },
  'after the follow-up’s commit': { at: 'database', when: 'after', what: 'finish_step', nth: 2 },
};

const done = { runs: 1, reports: 1, ledger: 1, dead: 0 };

afterAll(closeErrandStores);

describe('an audit event and a watch event for one object, the host killed', () => {
  it.each(Object.entries(boundaries))(
    '%s: nothing is lost, nothing is done twice',
    async (where, boundary) => {
      const world = await openWorld({ LOG_LEVEL: 'warn' });
      try {
        await dieAt(boundary, world);
        const survivor = await startHost({
          map: readMap(errandMap),
          root,
          config: readConfig(everything, world.environment),
        });
        try {
          // Only what was never accepted is sent again, as the API server and a watch that lists anew would.
          if (where === 'before the knock is sent')
            await post(survivor.url, 'ingest-audit', auditList(auditEvent('team', 'web', 5)));
          await expect.poll(() => stateOf(world), { timeout: 20_000 }).toEqual(done);
          // The other way in tells the same change, and one that shows when it has been dealt with.
          await post(survivor.url, 'forward-event', watchBatch(watchEvent('team', 'web', 5)));
          await post(survivor.url, 'forward-event', watchBatch(watchEvent('team', 'last', 6)));
          await expect.poll(() => hasRun('team/last', world), { timeout: 20_000 }).toBe(true);
          expect(await stateOf(world)).toEqual(done);
        } finally {
          await survivor.drain();
        }
      } finally {
        await closeErrandStores();
        await world.close();
      }
    },
    60_000,
  );
});

async function dieAt(boundary: Boundary & { readonly at: 'queue' | 'database' }, world: World): Promise<void> {
  let victim: HostProcess | undefined;
  const kill = (): void => void victim?.kill('SIGKILL');
  const proxy =
    boundary.at === 'queue'
      ? await startQueueProxy(world.queue.endpoint, boundary, kill)
      : await startDatabaseProxy(world.database.url, boundary, kill);
  try {
    const through = boundary.at === 'queue' ? { AWS_ENDPOINT_URL_SQS: proxy.url } : { DATABASE_URL: proxy.url };
    victim = await startHostProcess({ ...world.environment, ...through, LOG_LEVEL: 'info' });
    // The victim may die before it answers: that is what the test is about.
    await post(victim.url, 'ingest-audit', auditList(auditEvent('team', 'web', 5))).catch(() => undefined);
    await proxy.struck;
  } finally {
    await victim?.kill('SIGKILL');
    await proxy.close();
  }
}

async function stateOf({ database: { sql } }: World): Promise<unknown> {
  const [row] = await sql`
    select coalesce((select runs from errand where subject = 'team/web'), 0) as runs,
           coalesce((select reports from errand where subject = 'team/web'), 0) as reports,
           (select count(*)::int from ledger where action = 'run-errand' and subject = 'team/web') as ledger,
           (select count(*)::int from step_log where outcome in ('poison', 'defect')) as dead`;
  return row;
}

async function hasRun(subject: string, { database: { sql } }: World): Promise<boolean> {
  const rows = await sql`select 1 from errand where subject = ${subject} and reports > 0`;
  return rows.length > 0;
}
