import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPromotionReader } from '../../../../shared/adapters/postgres/promotions/promotion-reader.ts';
import type { PromotionReader, ToldCell } from '../../../../shared/ports/promotion-reader.ts';
import { openPromotionScene, type PromotionScene } from '../../../ops/promotion-scene.ts';
import { commitOf, openReleaseScene, type ReleaseScene } from '../../../ops/release-scene.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const ten = Date.parse('2026-01-01T10:00:00Z');
const minute = 60_000;

let database: TestDatabase;
let reader: PromotionReader;
let scene: PromotionScene;
let releases: ReleaseScene;
beforeAll(async () => {
  database = await openTestDatabase();
  reader = openPromotionReader(database.sql);
  scene = openPromotionScene(database.sql);
  releases = openReleaseScene(database.sql);
});
afterAll(() => database.close());

async function cellOf(namespace: string): Promise<ToldCell | undefined> {
  return (await reader.board(namespace))[0];
}

describe('the board', () => {
  it('tells what runs where, in the order of namespace, application and environment', async () => {
    const repository = await releases.aRepository('board');
    const stage = await releases.wants(repository, 'stage', 's1');
    const dev = await releases.wants(repository, 'dev', 's2');
    const bank = await releases.wants(repository, 'dev', 's7', { application: 'bank', name: 'bank-dev' });
    await scene.stands(repository, stage, commitOf('a1'), ['web', 'api']);
    await scene.stands(repository, bank, commitOf('a2'), []);
    await scene.says('board', 'shop-stage-shop-stage-web');
    await scene.says('board', 'shop-stage-shop-stage-api', { sync: 'OutOfSync', health: 'Progressing' });

    expect(await reader.board('board')).toEqual([
      expect.objectContaining({ application: 'bank', environment: 'dev', snapshot: 's7', sync: '', health: '' }),
      {
        namespace: 'board',
        application: 'shop',
        environment: 'dev',
        binding: dev.name,
        snapshot: 's2',
        commit: '',
        isRendered: false,
        sync: '',
        health: '',
        since: moment,
      },
      {
        namespace: 'board',
        application: 'shop',
        environment: 'stage',
        binding: stage.name,
        snapshot: 's1',
        commit: commitOf('a1'),
        isRendered: true,
        sync: 'OutOfSync',
        health: 'Progressing',
        since: moment,
      },
    ]);
  });

  it('is that of all namespaces where none is named', async () => {
    for (const namespace of ['all-b', 'all-a'])
      await releases.wants(await releases.aRepository(namespace), 'dev', 's1');

    const namespaces = (await reader.board()).map(({ namespace }) => namespace);

    expect(namespaces).toEqual(expect.arrayContaining(['all-a', 'all-b']));
    expect(namespaces).toEqual(namespaces.toSorted());
    expect(await reader.board('nowhere')).toEqual([]);
  });

  it.each([
    ['Healthy', ['Healthy', 'Healthy']],
    ['Suspended', ['Healthy', 'Suspended']],
    ['Progressing', ['Progressing', 'Suspended']],
    ['Missing', ['Missing', 'Progressing']],
    ['Degraded', ['Missing', 'Degraded']],
    ['Unknown', ['Degraded', 'Something new']],
    ['Unknown', ['Healthy', undefined]],
    ['', [undefined, undefined]],
  ] as const)('says %s of an environment with %j', async (health, said) => {
    const namespace = `worst-${said.join('-').toLowerCase().replaceAll(' ', '')}.`;
    const repository = await releases.aRepository(namespace);
    await scene.stands(repository, await releases.wants(repository, 'dev', 's1'), commitOf('b1'), ['c0', 'c1']);
    for (const [at, one] of said.entries())
      if (one !== undefined) await scene.says(namespace, `shop-dev-shop-dev-c${at}`, { health: one });

    expect(await cellOf(namespace)).toMatchObject({ health });
  });

  it('has what Argo CD says of the deployment that is there now, not of the one that had its name before', async () => {
    const repository = await releases.aRepository('renewed');
    await scene.stands(repository, await releases.wants(repository, 'dev', 's1'), commitOf('b2'), ['web']);
    await scene.says('renewed', 'shop-dev-shop-dev-web', { health: 'Degraded' });
    await scene.says('renewed', 'shop-dev-shop-dev-web', { health: 'Healthy' }, { isNew: true });

    expect(await cellOf('renewed')).toMatchObject({ health: 'Healthy' });
  });

  it('finds the deployments of names that are cut', async () => {
    const [application, environment] = ['a'.repeat(120), 'e'.repeat(120)];
    const repository = await releases.aRepository('cut');
    const overlay = await releases.wants(repository, environment, 's1', { application, name: 'short' });
    await scene.stands(repository, overlay, commitOf('b3'), ['web']);
    await scene.says('cut', 'short-web');

    expect(await cellOf('cut')).toMatchObject({ health: 'Healthy' });
  });

  it('says why a repository is not written, and takes it back when it is', async () => {
    const repository = await releases.aRepository('refused');
    const dev = await releases.wants(repository, 'dev', 's1');
    await releases.refuses(dev, 'CredentialMissing', 'No credential');
    const before = await cellOf('refused');
    await scene.stands(repository, dev, commitOf('b4'), []);

    expect(before).toMatchObject({
      isRendered: false,
      trouble: { reason: 'CredentialMissing', message: 'No credential', since: moment },
    });
    expect(await cellOf('refused')).not.toHaveProperty('trouble');
  });

  it('has no place for a Binding that is gone', async () => {
    const repository = await releases.aRepository('gone');
    await releases.leaves(await releases.wants(repository, 'dev', 's1'));

    expect(await reader.board('gone')).toEqual([]);
  });

  describe('where somebody else writes the repository', () => {
    async function deployed(namespace: string): Promise<void> {
      await database.sql`insert into application_place (id, namespace, name) values (${namespace}, ${namespace}, 'shop')`;
      for (const [at, snapshot] of ['s1', 's2'].entries()) {
        const run = await scene.aRun(namespace, `run-${snapshot}`, { snapshot, created: ten + at * minute });
        await scene.takesTurn(run);
        const evidence = [{ component: 'web', deployment: 'web-stage', seen: undefined, report: undefined }];
        await scene.step(run, 'stage', { commit: commitOf(`c${at}`), evidence, status: 'success' });
        await scene.ends(run, 'Success', ten + at * minute);
      }
    }

    it('has what the last promotion brought there', async () => {
      await deployed('others');
      await scene.says('others', 'web-stage', { health: 'Degraded' });

      expect(await reader.board('others')).toEqual([
        {
          namespace: 'others',
          application: 'shop',
          environment: 'stage',
          binding: 'shop-stage',
          snapshot: 's2',
          commit: commitOf('c1'),
          isRendered: true,
          sync: 'Synced',
          health: 'Degraded',
          since: '2026-01-01T10:01:00.000Z',
        },
      ]);
    });

    it('has nothing where nothing is deployed any more', async () => {
      await deployed('others-gone');

      expect(await reader.board('others-gone')).toEqual([]);
    });
  });
});

describe('the history of an environment', () => {
  it('tells what arrived there, newest first: when, by which promotion, and what came of it', async () => {
    const repository = await releases.aRepository('history');
    const dev = await releases.wants(repository, 'dev', 's1');
    await releases.commits(repository, commitOf('d1'), dev);
    const friday = await scene.aRun('history', 'friday', { snapshot: 's2', beginsIn: ['dev'] });
    const promoted = await releases.wants(repository, 'dev', 's2', { uid: dev.uid, promotion: 'friday' });
    await releases.commits(repository, commitOf('d2'), promoted);
    await scene.step(friday, 'dev', { status: 'failed', message: 'No luck', commit: commitOf('d2') });
    await scene.step(friday, 'elsewhere', { status: 'success', commit: commitOf('d2') });
    const changed = { uid: dev.uid, promotion: 'friday', digest: 'more replicas' };
    await releases.commits(repository, commitOf('d3'), await releases.wants(repository, 'dev', 's2', changed));
    await releases.commits(repository, commitOf('d4'), await releases.wants(repository, 'stage', 's2'));
    const place = { namespace: 'history', application: 'shop', environment: 'dev' };

    const all = await reader.history(place, 10);

    expect(all).toEqual([
      { snapshot: 's2', commit: commitOf('d3'), promotion: 'friday', at: moment },
      {
        snapshot: 's2',
        commit: commitOf('d2'),
        promotion: 'friday',
        at: moment,
        status: 'failed',
        message: 'No luck',
      },
      { snapshot: 's1', commit: commitOf('d1'), promotion: '', at: moment },
    ]);
    expect(await reader.history(place, 2)).toEqual(all.slice(0, 2));
    expect(await reader.history({ ...place, namespace: 'nowhere' }, 10)).toEqual([]);
  });

  it('keeps promotions apart that had one name', async () => {
    const repository = await releases.aRepository('one-name');
    const early = await scene.aRun('one-name', 'friday', { snapshot: 's1' });
    const mark = { promotion: 'friday', promotionUid: early.uid };
    await releases.commits(repository, commitOf('f1'), await releases.wants(repository, 'dev', 's1', mark));
    await scene.step(early, 'dev', { status: 'success', commit: commitOf('f1') });
    const late = await scene.aRun('one-name', 'friday', {
      snapshot: 's2',
      created: Date.parse('2100-01-01T10:00:00Z'),
    });
    await scene.step(late, 'dev', { status: 'failed', message: 'The claim has no target' });

    const told = await reader.history({ namespace: 'one-name', application: 'shop', environment: 'dev' }, 10);

    expect(told.map(({ snapshot, commit, status }) => [snapshot, commit, status])).toEqual([
      ['s2', '', 'failed'],
      ['s1', commitOf('f1'), 'success'],
    ]);
  });

  it('has the promotions that wrote nothing of their own', async () => {
    const repository = await releases.aRepository('unwritten');
    await releases.commits(
      repository,
      commitOf('e1'),
      await releases.wants(repository, 'dev', 's1', { promotion: 'first' }),
    );
    const first = await scene.aRun('unwritten', 'first', { beginsIn: ['dev'] });
    await scene.step(first, 'dev', { status: 'success', commit: commitOf('e1') });
    const lost = await releases.wants(repository, 'dev', 's2', { promotion: 'no-place' });
    await releases.commits(repository, commitOf('e2'), lost);
    const noPlace = await scene.aRun('unwritten', 'no-place', { snapshot: 's2' });
    await scene.step(noPlace, 'dev', { status: 'failed', message: 'No place' });
    const inYears = Date.parse('2100-01-01T10:00:00Z');
    const same = await scene.aRun('unwritten', 'same-again', { created: inYears });
    await scene.step(same, 'dev', { status: 'success', commit: commitOf('e1') });
    const refused = await scene.aRun('unwritten', 'refused', { snapshot: 's3', created: inYears + minute });
    await scene.step(refused, 'dev', { status: 'failed', message: 'May not push' });

    const told = await reader.history({ namespace: 'unwritten', application: 'shop', environment: 'dev' }, 10);

    expect(told).toEqual([
      {
        snapshot: 's3',
        commit: '',
        promotion: 'refused',
        at: '2100-01-01T10:01:00.000Z',
        status: 'failed',
        message: 'May not push',
      },
      {
        snapshot: 's1',
        commit: commitOf('e1'),
        promotion: 'same-again',
        at: '2100-01-01T10:00:00.000Z',
        status: 'success',
      },
      {
        snapshot: 's2',
        commit: commitOf('e2'),
        promotion: 'no-place',
        at: moment,
        status: 'failed',
        message: 'No place',
      },
      { snapshot: 's1', commit: commitOf('e1'), promotion: 'first', at: moment, status: 'success' },
    ]);
  });
});
