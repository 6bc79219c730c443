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
const ending = 'Completed, Success, 1 dev success, 2 prod success';

describe('a promotion of two components through two environments', () => {
  let world: ReleaseWorld;
  let time: PassingTime;
  beforeAll(async () => {
    world = await openPlayedReleaseWorld(playRepositories());
    time = openPassingTime(world);
  });
  afterAll(() => world?.close());

  it('ends as it should, whichever of its messages gets lost', async () => {
    const all = (await promote(undefined)).sent;
    expect(all.length).toBeGreaterThan(40);

    const wrong: string[] = [];
    for (let lost = 1; lost <= all.length; lost += 1) {
      const { sent, stands, seconds } = await promote(lost);
      if (stands !== ending) wrong.push(`without message ${lost}, ${sent[lost - 1]}: ${stands} after ${seconds} s`);
    }

    expect(wrong).toEqual([]);
    expect(world.queue.buried).toEqual([]);
  });

  /** One promotion to its end. The message of that number, counted from one, comes to nobody. */
  async function promote(lost: number | undefined) {
    const scene = await openPromotionScene(world);
    await scene.shop('web', 'api');
    await scene.environments('dev', 'prod<dev');
    await scene.settle();
    await world.sql`delete from wakeup`;
    const line = loseOne(lost);

    await scene.snapshot('one', { web: 'quay.io/shop/web:1', api: 'quay.io/shop/api:1' });
    let seconds = 0;
    for (; seconds < enough && !(await isOver(scene)); ) {
      const next = await time.untilNext();
      const toPass = passSeconds - (seconds % passSeconds);
      const step = Math.min(next ?? toPass, toPass);
      await time.pass(step);
      seconds += step;
      if (step === toPass) await runPass(world);
    }
    line.open();
    const [run] = await scene.runs();
    return { sent: line.sent, stands: run === undefined ? 'none' : await scene.stands(run.metadata.name), seconds };
  }

  /** Everything that can be done without waiting is done, and Argo CD deploys whatever it is given. */
  async function isOver(scene: PromotionScene): Promise<boolean> {
    await scene.settle();
    while ((await scene.argoWorks('dev')) || (await scene.argoWorks('prod'))) await scene.settle();
    return (await scene.runs()).some(({ status }) => status?.state === 'Completed');
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
