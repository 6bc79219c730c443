import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReleaseReader } from '../../../../shared/adapters/postgres/repositories/release-reader.ts';
import type { ReleaseReader } from '../../../../shared/ports/release-reader.ts';
import { Transient } from '../../../../shared/ports/trouble.ts';
import { commitOf, openReleaseScene, type ReleaseScene } from '../../../ops/release-scene.ts';
import { openTestClient, openTestDatabase, type TestDatabase } from '../../../support/database.ts';

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

let database: TestDatabase;
let reader: ReleaseReader;
let scene: ReleaseScene;
beforeAll(async () => {
  database = await openTestDatabase();
  reader = openReleaseReader(database.sql);
  scene = openReleaseScene(database.sql);
});
afterAll(() => database.close());

describe('what became of the snapshots of a namespace', () => {
  it('is nothing where nobody wanted one', async () => {
    expect(await reader.usesIn('nowhere')).toEqual([]);
  });

  it('tells where each runs, where it is waited for, and how many commits were made of it', async () => {
    const repository = await scene.aRepository('uses');
    const [dev, stage] = [await scene.wants(repository, 'dev', 's1'), await scene.wants(repository, 'stage', 's1')];
    await scene.commits(repository, commitOf('a1'), dev, stage);
    await scene.commits(repository, commitOf('a2'), await scene.wants(repository, 'dev', 's2', { uid: dev.uid }));
    await scene.wants(repository, 'production', 's1');

    expect(await reader.usesIn('uses')).toEqual([
      { snapshot: 's1', commits: 1, runsIn: ['stage'], awaitedIn: ['production'] },
      { snapshot: 's2', commits: 1, runsIn: ['dev'], awaitedIn: [] },
    ]);
  });

  it('leaves the one before in its place until the next one stands there', async () => {
    const repository = await scene.aRepository('until');
    const [dev, stage] = [await scene.wants(repository, 'dev', 's1'), await scene.wants(repository, 'stage', 's0')];
    await scene.commits(repository, commitOf('b1'), dev, stage);
    await scene.wants(repository, 'dev', 's2', { uid: dev.uid });

    expect(await reader.usesIn('until')).toEqual([
      { snapshot: 's0', commits: 1, runsIn: ['stage'], awaitedIn: [] },
      { snapshot: 's1', commits: 1, runsIn: ['dev'], awaitedIn: [] },
      { snapshot: 's2', commits: 0, runsIn: [], awaitedIn: ['dev'] },
    ]);
  });

  it('does not wait for what runs there already with other values', async () => {
    const repository = await scene.aRepository('same');
    const dev = await scene.wants(repository, 'dev', 's1');
    await scene.commits(repository, commitOf('c1'), dev);
    await scene.wants(repository, 'dev', 's1', { uid: dev.uid, digest: 'more replicas' });

    expect(await reader.usesIn('same')).toEqual([{ snapshot: 's1', commits: 1, runsIn: ['dev'], awaitedIn: [] }]);
  });

  it('waits where the Binding moved to another repository', async () => {
    const [one, other] = [await scene.aRepository('moved'), await scene.aRepository('moved', { branch: 'other' })];
    const dev = await scene.wants(one, 'dev', 's1');
    await scene.commits(one, commitOf('c2'), dev);
    await scene.wants(other, 'dev', 's1', { uid: dev.uid });

    expect(await reader.usesIn('moved')).toEqual([{ snapshot: 's1', commits: 1, runsIn: [], awaitedIn: ['dev'] }]);
  });

  it('keeps the commits of a Binding that is gone, and not its place', async () => {
    const repository = await scene.aRepository('gone');
    const dev = await scene.wants(repository, 'dev', 's1');
    await scene.commits(repository, commitOf('d1'), dev);
    await scene.leaves(dev);

    expect(await reader.usesIn('gone')).toEqual([{ snapshot: 's1', commits: 1, runsIn: [], awaitedIn: [] }]);
  });
});

describe('a commit and what it was made of', () => {
  it('is found by the snapshot, newest first, in the own namespace alone', async () => {
    const url = 'https://git.example.com/by-snapshot.git';
    const repository = await scene.aRepository('by-snapshot', { url, branch: 'deploy' });
    const other = await scene.aRepository('by-snapshot-too', { url });
    const dev = await scene.wants(repository, 'dev', 's1', { generation: 3 });
    await scene.commits(repository, commitOf('e1'), dev);
    const promoted = { uid: dev.uid, generation: 4, promotion: 'friday', digest: 'again' };
    await scene.commits(repository, commitOf('e2'), await scene.wants(repository, 'dev', 's1', promoted));
    await scene.commits(other, commitOf('e3'), await scene.wants(other, 'dev', 's1'));

    const found = await reader.commitsOf({ namespace: 'by-snapshot', name: 's1' });

    expect(found).toEqual([
      {
        commit: commitOf('e2'),
        url,
        branch: 'deploy',
        namespace: 'by-snapshot',
        snapshot: 's1',
        application: 'shop',
        environment: 'dev',
        generation: 4,
        promotion: 'friday',
        at: moment,
      },
      expect.objectContaining({ commit: commitOf('e1'), generation: 3, promotion: '' }),
    ]);
    expect(await reader.commitsOf({ namespace: 'by-snapshot', name: 'none' })).toEqual([]);
  });

  it('is found by the first digits of its id, with everything that it was made of', async () => {
    const repository = await scene.aRepository('by-commit');
    const both = [await scene.wants(repository, 'stage', 's2'), await scene.wants(repository, 'dev', 's1')];
    await scene.commits(repository, commitOf('f00dfeed1'), ...both);
    await scene.commits(repository, commitOf('f00dfeed2'), await scene.wants(repository, 'prod', 's3'));
    await scene.commits(repository, commitOf('f00dfef'), await scene.wants(repository, 'lab', 's4'));

    const told = async (beginning: string) =>
      (await reader.madeInto(beginning)).map(({ commit, environment, snapshot }) => [commit[8], environment, snapshot]);

    const first = [
      ['1', 'dev', 's1'],
      ['1', 'stage', 's2'],
    ];
    expect(await told('f00dfeed1')).toEqual(first);
    expect(await told(commitOf('f00dfeed1'))).toEqual(first);
    expect(await told('f00dfeed')).toEqual([...first, ['2', 'prod', 's3']]);
    expect(await told('f00dfee0')).toEqual([]);
  });
});

describe('a repository that is written to', () => {
  it('is told with its Bindings, those that wait, and its last commit', async () => {
    const mine = await scene.aRepository('told', { url: 'https://git.example.com/a.git' });
    const theirs = { url: 'https://github.example.com/b', branch: 'deploy', isMade: false };
    await scene.aRepository('told', theirs);
    await scene.commits(mine, commitOf('a10'), await scene.wants(mine, 'dev', 's1'));
    await scene.commits(mine, commitOf('a11'), await scene.wants(mine, 'stage', 's1'));
    await scene.wants(mine, 'production', 's1');

    expect(await reader.repositories('told')).toEqual([
      {
        namespace: 'told',
        url: 'https://git.example.com/a.git',
        branch: 'main',
        isMade: true,
        bindings: ['shop-dev', 'shop-production', 'shop-stage'],
        waiting: ['shop-production'],
        waitingSince: moment,
        lastCommit: { commit: commitOf('a11'), at: moment },
      },
      { namespace: 'told', ...theirs, bindings: [], waiting: [] },
    ]);
  });

  it('is one of all namespaces where none is named', async () => {
    await scene.aRepository('all-a');
    await scene.aRepository('all-b');

    const namespaces = (await reader.repositories()).map(({ namespace }) => namespace);

    expect(namespaces).toEqual(expect.arrayContaining(['all-a', 'all-b']));
    expect(namespaces).toEqual(namespaces.toSorted());
    expect(await reader.repositories('nowhere')).toEqual([]);
  });

  async function troubleOf(namespace: string): Promise<unknown> {
    return (await reader.repositories(namespace))[0]?.trouble;
  }

  it('is in trouble from the first refusal until it is written', async () => {
    const repository = await scene.aRepository('trouble');
    const dev = await scene.wants(repository, 'dev', 's1');
    await scene.refuses(dev, 'CredentialMissing', 'No credential');
    const first = await troubleOf('trouble');
    await scene.refuses(dev, 'CredentialMissing', 'Still none');

    expect(first).toEqual({ reason: 'CredentialMissing', message: 'No credential', since: moment });
    expect(await troubleOf('trouble')).toEqual({ ...(first as object), message: 'Still none' });

    await scene.commits(repository, commitOf('a20'), dev);
    expect(await troubleOf('trouble')).toBeUndefined();
  });

  it('is in trouble where a comparison was refused, until one succeeds or something else is written', async () => {
    const repository = await scene.aRepository('checks');
    const dev = await scene.wants(repository, 'dev', 's1');
    await scene.commits(repository, commitOf('a30'), dev);

    await scene.refuses(dev, 'Forbidden', 'May not read');
    expect(await troubleOf('checks')).toMatchObject({ reason: 'Forbidden' });
    await scene.commits(repository, commitOf('a30'), dev);
    expect(await troubleOf('checks')).toBeUndefined();

    await scene.refuses(dev, 'Forbidden', 'May not read');
    expect(await troubleOf('checks')).toMatchObject({ reason: 'Forbidden' });
    await scene.commits(repository, commitOf('a31'), await scene.wants(repository, 'stage', 's1'));
    expect(await troubleOf('checks')).toBeUndefined();
  });

  it('has the trouble of a Binding that waits, whatever was written since', async () => {
    const repository = await scene.aRepository('between');
    await scene.refuses(await scene.wants(repository, 'dev', 's1'), 'Forbidden', 'May not push');
    await scene.commits(repository, commitOf('a40'), await scene.wants(repository, 'stage', 's1'));

    expect(await troubleOf('between')).toMatchObject({ reason: 'Forbidden' });
  });
});

it('says that the database is away in the words of the ports', async () => {
  const away = openTestClient('postgres://who@127.0.0.1:1/none', { connectTimeoutMs: 500 });

  await expect(openReleaseReader(away).usesIn('team-a')).rejects.toBeInstanceOf(Transient);
  await away.end({ timeout: 1 });
});
