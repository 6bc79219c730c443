import { describe, expect, it } from 'vitest';
import { openChance } from './model/chance.ts';
import { findDoubles, findFaults, findGivenAwayAgain, lookAt } from './model/find-faults.ts';
import { openModelWorld } from './model/model-world.ts';
import { seedsOf } from './model/seeds-of.ts';
import { openTroublemaker } from './model/troublemaker.ts';

interface Story {
  /** People tear at the bindings, too. */
  readonly isRough: boolean;
  /** How many requests in a hundred are the last of the process that makes them. */
  readonly deaths: number;
}

/** One story: deeds at random, steps between and beside them, then rest. Throws what may not happen on the way. */
async function play(seed: number, { isRough, deaths }: Story) {
  const chance = openChance(seed);
  const world = openModelWorld(chance, deaths);
  const { hands, namespace } = world;
  const maker = openTroublemaker(chance, hands, namespace, { retain: 'retain', missing: 'missing' });
  await world.open();
  await maker.prepare();
  const used = new Set<string>();
  let looked = 0;
  async function watch(): Promise<void> {
    if (world.writes === looked) return;
    looked = world.writes;
    const scene = await lookAt(hands, namespace);
    // Where people tear, two may believe in one name for a moment: one of them means what is gone.
    throwIfAny([...(isRough ? [] : findDoubles(scene)), ...findGivenAwayAgain(scene, used)]);
  }

  for (let deed = 0; deed < 25; deed += 1) {
    await maker.act(isRough);
    if (chance.happens(20)) world.pass(chance.below(600));
    await world.run(chance.below(40), watch);
  }
  world.calmDown();
  await world.run(undefined, watch);
  // Nobody was lost on the way, so nobody is missed, before any time has passed.
  if (deaths === 0)
    throwIfAny(findFaults(await lookAt(hands, namespace)).filter((one) => one.includes(' waits beside ')));
  // Four rounds: half-done work is found, what it freed is taken, and what that leaves is told.
  for (let round = 0; round < 4; round += 1) {
    world.pass(700);
    world.wake();
    await world.run(undefined, watch);
  }
  return world;
}

function throwIfAny(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('; '));
}

async function faultsOf(seed: number, story: Story): Promise<string[]> {
  const world = await play(seed, story);
  const scene = await lookAt(world.hands, world.namespace);
  const before = world.writes;
  for (const { name } of scene.claims) world.knock('claim.changed.v1', name);
  for (const { name } of scene.targets) world.knock('target.changed.v1', name);
  await world.run();
  const written = world.writes - before;
  return [...findFaults(scene), ...(written === 0 ? [] : [`${written} writes without a reason`])];
}

async function failures(story: Story): Promise<string[]> {
  const found: string[] = [];
  for (const seed of seedsOf(100)) {
    const faults = await faultsOf(seed, story).catch((error: unknown) => [String(error)]);
    found.push(...faults.map((fault) => `seed ${seed}: ${fault}`));
  }
  return found;
}

// The two rules with the code around them, on a cluster and rows in memory, many steps at once.
describe('whatever happens, and in whatever order', { timeout: 600_000 }, () => {
  it('never two claims have one target nor one claim two, and everybody comes to rest with a verdict', async () => {
    expect(await failures({ isRough: false, deaths: 0 })).toEqual([]);
  });

  it('the same, though processes die at many requests', async () => {
    expect(await failures({ isRough: false, deaths: 20 })).toEqual([]);
  });

  it('everybody comes to rest with a verdict, though people tear at the bindings', async () => {
    expect(await failures({ isRough: true, deaths: 0 })).toEqual([]);
  });

  it('the same, though processes die at many requests as well', async () => {
    expect(await failures({ isRough: true, deaths: 20 })).toEqual([]);
  });
});
