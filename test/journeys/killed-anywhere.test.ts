import { afterAll, describe, expect, it } from 'vitest';
import { startHost } from '../../infra/host/host.ts';
import { readMap } from '../../infra/map.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import { closeErrandStores } from '../support/errands/errand-store.ts';
import {
  auditEvent,
  auditList,
  errandMap,
  openWorld,
  post,
  type World,
  watchBatch,
  watchEvent,
} from '../support/host-process.ts';
import { dieAt } from '../support/killed-host.ts';
import type { Boundary } from '../support/killing-proxies.ts';

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
const boundaries: Readonly<Record<string, Boundary>> = {
  'before the knock is sent': { when: 'before', what: 'SendMessage', nth: 1 },
  'after the knock is sent': { when: 'after', what: 'SendMessage', nth: 1 },
  'when the message is on its way to the host': { when: 'after', what: 'ReceiveMessage', nth: 1 },
  'before the lease is taken': { when: 'before', what: 'begin_steps', nth: 1 },
  'after the lease is taken': { when: 'after', what: 'begin_steps', nth: 1 },
  'while it observes': { when: 'before', what: 'select ran_version', nth: 1 },
  'before the commit': { when: 'before', what: 'finish_step', nth: 1 },
  'after the commit': { when: 'after', what: 'finish_step', nth: 1 },
  'before the message is deleted': { when: 'before', what: 'DeleteMessage', nth: 1 },
  'after the message is deleted': { when: 'after', what: 'DeleteMessage', nth: 1 },
  // The follow-up is handed over inside the process; what stands between the two is the row of the commit before.
  'before the follow-up’s commit': { when: 'before', what: 'finish_step', nth: 2 },
  'after the follow-up’s commit': { when: 'after', what: 'finish_step', nth: 2 },
};

const done = { runs: 1, reports: 1, ledger: 1, dead: 0 };

afterAll(closeErrandStores);

describe('an audit event and a watch event for one object, the host killed', () => {
  it.each(Object.entries(boundaries))(
    '%s: nothing is lost, nothing is done twice',
    async (where, boundary) => {
      const world = await openWorld();
      try {
        // The victim may die before it answers: that is what the test is about.
        await dieAt(boundary, { world }, (victim) =>
          post(victim.url, 'ingest-audit', auditList(auditEvent('team', 'web', 5))).catch(() => undefined),
        );
        const survivor = await startHost({
          map: readMap(errandMap),
          root,
          config: readConfig(everything, { ...world.environment, LOG_LEVEL: 'warn' }),
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
