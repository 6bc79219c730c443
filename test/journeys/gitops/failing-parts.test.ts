import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Journal } from '../../../shared/ports/journal.ts';
import { Transient, Uncertain } from '../../../shared/ports/trouble.ts';
import type { Machine } from '../../../shared/runtime/machine.ts';
import { acts, endings, openStory, outcomeOf, perform, type Story } from '../../support/deployment-story.ts';
import { failingSql } from '../../support/failing-sql.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../../support/gitops-world.ts';
import { finishDeletions } from '../../support/play-argo-cd.ts';

vi.setConfig({ testTimeout: 240_000 });

const stories = 12;
const failures = { database: 0, cluster: 0 };
let random = 1;
/** How many calls have failed. */
let failed = 0;

let world: GitOpsWorld;
beforeAll(async () => {
  world = await openGitOpsWorld({
    machine: unreliable,
    sql: (usual) => failingSql(usual, () => isUnlucky(failures.database)),
  });
});
afterAll(() => world.close());

/** The same row of chances in every run: a failure can be looked at again. */
function chance(): number {
  random = (random * 48_271) % 2_147_483_647;
  return random / 2_147_483_647;
}

function isUnlucky(rate: number): boolean {
  const unlucky = chance() < rate;
  if (unlucky) failed += 1;
  return unlucky;
}

/** Fails so often, before the call reaches the other side or after it took effect. */
async function perhaps<T>(part: 'database' | 'cluster', act: () => Promise<T>): Promise<T> {
  const fails = isUnlucky(failures[part]);
  const late = chance() < 0.5;
  if (fails && !late) throw new Transient(part, `the ${part} is away`);
  const done = await act();
  if (fails) throw new Uncertain(part, `the ${part} did not answer`);
  return done;
}

function unreliable(usual: Machine): Machine {
  const { journal } = usual;
  const failing: Journal = {
    begin: (begin) => perhaps('database', () => journal.begin(begin)),
    finish: (record, rows) => perhaps('database', () => journal.finish(record, rows)),
    forget: (...row) => perhaps('database', () => journal.forget(...row)),
    renew: (...lease) => perhaps('database', () => journal.renew(...lease)),
  };
  return { ...usual, journal: failing, settings: { ...usual.settings, attempts: 2_200 } };
}

/** Lets time pass until nothing moves any more. */
async function converge(): Promise<void> {
  for (let round = 0; round < 400; round += 1) {
    world.connection.trouble = (_asked, when) => {
      // One chance for a call, before it or after it.
      if (!isUnlucky(failures.cluster / 2)) return undefined;
      return when === 'before'
        ? new Transient('cluster', 'the cluster is away')
        : new Uncertain('cluster', 'the cluster did not answer');
    };
    await world.settle();
    world.connection.trouble = undefined;
    const left = await finishDeletions(world);
    await world.sql`update lease set until = clock_timestamp() - interval '1 second'`;
    await world.sql`update knock set due_at = clock_timestamp() - interval '1 second'`;
    const waiting = world.delayed.length;
    await world.wake();
    if (left === 0 && waiting === 0 && world.queue.sent.length === 0) return;
  }
  throw new Error('it does not converge');
}

async function live(all: readonly Story[]): Promise<void> {
  for (const act of acts) {
    for (const story of all) await perform(act, world, story);
    await converge();
    for (const story of all) expect(await outcomeOf(world, story)).toEqual(endings[act]);
  }
}

describe('with a fifth of all calls failing, before or after they took effect', () => {
  it.each([
    ['of Postgres', { database: 0.2, cluster: 0 }],
    ['of the Kubernetes API', { database: 0, cluster: 0.2 }],
    ['of both', { database: 0.2, cluster: 0.2 }],
  ])('%s, everything converges, nothing is left behind and no letter is dead', async (_which, rates) => {
    Object.assign(failures, rates);
    failed = 0;
    const all: Story[] = [];
    for (let at = 0; at < stories; at += 1) all.push(await openStory(world));

    await live(all);

    Object.assign(failures, { database: 0, cluster: 0 });
    expect(world.queue.buried).toEqual([]);
    expect(await world.sql`select 1 from step_log where outcome in ('defect', 'poison')`).toHaveLength(0);
    expect(failed).toBeGreaterThan(stories * acts.length);
  });
});
