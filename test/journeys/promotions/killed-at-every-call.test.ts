import { describe, vi } from 'vitest';
import { bindings } from '../../../shared/contracts/kubernetes/kinds.ts';
import { killAtEveryCall, type MortalStory } from '../../support/kill-at-every-call.ts';
import { listObjects } from '../../support/list-objects.ts';
import { openPlayedReleaseWorld, playRepositories } from '../../support/played-repositories.ts';
import type { ReleaseWorld } from '../../support/release-world.ts';
import { openPromotionScene, type PromotionScene } from './suites/promotion-scene.ts';

vi.setConfig({ testTimeout: 900_000 });

type Act = 'release' | 'dev is well' | 'prod is well';
const images = { web: 'quay.io/shop/web:1' };
const repositories = playRepositories();

/** One promotion through two environments. */
const story: MortalStory<ReleaseWorld, Act, PromotionScene> = {
  acts: ['release', 'dev is well', 'prod is well'],

  async openStory(world) {
    const scene = await openPromotionScene(world);
    await scene.shop('web');
    await scene.environments('dev', 'prod<dev');
    await scene.settle();
    return scene;
  },

  async perform(act, _world, scene) {
    if (act === 'release') {
      await scene.snapshot('one', images);
      return;
    }
    await scene.argoSays(act === 'dev is well' ? 'dev' : 'prod');
  },

  async outcomeOf({ sql, cluster }, scene) {
    const { namespace } = scene;
    const [run, ...more] = await scene.runs();
    const [counts] = await sql`
      select (select count(*)::int from promotion_start where namespace = ${namespace}) as considered,
             (select count(*)::int from knock where tenant = ${namespace}) as knocks,
             (select count(*)::int from lease) as leases`;
    const rows = await sql<{ told: string }[]>`
      select p.state || ' ' || p.result || ' ' || s.environment || ' ' || s.status || ' ' ||
        (select count(*) from promotion_evidence e
          where e.promotion_id = p.id and e.environment = s.environment and e.observed_at is not null) as told
      from promotion p join promotion_step s on s.promotion_id = p.id
      where p.namespace = ${namespace} order by s.step`;
    const bound = await listObjects(cluster, bindings, namespace);
    return {
      ...counts,
      stands: run === undefined ? 'none' : await scene.stands(run.metadata.name),
      others: more.length,
      rows: rows.map(({ told }) => told),
      bound: bound.map(({ spec, metadata }) => `${metadata.name} ${spec.snapshot}`),
      commits: await repositories.commits(await scene.repository()),
    };
  },

  endings: {
    release: {
      considered: 1,
      knocks: 0,
      leases: 0,
      stands: 'Active, 1 dev in-progress',
      others: 0,
      rows: ['Active  dev in-progress 0'],
      bound: ['shop-dev-binding one'],
      commits: 1,
    },
    'dev is well': {
      considered: 1,
      knocks: 0,
      leases: 0,
      stands: 'Active, 1 dev success, 2 prod in-progress',
      others: 0,
      rows: ['Active  dev success 1', 'Active  prod in-progress 0'],
      bound: ['shop-dev-binding one', 'shop-prod-binding one'],
      commits: 2,
    },
    'prod is well': {
      considered: 1,
      knocks: 0,
      leases: 0,
      stands: 'Completed, Success, 1 dev success, 2 prod success',
      others: 0,
      rows: ['Completed Success dev success 1', 'Completed Success prod success 1'],
      bound: ['shop-dev-binding one', 'shop-prod-binding one'],
      commits: 2,
    },
  },
};

describe('the process that works on a promotion, killed before and after every call that changes anything', () => {
  killAtEveryCall(story, {
    open: (machine) => openPlayedReleaseWorld(repositories, { machine }),
    ways: [repositories.way],
    hasReads: false,
    least: 30,
  });
});
