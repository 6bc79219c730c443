import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Mortality, openMortality, settleThroughDeath } from '../../support/mortality.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld, type ReleaseWorld } from '../../support/release-world.ts';
import { type Act, acts, endings, openStory, outcomeOf, perform, type Story } from '../../support/snapshot-story.ts';

vi.setConfig({ testTimeout: 600_000 });

/** The stand-in takes away what an Application owned a moment later; a hundred such moments are enough. */
const moments = 100;
const momentMs = 20;

describeWithGit(
  'the process that works on an Application and its Components, killed before and after every call',
  () => {
    let world: ReleaseWorld;
    const mortality: Mortality = openMortality();
    beforeAll(async () => {
      world = await openReleaseWorld({ machine: (usual) => mortality.wrap(usual) });
    });
    afterAll(() => world?.close());

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

    it.each(acts)('%s: everything ends as if it had lived, and nothing is left behind', async (act) => {
      const before = acts.slice(0, acts.indexOf(act));
      async function stage(): Promise<Story> {
        const story = await openStory(world);
        for (const earlier of before) await live(earlier, story);
        return story;
      }
      const rehearsal = await stage();
      const calls = await live(act, rehearsal);
      expect(await outcomeOf(world, rehearsal)).toEqual(endings[act]);
      expect(calls).toBeGreaterThan(10);

      for (let at = 1; at <= calls; at += 1) {
        const story = await stage();

        await live(act, story, at);

        expect(await outcomeOf(world, story), `killed at call ${at} of ${calls}`).toEqual(endings[act]);
      }
      expect(world.queue.buried).toEqual([]);
    });
  },
);
