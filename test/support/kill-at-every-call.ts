import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Machine } from '../../shared/runtime/machine.ts';
import type { Watched } from './audited-connection.ts';
import type { GitOpsWorld } from './gitops-world.ts';
import { onlyIn } from './mortal-functions.ts';
import { follow, openMortality, settleThroughDeath, settleUntilDeath } from './mortality.ts';

/** The life of something, act by act, and what must be true after each. */
export interface MortalStory<World, Act extends string, Story> {
  readonly acts: readonly Act[];
  openStory(world: World): Promise<Story>;
  /** What the tenant does. */
  perform(act: Act, world: World, story: Story): Promise<void>;
  /** What there is of the story, in a form that two runs can be compared by. */
  outcomeOf(world: World, story: Story): Promise<object>;
  /** The same at the end of every act, whatever happened on the way. */
  readonly endings: Readonly<Record<Act, object>>;
}

interface Circumstances<World> {
  open(machine: (usual: Machine) => Machine): Promise<World>;
  /** Only the steps of these functions may die. Unless said, those of all. */
  readonly only?: readonly string[];
  /** What else than the API server it calls. */
  readonly ways?: readonly Watched[];
  /** False: whoever dies over a read has left what whoever dies after the call before it has. Unless said, they are counted. */
  readonly hasReads?: boolean;
  /** What it keeps in its memory, and loses with it. */
  readonly memories?: readonly (() => void)[];
  /** What others do while nothing moves. */
  readonly meanwhile?: (world: World) => Promise<unknown>;
  /** No act of the story takes fewer calls. */
  readonly least: number;
}

/** A story that was begun, and the process that works on it. */
export interface Lives<World, Act extends string, Story> {
  world(): World;
  /** The calls of every act where nobody dies, in words. */
  rehearse(): Promise<Readonly<Record<Act, readonly string[]>>>;
  /** One act to its end. The process that works on it may die once; true: it did. */
  live(act: Act, story: Story, dieAt?: number): Promise<boolean>;
  /** The process dies over an act, and the tenant goes on with the next one before anybody else comes. True: it did die. */
  dieOver(act: Act, story: Story, dieAt: number, next: Act): Promise<boolean>;
}

/** The controllers of the stand-in fill, empty and take away a moment later; a hundred such moments are enough. */
const moments = 100;
const momentMs = 20;

function overlookReads(way: Watched): void {
  const { trouble } = way;
  way.trouble = (asked, when) => (asked.method === 'GET' ? undefined : trouble?.(asked, when));
}

/** Tells a story over and over. The process that works on it is killed in every act, each time at the next of its calls. */
export function killAtEveryCall<World extends GitOpsWorld, Act extends string, Story>(
  story: MortalStory<World, Act, Story>,
  { open, only, ways = [], memories = [], meanwhile, least, hasReads = true }: Circumstances<World>,
): Lives<World, Act, Story> {
  const { acts, openStory, perform, outcomeOf, endings } = story;
  const mortality = openMortality();
  mortality.memories.push(...memories);
  const mortal = only === undefined ? mortality : onlyIn(mortality, only);
  let world: World;
  let rehearsed: Promise<Readonly<Record<Act, readonly string[]>>> | undefined;
  beforeAll(async () => {
    world = await open((usual) => mortal.wrap(usual));
  });
  afterAll(() => world?.close());

  async function watched<T>(act: () => Promise<T>): Promise<T> {
    const all = [world.connection, ...ways];
    mortal.watchOver(...all);
    if (!hasReads) for (const way of all) overlookReads(way);
    try {
      return await act();
    } finally {
      for (const way of all) way.trouble = undefined;
    }
  }

  async function comeToTheEnd(act: Act, one: Story): Promise<void> {
    for (let moment = 0; moment < moments; moment += 1) {
      await watched(() => settleThroughDeath(world, mortality));
      if (isDeepStrictEqual(await outcomeOf(world, one), endings[act])) return;
      await meanwhile?.(world);
      await pause(momentMs);
      await world.wake();
    }
  }

  const lives: Lives<World, Act, Story> = {
    world: () => world,
    rehearse() {
      rehearsed ??= (async () => {
        const one = await openStory(world);
        const calls: [Act, readonly string[]][] = [];
        for (const act of acts) {
          await lives.live(act, one);
          calls.push([act, [...mortality.calls]]);
          expect(await outcomeOf(world, one), `${act}, and nobody dies`).toEqual(endings[act]);
          expect(mortality.calls.length, `calls of ${act}`).toBeGreaterThanOrEqual(least);
        }
        return Object.fromEntries(calls) as Record<Act, readonly string[]>;
      })();
      return rehearsed;
    },
    async live(act, one, dieAt) {
      mortality.revive();
      await perform(act, world, one);
      mortality.dieAt = dieAt;
      await comeToTheEnd(act, one);
      // Who has died is mortal no more.
      return dieAt !== undefined && mortality.dieAt === undefined;
    },
    async dieOver(act, one, dieAt, next) {
      mortality.revive();
      await perform(act, world, one);
      mortality.dieAt = dieAt;
      const isOver = await watched(() => settleUntilDeath(world, mortality));
      await perform(next, world, one);
      if (!isOver) await follow(world, mortality);
      await comeToTheEnd(next, one);
      return !isOver;
    },
  };

  it('everything ends as if it had lived, and nothing is left behind', async () => {
    const calls = await lives.rehearse();
    const most = Math.max(...acts.map((act) => calls[act].length));
    let deaths = 0;
    for (let at = 1; at <= most; at += 1) {
      const one = await openStory(world);
      for (const act of acts) {
        const call = calls[act][at - 1];
        deaths += Number(await lives.live(act, one, call === undefined ? undefined : at));
        expect(await outcomeOf(world, one), `${act}, killed at call ${at}: ${call}`).toEqual(endings[act]);
      }
    }
    expect(world.queue.buried).toEqual([]);
    // How often it looks before others have done their part is not the same every time.
    expect(deaths).toBeGreaterThan(0.75 * acts.reduce((sum, act) => sum + calls[act].length, 0));
  });
  return lives;
}
