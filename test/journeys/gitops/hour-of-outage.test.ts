import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Journal } from '../../../shared/ports/journal.ts';
import { Transient } from '../../../shared/ports/trouble.ts';
import type { Machine } from '../../../shared/runtime/machine.ts';
import { acts, endings, openStory, outcomeOf, perform, type Story } from '../../support/deployment-story.ts';
import { failingSql } from '../../support/failing-sql.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../../support/gitops-world.ts';
import { finishDeletions } from '../../support/play-argo-cd.ts';

vi.setConfig({ testTimeout: 120_000 });

const hour = 3_600_000;
const stories = 10;
/** At the longest back-off, two minutes, an hour has thirty attempts; the short ones before it are fewer than twenty. */
const patience = 50;

let now = Date.parse('2026-01-01T00:00:00Z');
let away: 'database' | 'cluster' | 'nobody' = 'nobody';
let world: GitOpsWorld;
beforeAll(async () => {
  world = await openGitOpsWorld({
    machine: inItsOwnTime,
    sql: (usual) => failingSql(usual, () => away === 'database'),
  });
  world.connection.trouble = () => (away === 'cluster' ? new Transient('cluster', 'the cluster is away') : undefined);
});
afterAll(() => world.close());

function inItsOwnTime(usual: Machine): Machine {
  const { journal } = usual;
  const through = <T>(act: () => Promise<T>): Promise<T> =>
    away === 'database' ? Promise.reject(new Transient('database', 'the database is away')) : act();
  const gone: Journal = {
    begin: (begin) => through(() => journal.begin(begin)),
    finish: (record, rows) => through(() => journal.finish(record, rows)),
    forget: (...row) => through(() => journal.forget(...row)),
    renew: (...lease) => through(() => journal.renew(...lease)),
  };
  return {
    ...usual,
    journal: gone,
    clock: { now: () => now, elapsed: () => now },
    settings: { leaseSeconds: 20, retry: { baseSeconds: 1, capSeconds: 120 }, attempts: 2_200 },
  };
}

/** Lets an hour go by; what was put off comes back at its time. Returns how many steps were tried. */
async function anHour(): Promise<number> {
  const later: { readonly at: number; readonly delivery: (typeof world.delayed)[number] }[] = [];
  let attempts = 0;
  for (const over = now + hour; now < over; ) {
    attempts += (await world.settle()).length;
    later.push(
      ...world.delayed.splice(0).map((delivery) => ({ at: now + (delivery.delaySeconds ?? 0) * 1_000, delivery })),
    );
    now = Math.min(over, ...later.map(({ at }) => at));
    for (const due of later.filter(({ at }) => at <= now)) {
      later.splice(later.indexOf(due), 1);
      world.queue.sent.push({ ...due.delivery, delaySeconds: 0 });
    }
  }
  world.queue.sent.push(...later.map(({ delivery }) => ({ ...delivery, delaySeconds: 0 })));
  return attempts;
}

async function converge(): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    await world.settle();
    const left = await finishDeletions(world);
    const waiting = world.delayed.length;
    await world.sql`update lease set until = clock_timestamp() - interval '1 second'`;
    await world.wake();
    if (left === 0 && waiting === 0 && world.queue.sent.length === 0) return;
  }
  throw new Error('it does not converge');
}

describe.each([
  ['Postgres', 'database'],
  ['the Kubernetes API', 'cluster'],
] as const)('an hour without %s', (_part, part) => {
  it.each(acts)(
    'in the act: %s: everything goes on by itself afterwards, without a storm and without dead letters',
    async (act) => {
      const all: Story[] = [];
      for (let at = 0; at < stories; at += 1) all.push(await openStory(world));
      for (const earlier of acts.slice(0, acts.indexOf(act))) {
        for (const story of all) await perform(earlier, world, story);
        await converge();
      }

      for (const story of all) await perform(act, world, story);
      away = part;
      const attempts = await anHour();
      away = 'nobody';
      await converge();

      for (const story of all) expect(await outcomeOf(world, story)).toEqual(endings[act]);
      expect(world.queue.buried).toEqual([]);
      expect(attempts).toBeGreaterThan(stories);
      expect(attempts).toBeLessThan(stories * patience);
    },
  );
});
