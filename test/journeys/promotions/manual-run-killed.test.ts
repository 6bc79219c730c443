import { describe, vi } from 'vitest';
import { bindings } from '../../../shared/contracts/kubernetes/kinds.ts';
import { killAtEveryCall, type MortalStory } from '../../support/kill-at-every-call.ts';
import { listObjects } from '../../support/list-objects.ts';
import { openPlayedReleaseWorld, playRepositories } from '../../support/played-repositories.ts';
import type { ReleaseWorld } from '../../support/release-world.ts';
import { openPromotionScene, type PromotionScene } from './suites/promotion-scene.ts';

vi.setConfig({ testTimeout: 900_000 });

type Act = 'a person promotes' | 'staging is well' | 'prod is well';
const repositories = playRepositories();
const still = { knocks: 0, leases: 0 };
const staging = 'shop-staging-binding one';
const prod = 'shop-prod-binding one';

/** A run by hand, and the one that follows it by itself. */
const story: MortalStory<ReleaseWorld, Act, PromotionScene> = {
  acts: ['a person promotes', 'staging is well', 'prod is well'],

  async openStory(world) {
    const scene = await openPromotionScene(world);
    await scene.shop('web');
    await scene.environments('staging manual', 'prod<staging');
    await scene.snapshot('one', { web: 'quay.io/shop/web:1' });
    await scene.settle();
    await world.sql`delete from wakeup`;
    return scene;
  },

  async perform(act, _world, scene) {
    if (act === 'a person promotes') await scene.promote('a', 'one', 'staging');
    else await scene.argoSays(act === 'staging is well' ? 'staging' : 'prod');
  },

  async outcomeOf({ sql, cluster }, scene) {
    const { namespace } = scene;
    const [counts] = await sql`
      select (select count(*)::int from knock where tenant = ${namespace}) as knocks,
             (select count(*)::int from lease) as leases`;
    const runs = (await scene.runs()).toSorted((one, other) => one.metadata.name.length - other.metadata.name.length);
    const evidence = await sql<{ told: string }[]>`
      select environment || ' ' || health as told from promotion_evidence
      where namespace = ${namespace} and observed_at is not null order by environment`;
    return {
      ...counts,
      runs: await Promise.all(runs.map(({ metadata }) => scene.stands(metadata.name))),
      evidence: evidence.map(({ told }) => told),
      bound: (await listObjects(cluster, bindings, namespace))
        .map(({ spec, metadata }) => `${metadata.name} ${spec.snapshot}`)
        .toSorted(),
      commits: await repositories.commits(await scene.repository()),
    };
  },

  endings: {
    'a person promotes': {
      ...still,
      runs: ['Active, 1 staging in-progress'],
      evidence: [],
      bound: [staging],
      commits: 1,
    },
    'staging is well': {
      ...still,
      runs: ['Completed, Success, 1 staging success', 'Active, 1 prod in-progress'],
      evidence: ['staging Healthy'],
      bound: [prod, staging],
      commits: 2,
    },
    'prod is well': {
      ...still,
      runs: ['Completed, Success, 1 staging success', 'Completed, Success, 1 prod success'],
      evidence: ['prod Healthy', 'staging Healthy'],
      bound: [prod, staging],
      commits: 2,
    },
  },
};

describe('the process that works on a run by hand and the one that follows it, killed before and after every call that changes anything', () => {
  killAtEveryCall(story, {
    open: (machine) => openPlayedReleaseWorld(repositories, { machine }),
    ways: [repositories.way],
    hasReads: false,
    least: 15,
  });
});
