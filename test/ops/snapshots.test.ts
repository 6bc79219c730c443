import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../scripts/ops/context.ts';
import { renderSnapshotsList, runSnapshotsList } from '../../scripts/ops/snapshots-list.ts';
import { renderSnapshotsOf, runSnapshotsOf } from '../../scripts/ops/snapshots-of.ts';
import { renderSnapshotsShow, runSnapshotsShow } from '../../scripts/ops/snapshots-show.ts';
import { openReleaseReader } from '../../shared/adapters/postgres/repositories/release-reader.ts';
import { applications, snapshots } from '../../shared/contracts/kubernetes/kinds.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../support/gitops-world.ts';
import { commitOf, openReleaseScene, type ReleaseScene } from './release-scene.ts';
import { plain } from './world.ts';

const image = 'quay.io/shop/web@sha256:4f1c02ab97';

let world: GitOpsWorld;
let scene: ReleaseScene;
let context: Context;
beforeAll(async () => {
  world = await openGitOpsWorld();
  scene = openReleaseScene(world.sql);
  const parts: Partial<Context> = {
    releases: openReleaseReader(world.sql),
    world: () => world.world,
    now: Date.now,
  };
  context = parts as Context;
});
afterAll(() => world.close());

async function aNamespace(): Promise<string> {
  return (await world.namespace()).name;
}

function aSnapshot(namespace: string, name: string, but: { sequence?: string; spec?: object } = {}) {
  const annotations = but.sequence === undefined ? {} : { 'stagecoach.dev/sequence': but.sequence };
  const components = [{ name: 'web', containerImage: image }];
  return world.cluster.create(snapshots, {
    metadata: { namespace, name, annotations },
    spec: { application: 'shop', components, ...but.spec },
  });
}

/** `shop-1` stands in dev and stage, `shop-2` is on its way to stage, `shop-3` was never wanted. */
async function aShop(): Promise<string> {
  const namespace = await aNamespace();
  await aSnapshot(namespace, 'shop-1', { sequence: '1' });
  await aSnapshot(namespace, 'shop-2', { sequence: '2' });
  await aSnapshot(namespace, 'shop-3', { sequence: '3' });
  const repository = await scene.aRepository(namespace);
  const stage = await scene.wants(repository, 'stage', 'shop-1', { promotion: 'friday', generation: 7 });
  await scene.commits(repository, commitOf(namespace.slice(-8)), await scene.wants(repository, 'dev', 'shop-1'), stage);
  await scene.wants(repository, 'stage', 'shop-2', { uid: stage.uid });
  return namespace;
}

describe('snapshots', () => {
  it('shows each with its number, its age, its commits and where it runs, the newest first', async () => {
    const namespace = await aShop();

    const { code, value } = await runSnapshotsList(context, { of: namespace });

    expect(code).toBe(0);
    const listed = { application: 'shop', ageSeconds: expect.any(Number), components: 1 };
    expect(value).toEqual({
      namespace,
      orphanedOnly: false,
      snapshots: [
        { ...listed, name: 'shop-3', sequence: 3, commits: 0, runsIn: [], awaitedIn: [], isOrphaned: true },
        { ...listed, name: 'shop-2', sequence: 2, commits: 0, runsIn: [], awaitedIn: ['stage'], isOrphaned: true },
        {
          ...listed,
          name: 'shop-1',
          sequence: 1,
          commits: 1,
          runsIn: ['dev', 'stage'],
          awaitedIn: [],
          isOrphaned: false,
        },
      ],
    });
    const text = renderSnapshotsList(value, 100, plain);
    expect(text).toMatch(/shop-3 +shop +3 +\d+ \w+ +1 +none +-\n/);
    expect(text).toMatch(/shop-2 .* none +stage \(waits\)\n/);
    expect(text).toMatch(/shop-1 .* 1 +dev, stage\n/);
    expect(text).toContain(
      `2 of 3 orphaned, no commit was ever made of them: npm run ops -- snapshots ${namespace} --orphaned`,
    );
    expect(renderSnapshotsList(value, 1, plain)).toContain('… and 2 more');
  });

  it('lists with --orphaned only those that no commit was ever made of', async () => {
    const namespace = await aShop();

    const { code, value } = await runSnapshotsList(context, { of: namespace, orphaned: true });

    expect(code).toBe(0);
    expect(value.snapshots.map(({ name }) => name)).toEqual(['shop-3', 'shop-2']);
    expect(renderSnapshotsList(value, 100, plain)).not.toContain('shop-1');
  });

  it('does not call one orphaned that stands in the commit of another with the same images', async () => {
    const namespace = await aNamespace();
    await aSnapshot(namespace, 'twin');
    const repository = await scene.aRepository(namespace);
    const dev = await scene.wants(repository, 'dev', 'first');
    await scene.commits(repository, commitOf('beef1'), dev);
    await scene.commits(repository, commitOf('beef1'), await scene.wants(repository, 'dev', 'twin', { uid: dev.uid }));

    const { value } = await runSnapshotsList(context, { of: namespace });

    expect(value.snapshots).toMatchObject([{ name: 'twin', runsIn: ['dev'], isOrphaned: false }]);
  });

  it('keeps to one application where it is named, and to one namespace', async () => {
    const namespace = await aShop();
    await aSnapshot(namespace, 'by-hand', { spec: { application: '' }, sequence: 'a-few' });
    await aSnapshot(namespace, 'blog-1', { spec: { application: 'blog' } });

    const all = await runSnapshotsList(context, { of: namespace });
    const { value } = await runSnapshotsList(context, { of: `${namespace}/blog` });

    expect(all.value.snapshots.map(({ name }) => name)).toEqual(['by-hand', 'blog-1', 'shop-3', 'shop-2', 'shop-1']);
    expect(all.value.snapshots[0]).not.toHaveProperty('sequence');
    expect(renderSnapshotsList(all.value, 100, plain)).toMatch(/by-hand +- +- /);
    expect(value).toMatchObject({ application: 'blog', snapshots: [{ name: 'blog-1' }] });
    expect(renderSnapshotsList(value, 100, plain)).toContain(`snapshots ${namespace}/blog --orphaned`);
  });

  it('tells an empty place from one that is not there', async () => {
    const namespace = await aNamespace();
    await world.cluster.create(applications, { metadata: { namespace, name: 'blog' }, spec: { displayName: 'blog' } });

    const told = async (of: string, orphaned = false) =>
      renderSnapshotsList((await runSnapshotsList(context, { of, orphaned })).value, 100, plain);

    expect(await told(namespace)).toContain(`No snapshots of ${namespace} yet.`);
    expect(await told(`${namespace}/blog`)).toContain(`No snapshots of ${namespace}/blog yet.`);
    expect(await told(namespace, true)).toContain(`No snapshots of ${namespace} are orphaned`);
    await expect(told(`${namespace}/none`)).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining(`npm run ops -- snapshots ${namespace}`),
    });
    await expect(told('nowhere-at-all')).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining('no namespace nowhere-at-all'),
    });
  });

  it.each(['', 'Team_A', 'team-a/', 'team-a/a/b', '/shop', '../secrets', `team-a/${'x'.repeat(254)}`])(
    'refuses "%s"',
    async (of) => {
      await expect(runSnapshotsList(context, { of })).rejects.toMatchObject({ code: 2 });
    },
  );
});

describe('snapshots show', () => {
  it('shows what is in it, where it runs, and every commit that was made of it', async () => {
    const namespace = await aShop();

    const { code, value } = await runSnapshotsShow(context, { snapshot: `${namespace}/shop-1` });

    expect(code).toBe(0);
    const release = {
      commit: commitOf(namespace.slice(-8)),
      url: 'https://git.example.com/shop.git',
      branch: 'main',
      namespace,
      snapshot: 'shop-1',
      application: 'shop',
      at: expect.any(String),
    };
    expect(value).toEqual({
      namespace,
      name: 'shop-1',
      snapshot: {
        application: 'shop',
        sequence: 1,
        ageSeconds: expect.any(Number),
        displayName: '',
        components: [{ name: 'web', image }],
      },
      runsIn: ['dev', 'stage'],
      awaitedIn: [],
      commits: [
        { ...release, environment: 'stage', generation: 7, promotion: 'friday' },
        { ...release, environment: 'dev', generation: 1, promotion: '' },
      ],
    });
    const text = renderSnapshotsShow(value, 100, plain);
    expect(text).toContain(`web  ${image}`);
    expect(text).toMatch(/runs in +dev, stage\n/);
    expect(text).toMatch(/[0-9a-f]{8}00 +shop +stage +7 +friday +\S+ \S+ +main +https:\/\/git.example.com\/shop.git/);
    expect(renderSnapshotsShow(value, 1, plain)).toContain('… and 1 more');
  });

  it('says that no commit was made of it', async () => {
    const namespace = await aShop();

    const { value } = await runSnapshotsShow(context, { snapshot: `${namespace}/shop-3` });

    expect(renderSnapshotsShow(value, 100, plain)).toContain('none was ever made of it');
  });

  it('shows one as gone that only the ledger has', async () => {
    const namespace = await aShop();
    await world.cluster.remove(snapshots, { namespace, name: 'shop-1' });

    const { code, value } = await runSnapshotsShow(context, { snapshot: `${namespace}/shop-1` });

    expect(code).toBe(0);
    expect(value).not.toHaveProperty('snapshot');
    expect(value.commits).toHaveLength(2);
    const text = renderSnapshotsShow(value, 100, plain);
    expect(text).toContain(`${namespace}/shop-1  gone from the cluster; the ledger remembers it`);
    expect(text).not.toContain('Components');
  });

  it('keeps a row a row, whatever somebody wrote', async () => {
    const namespace = await aNamespace();
    const components = [{ name: 'web', containerImage: 'one\nfake  two' }];
    await aSnapshot(namespace, 'odd', { spec: { displayName: 'a\nname', components } });

    const { value } = await runSnapshotsShow(context, { snapshot: `${namespace}/odd` });

    const text = renderSnapshotsShow(value, 100, plain);
    expect(text).toContain('web  one fake  two');
    expect(text).toContain('a name');
  });

  it.each([
    [3, 'nowhere/none', 'npm run ops -- snapshots nowhere'],
    [2, 'shop-1', 'namespace/name'],
    [2, 'team-a/a/b', 'namespace/name'],
    [2, 'team-a/../x', 'namespace/name'],
  ])('ends with %i for %s', async (code, snapshot, sentence) => {
    await expect(runSnapshotsShow(context, { snapshot })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(sentence),
    });
  });
});

describe('snapshots of', () => {
  it('names the snapshots that a commit was made of, by its first digits, in capitals too', async () => {
    const namespace = await aShop();
    const digits = namespace.slice(-8);

    const { code, value } = await runSnapshotsOf(context, { commit: digits.toUpperCase() });

    expect(code).toBe(0);
    expect(value).toMatchObject({
      commit: commitOf(digits),
      snapshots: [
        { namespace, snapshot: 'shop-1', environment: 'dev' },
        { namespace, snapshot: 'shop-1', environment: 'stage' },
      ],
    });
    const text = renderSnapshotsOf(value, 100, plain);
    expect(text).toContain(`${commitOf(digits)} was made of\n`);
    expect(text).toContain(`${namespace}/shop-1  shop         stage        7           friday`);
  });

  it('asks for more where several commits begin so', async () => {
    const repository = await scene.aRepository(await aNamespace());
    const ids = ['1', '2', '3', '4', '5', '6', '7'].map((last) => commitOf(`abcdef0${last}`));
    for (const id of ids) await scene.commits(repository, id, await scene.wants(repository, `e${id[7]}`, 's1'));

    await expect(runSnapshotsOf(context, { commit: 'abcdef0' })).rejects.toMatchObject({
      code: 2,
      message: `7 commits begin with abcdef0: write more of it, ${ids.slice(0, 5).join(', ')}, … and 2 more.`,
    });
    expect((await runSnapshotsOf(context, { commit: 'abcdef03' })).value.commit).toBe(ids[2]);
  });

  it.each([
    [3, '0123456789', 'npm run ops -- repositories'],
    [2, 'abcdef', 'the first 7 at least'],
    [2, 'main', 'is no commit'],
    [2, 'abcdefg', 'is no commit'],
    [2, 'abcdef%', 'is no commit'],
    [2, 'a'.repeat(65), 'is no commit'],
  ])('ends with %i for %s', async (code, commit, sentence) => {
    await expect(runSnapshotsOf(context, { commit })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(sentence),
    });
  });
});
