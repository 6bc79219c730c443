import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPromotionRows } from '../../../../shared/adapters/postgres/promotions/promotion-rows.ts';
import { keptMessage } from '../../../../shared/domain/promotion/kept-message.ts';
import type { RepositoryRow } from '../../../../shared/ports/overlay-rows.ts';
import { openPromotionScene, type PromotionScene } from '../../../ops/promotion-scene.ts';
import { commitOf, openReleaseScene, type ReleaseScene } from '../../../ops/release-scene.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';

const [first, second, third, theirs, other] = ['a1', 'a2', 'a3', 'b1', 'c1'].map(commitOf) as [
  string,
  string,
  string,
  string,
  string,
];
const deployment = 'shop-dev-shop-dev-web';

let database: TestDatabase;
let scene: PromotionScene;
let releases: ReleaseScene;
beforeAll(async () => {
  database = await openTestDatabase();
  scene = openPromotionScene(database.sql);
  releases = openReleaseScene(database.sql);
});
afterAll(() => database.close());

const rows = () => openPromotionRows(database.sql);

describe('what was said of a deployment', () => {
  const spec = {
    source: { repoURL: 'https://git.example.com/shop.git', path: 'web/dev', targetRevision: '' },
    destination: { name: 'in-cluster', namespace: 'team' },
  };
  const { source, destination } = spec;
  const compared = { repoURL: source.repoURL, path: source.path, ...destination };

  it.each([
    ['is about it as it is', { compared }, false],
    ['is about another place where the namespace is another', { compared: { ...compared, namespace: 'old' } }, true],
    ['is about another place where the cluster is another', { compared: { ...compared, name: 'old' } }, true],
    ['is about another place where the folder is another', { compared: { ...compared, path: 'old' } }, true],
    ['is about another place where a branch is named', { compared: { ...compared, targetRevision: 'old' } }, true],
    ['is taken for being about it where it does not say', {}, false],
  ] as const)('%s', async (what, said, isElsewhere) => {
    const namespace = `place-${what.length}`;
    const id = await scene.says(namespace, deployment, said);
    await database.sql`update application set spec_field = ${JSON.stringify(spec)} where id = ${id}`;

    const found = await rows().sight({ namespace, name: 'shop-dev' }, [deployment]);

    expect(found.get(deployment)).toMatchObject({ report: { isElsewhere }, isRefused: false });
  });

  it('is no news of it while something is wrong with it, whether Argo CD knows it or not', async () => {
    await scene.says('trouble', deployment);
    await database.sql`insert into deployment_trouble (id, namespace, name) values ('d1', 'trouble', ${deployment}),
      ('d2', 'trouble', 'unknown'), ('d3', 'elsewhere', 'well')`;

    const found = await rows().sight({ namespace: 'trouble', name: 'shop-dev' }, [deployment, 'unknown', 'well']);

    expect([...found].map(([name, { isRefused, report }]) => [name, isRefused, report?.health])).toEqual([
      [deployment, true, 'Healthy'],
      ['unknown', true, undefined],
      ['well', false, undefined],
    ]);
  });
});

describe('the turn', () => {
  it('is had by one run of an application, even where two take it at once, and free when that has ended', async () => {
    const [one, next] = [await scene.aRun('turns', 'one'), await scene.aRun('turns', 'next')];
    const ends = await Promise.allSettled([scene.takesTurn(one), scene.takesTurn(next)]);
    const [winner, loser] = ends[0]?.status === 'fulfilled' ? [one, next] : [next, one];

    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(scene.takesTurn(loser)).rejects.toMatchObject({ constraint_name: 'promotion_turn' });
    expect(await activeIn('turns')).toEqual([winner.name]);
    await scene.ends(winner, 'Success', winner.created);
    await scene.takesTurn(loser);
    expect(await activeIn('turns')).toEqual([loser.name]);
  });

  it('of another application, or of another namespace, is another one', async () => {
    await scene.takesTurn(await scene.aRun('many', 'one'));
    await scene.takesTurn(await scene.aRun('many', 'two', { application: 'bank' }));
    await scene.takesTurn(await scene.aRun('more', 'one'));

    expect(await activeIn('many')).toEqual(['one', 'two']);
    expect(await activeIn('more')).toEqual(['one']);
  });

  async function activeIn(namespace: string): Promise<string[]> {
    const active = await database.sql<{ name: string }[]>`
      select name from promotion where namespace = ${namespace} and state = 'Active' order by name`;
    return active.map(({ name }) => name);
  }
});

describe('a step', () => {
  it.each(['x'.repeat(5_000), '😀'.repeat(3_999), 'a\u0000b'])(
    'keeps a message as it is told, whatever is in it: %#',
    async (text) => {
      const run = await scene.aRun('words', `words-${text.length}`);
      await scene.takesTurn(run);
      await scene.step(run, 'dev', { message: keptMessage(text) });

      const [step] = (await rows().observe(run)).steps;
      await scene.ends(run, 'Success', run.created);

      expect(step?.message).toBe(keptMessage(text));
    },
  );

  it('that has failed shows what was said last before that, and what Argo CD says later wakes nobody', async () => {
    const run = await scene.aRun('failed', 'friday');
    await scene.takesTurn(run);
    const web = { component: 'web', deployment, seen: undefined };
    const said = { sync: 'OutOfSync', health: 'Degraded', operation: 'Failed', revision: first };
    const id = await scene.says('failed', deployment, said);
    const report = { ...said, applicationId: id, trouble: 'no such image', observed: run.created, contains: true };
    const ended = run.created + 60_000;
    await scene.step(run, 'dev', { evidence: [{ ...web, report: undefined }] });
    const awaiting = await scene.awaiting(id);
    await scene.step(run, 'dev', { status: 'failed', ended, evidence: [{ ...web, report }] });
    await scene.says('failed', deployment, { revision: second });

    const [step] = (await rows().observe(run)).steps;

    expect(step?.evidence[0]?.report).toEqual({ ...said, applicationId: id, trouble: '', observed: ended });
    expect([awaiting, await scene.awaiting(id)]).toEqual([['friday'], []]);
  });

  it('that was under way when nobody noted yet which promotion of a name had asked goes on', async () => {
    const repository = await releases.aRepository('upgrade');
    const run = await scene.aRun('upgrade', 'friday');
    await scene.takesTurn(run);
    for (const environment of ['dev', 'qa'])
      await releases.wants(repository, environment, 's1', { promotion: 'friday' });
    await releases.wants(repository, 'prod', 's1', { promotion: 'other' });
    await scene.step(run, 'dev');
    await scene.step(run, 'prod');
    await scene.step(run, 'qa', { snapshotUid: 'noted' });

    const { steps } = await rows().observe(run);

    expect(steps.map(({ environment, rendering }) => [environment, rendering?.promotionUid])).toEqual([
      ['dev', run.uid],
      ['prod', ''],
      ['qa', ''],
    ]);
  });
});

it('a promotion finds its own end among those that had its name', async () => {
  const ends = Array.from({ length: 12 }, (_, number) => Date.parse('2026-01-01T10:00:00Z') + number * 60_000);
  for (const created of ends) {
    const run = await scene.aRun('again', 'friday', { created });
    await scene.ends(run, 'Success', created);
  }

  const { ended } = await rows().observe({ namespace: 'again', name: 'friday' });

  expect(ended.map(({ at }) => at)).toEqual(ends.slice(2).toReversed());
});

describe('whether a revision has the commit of a step in it', () => {
  let count = 0;
  let namespace = '';
  let repository: RepositoryRow;
  beforeEach(async () => {
    count += 1;
    namespace = `line-${count}`;
    repository = await releases.aRepository(namespace);
  });

  /** What the rows say where Argo CD has compared with a revision, and a step is about a commit. */
  async function contains(revision: string, commit: string): Promise<boolean | undefined> {
    await scene.stands(repository, await releases.wants(repository, 'dev', 's1'), commit, ['web']);
    await scene.says(namespace, deployment, { revision });
    const run = await scene.aRun(namespace, 'run');
    const evidence = [{ component: 'web', deployment, seen: undefined, report: undefined }];
    await scene.step(run, 'dev', { evidence });
    const { steps } = await rows().observe({ namespace, name: 'run', uid: run.uid });
    const report = steps[0]?.evidence[0]?.report;
    expect(report).toMatchObject({ revision });
    return report?.contains;
  }

  it('is certain of the commit itself, whoever made it', async () => {
    expect(await contains(theirs, theirs)).toBe(true);
  });

  it('is certain of a later one that was pushed on it, and of one between them', async () => {
    await releases.pushes(repository, undefined, first, second, third);

    expect(await contains(third, first)).toBe(true);
  });

  it('is certain of an earlier one, which has it not inside', async () => {
    await releases.pushes(repository, theirs, first, second);

    expect(await contains(first, second)).toBe(false);
  });

  it('is for Git to say where somebody else has pushed in between', async () => {
    await releases.pushes(repository, undefined, first);
    await releases.pushes(repository, theirs, second);

    expect(await contains(second, first)).toBeUndefined();
  });

  it('is for Git to say where the commit was taken out of the branch before the next one came', async () => {
    await releases.pushes(repository, undefined, first, second);
    await releases.pushes(repository, first, third);

    expect(await contains(third, second)).toBeUndefined();
    expect(await pushed()).toEqual([
      { commit: first, line: first, position: 0 },
      { commit: second, line: first, position: 1 },
      { commit: third, line: third, position: 0 },
    ]);
  });

  it('is for Git to say where somebody else made one of the two, however late it was written down', async () => {
    await releases.pushes(repository, theirs, first);
    await releases.commits(repository, theirs, await releases.wants(repository, 'prod', 's1'));

    expect(await contains(theirs, first)).toBeUndefined();
  });

  it('has nothing to do with what was pushed to another repository', async () => {
    const elsewhere = await releases.aRepository(namespace, { url: 'https://git.example.com/other.git' });
    await releases.pushes(elsewhere, undefined, first, second);

    expect(await contains(second, first)).toBeUndefined();
  });

  it('stays as it is where a push is written down twice', async () => {
    await releases.pushes(repository, undefined, first, second);
    await releases.pushes(repository, first, second);
    await releases.pushes(repository, second, other);

    expect(await pushed()).toEqual([
      { commit: first, line: first, position: 0 },
      { commit: second, line: first, position: 1 },
      { commit: other, line: first, position: 2 },
    ]);
  });

  const pushed = async () => [
    ...(await database.sql`select commit_id as commit, line, position::int as position from pushed_commit
      where repository_id = ${repository.id} order by commit_id`),
  ];
});
