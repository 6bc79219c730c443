import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPassingTime, type PassingTime } from '../../support/passing-time.ts';
import { openPlayedReleaseWorld, playRepositories } from '../../support/played-repositories.ts';
import type { ReleaseWorld } from '../../support/release-world.ts';
import { runPass } from '../gitops/suites/drift-pass.ts';
import { openPromotionScene, type PromotionScene } from './suites/promotion-scene.ts';

vi.setConfig({ testTimeout: 600_000 });

/** A drift pass begins every half hour, and finds what nobody was told of once it is older than a minute. */
const passSeconds = 1_800;
const enough = 2 * passSeconds;

interface Way {
  readonly environments: readonly string[];
  begin(scene: PromotionScene): Promise<unknown>;
  /** How its runs stand at the end, in the order in which they were made. */
  readonly ending: readonly string[];
}

const ways: Readonly<Record<string, Way>> = {
  'a Snapshot that goes by itself': {
    environments: ['dev', 'prod<dev'],
    begin: (scene) => scene.snapshot('one', images),
    ending: ['Completed, Success, 1 dev success, 2 prod success'],
  },
  'a run by hand, and the one that follows it': {
    environments: ['dev manual', 'prod<dev'],
    async begin(scene) {
      await scene.snapshot('one', images);
      await scene.promote('a', 'one', 'dev');
    },
    ending: ['Completed, Success, 1 dev success', 'Completed, Success, 1 prod success'],
  },
};
const repositories = playRepositories();
const images = { web: 'quay.io/shop/web:1', api: 'quay.io/shop/api:1' };

describe('a promotion of two components through two environments', () => {
  let world: ReleaseWorld;
  let time: PassingTime;
  beforeAll(async () => {
    world = await openPlayedReleaseWorld(repositories);
    time = openPassingTime(world);
  });
  afterAll(() => world?.close());

  it.each(Object.entries(ways))('ends as it should, whichever of its messages gets lost: %s', async (_name, way) => {
    const { sent: all, stands: _stands, seconds: _seconds, ...leftBehind } = await promote(way, undefined);
    expect(leftBehind).toEqual({
      bound: { dev: 'one', prod: 'one' },
      proved: ['dev api', 'dev web', 'prod api', 'prod web'],
      commits: 2,
    });
    expect(all.length).toBeGreaterThan(40);

    const wrong: string[] = [];
    for (let lost = 1; lost <= all.length; lost += 1) {
      const { sent, stands, seconds, ...left } = await promote(way, lost);
      if (stands.join('; ') !== way.ending.join('; '))
        wrong.push(`without message ${lost}, ${sent[lost - 1]}: ${stands.join('; ')} after ${seconds} s`);
      expect(left, `without message ${lost}, ${sent[lost - 1]}`).toEqual(leftBehind);
      expect(sent.length).toBeGreaterThanOrEqual(lost);
    }

    expect(wrong).toEqual([]);
    expect(world.queue.buried).toEqual([]);
  });

  /** One promotion to its end. The message of that number, counted from one, comes to nobody. */
  async function promote({ environments, begin, ending }: Way, lost: number | undefined) {
    const scene = await openPromotionScene(world);
    await scene.shop('web', 'api');
    await scene.environments(...environments);
    await scene.settle();
    await world.sql`delete from wakeup`;
    const line = loseOne(lost);

    await begin(scene);
    let seconds = 0;
    for (; seconds < enough && !(await isOver(scene, ending.length)); ) {
      const next = await time.untilNext();
      const toPass = passSeconds - (seconds % passSeconds);
      const step = Math.min(next ?? toPass, toPass);
      await time.pass(step);
      seconds += step;
      if (step === toPass) await runPass(world);
    }
    line.open();
    const made = (await scene.runs()).toSorted((one, other) => one.metadata.name.length - other.metadata.name.length);
    const stands = await Promise.all(made.map(({ metadata }) => scene.stands(metadata.name)));
    const proved = await world.sql<{ told: string }[]>`
      select e.environment || ' ' || e.component as told from promotion_evidence e
      where e.namespace = ${scene.namespace} and e.observed_at is not null and e.sync_status = 'Synced' and e.health = 'Healthy'
      order by told`;
    return {
      sent: line.sent,
      stands,
      seconds,
      bound: await scene.bound(),
      proved: proved.map(({ told }) => told),
      commits: await repositories.commits(await scene.repository()),
    };
  }

  /** Everything that can be done without waiting is done, and Argo CD deploys whatever it is given. */
  async function isOver(scene: PromotionScene, runs: number): Promise<boolean> {
    await scene.settle();
    while ((await scene.argoWorks('dev')) || (await scene.argoWorks('prod'))) await scene.settle();
    const ended = (await scene.runs()).filter(({ status }) => status?.state === 'Completed');
    return ended.length === runs;
  }

  function loseOne(lost: number | undefined) {
    const { queue } = world;
    const { send } = queue;
    const sent: string[] = [];
    queue.send = async (deliveries) => {
      const kept = deliveries.filter(({ message, from }) => {
        sent.push(`${message.type} from ${from} to ${message.function}`);
        return sent.length !== lost;
      });
      await send(kept);
    };
    return {
      sent,
      open() {
        queue.send = send;
      },
    };
  }
});
