import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Act, acts, endings, openStory, outcomeOf, perform, type Story } from '../../support/claim-story.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../../support/gitops-world.ts';
import { type Mortality, openMortality, settleThroughDeath } from '../../support/mortality.ts';

vi.setConfig({ testTimeout: 600_000 });

/** The stand-in's own controllers fill tokens and empty namespaces a moment later; a hundred such moments are enough. */
const moments = 100;
const momentMs = 20;

let world: GitOpsWorld;
const mortality: Mortality = openMortality();

beforeAll(async () => {
  world = await openGitOpsWorld({ machine: (usual) => mortality.wrap(usual) });
});
afterAll(() => world.close());

/** One act of the story to its end; the process that works on it may die once. */
async function live(act: Act, story: Story, dieAt?: number): Promise<number> {
  mortality.revive();
  await perform(act, world, story);
  mortality.dieAt = dieAt;
  let calls = 0;
  for (let moment = 0; moment < moments; moment += 1) {
    mortality.watchOver(world.connection);
    await settleThroughDeath(world, mortality);
    world.connection.trouble = undefined;
    calls = mortality.calls.length;
    if (isDeepStrictEqual(await outcomeOf(world, story), endings[act])) break;
    await new Promise((resolve) => setTimeout(resolve, momentMs));
    await world.wake();
  }
  mortality.revive();
  return calls;
}

describe('the process that works on a claim of a class, killed before and after every call it makes', () => {
  it.each(acts)('%s: everything ends as if it had lived, and nothing is left behind', async (act) => {
    const before = acts.slice(0, acts.indexOf(act));
    const calls = await rehearsed(act, before);
    expect(calls).toBeGreaterThan(20);

    for (let at = 1; at <= calls; at += 1) {
      const story = await openStory(world);
      for (const earlier of before) await live(earlier, story);

      await live(act, story, at);

      expect(await outcomeOf(world, story), `killed at call ${at} of ${calls}`).toEqual(endings[act]);
    }
    expect(world.queue.buried).toEqual([]);
  });
});

/** How many calls the act takes when nobody dies. */
async function rehearsed(act: Act, before: readonly Act[]): Promise<number> {
  const story = await openStory(world);
  for (const earlier of before) await live(earlier, story);
  const calls = await live(act, story);
  expect(await outcomeOf(world, story)).toEqual(endings[act]);
  return calls;
}
