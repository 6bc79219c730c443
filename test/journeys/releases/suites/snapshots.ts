import { describe, expect, it } from 'vitest';
import { applications, components, snapshots } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { annotations, labels } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import { Refused } from '../../../../shared/ports/trouble.ts';
import { listObjects } from '../../../support/list-objects.ts';
import { anEvent } from '../../../support/machine.ts';
import type { ReleaseWorld } from '../../../support/release-world.ts';
import { writtenRows } from '../../../support/written-rows.ts';
import { inFreshScenes, openReleaseScene, type ReleaseScene } from './release-scene.ts';

const image = (name: string, version: number | string) => `quay.io/shop/${name}:${version}`;
const ok = 'True OK Component has been successfully created';

/** How what was built becomes Snapshots, and what Components are told. */
export function describeSnapshots(open: () => Promise<ReleaseWorld>): void {
  describe('a Component', () => {
    let world: ReleaseWorld;
    let scene: ReleaseScene;
    let namespace: string;
    inFreshScenes(open, (fresh) => {
      ({ world, namespace } = fresh);
      scene = fresh;
    });

    /** A Component that is built from source, and has no image before it is. */
    const sourced = (name: string) =>
      scene.component(name, '', { source: { git: { url: `https://git.example/${name}`, revision: 'main' } } });
    const built = async (name: string, status: object) => {
      await world.cluster.patch(components, { namespace, name }, { status }, { subresource: 'status' });
    };
    const build = (name: string, version: number | string, commit?: string) =>
      built(name, { containerImage: image(name, version), ...(commit !== undefined && { lastBuiltCommit: commit }) });
    const drop = (name: string) => world.cluster.remove(components, { namespace, name });
    const all = () => listObjects(world.cluster, snapshots, namespace);

    async function says(name: string): Promise<string | undefined> {
      const { status } = (await world.cluster.read(components, { namespace, name })) ?? {};
      const created = status?.conditions.find(({ type }) => type === 'Created');
      return created && `${created.status} ${created.reason} ${created.message}`;
    }
    /** What the rows have as the newest state, and the Snapshot that holds it. */
    async function newest(application = 'shop') {
      const [row] = await world.sql`select sequence::int, snapshot from application_place
        where namespace = ${namespace} and name = ${application} order by sequence desc limit 1`;
      const name = (row?.['snapshot'] as string | undefined) ?? '';
      const found = name === '' ? undefined : await world.cluster.read(snapshots, { namespace, name });
      return { sequence: row?.['sequence'] as number | undefined, name, found, images: imagesOf(found) };
    }

    it('S01 S11 becomes a Snapshot when it is built, with its source and whose build it was', async () => {
      await scene.application();
      await sourced('web');
      await sourced('api');
      await scene.settle();
      expect(await all()).toEqual([]);
      await build('web', 1, 'c0ffee');
      await scene.settle();

      const [snapshot, ...more] = await all();
      const application = await world.cluster.read(applications, { namespace, name: 'shop' });
      expect(more).toEqual([]);
      expect(snapshot?.metadata.name).toMatch(/^shop-[\da-f]{10}$/);
      expect(snapshot?.metadata.labels).toEqual({
        [labels.deployedApplication]: 'shop',
        [labels.deployedComponent]: 'web',
        [labels.snapshotType]: 'component',
      });
      expect(snapshot?.metadata.annotations).toEqual({ [annotations.sequence.key]: '1' });
      expect(snapshot?.metadata.ownerReferences).toMatchObject([
        { kind: 'Application', uid: application?.metadata.uid },
      ]);
      expect(snapshot?.spec).toMatchObject({
        application: 'shop',
        components: [
          {
            name: 'web',
            containerImage: image('web', 1),
            source: { git: { url: 'https://git.example/web', revision: 'c0ffee' } },
          },
        ],
        artifacts: {
          unstableFields: {
            build: [
              {
                containerImage: image('web', 1),
                sourceRepository: { url: 'https://git.example/web', commitID: 'c0ffee' },
              },
            ],
          },
        },
      });
      expect(await newest()).toMatchObject({ sequence: 1, name: snapshot?.metadata.name });
    });

    it('S08 is left out while it is not built, and goes by its built image before the one that was given', async () => {
      await scene.application();
      await sourced('web');
      await scene.component('api', image('api', 'given'));
      await scene.settle();
      expect((await newest()).images).toEqual({ api: image('api', 'given') });
      await build('api', 'built');
      await build('web', 'built');
      await scene.settle();

      expect((await newest()).images).toEqual({ api: image('api', 'built'), web: image('web', 'built') });
    });

    it('S12 S13 makes no second Snapshot of a state that somebody made one of', async () => {
      await scene.application();
      await world.cluster.create(snapshots, {
        metadata: { namespace, name: 'by-hand', labels: { [labels.deployedApplication]: 'shop' } },
        spec: { application: 'shop', components: [{ name: 'web', containerImage: image('web', 1) }] },
      });
      await scene.component('web', image('web', 1));
      await scene.settle();

      expect(await newest()).toMatchObject({ sequence: 1, name: 'by-hand' });
      expect(await all()).toHaveLength(1);
    });

    it('goes back to the Snapshot of a state that comes again, whose turn it then is', async () => {
      await scene.application();
      await scene.component('web', image('web', 0));
      await scene.settle();
      const first = await newest();
      await build('web', 1);
      await scene.settle();
      await build('web', 0);
      const ran = await scene.settle();

      expect(await newest()).toMatchObject({ sequence: 3, name: first.name });
      expect(await all()).toHaveLength(2);
      expect(ran.map(({ subject }) => subject)).toContain(`${namespace}/${first.name}`);
    });

    it('makes no Snapshot again that its user deleted', async () => {
      await scene.application();
      await scene.component('web', image('web', 1));
      await scene.settle();
      const { name } = await newest();
      await world.cluster.remove(snapshots, { namespace, name });
      world.knock('component.changed.v1', { namespace, name: 'web' });
      await scene.settle();

      expect(await all()).toEqual([]);
      expect(await newest()).toMatchObject({ sequence: 1, name });
    });

    it('S21 L09 that goes leaves a Snapshot of the rest, and no directory', async () => {
      await scene.application('shop', { gitOpsRepository: { branch: 'live', context: 'gitops' } });
      await scene.component('web', image('web', 1));
      await scene.component('api', image('api', 1));
      await scene.settle();
      const [kept] = await world.sql`select c.context, r.branch from component_place c
        join gitops_repository r on r.id = c.repository_id where c.namespace = ${namespace} and c.name = 'web'`;
      await drop('web');
      const ran = await scene.settle();

      const { images, found } = await newest();
      expect(kept).toEqual({ context: 'gitops', branch: 'live' });
      expect(images).toEqual({ api: image('api', 1) });
      expect(found?.metadata.labels[labels.deployedComponent]).toBeUndefined();
      expect(ran.map((one) => one.function)).toContain('render-overlay');
      expect(await world.sql`select name from component_place where namespace = ${namespace} and not gone`).toEqual([
        { name: 'api' },
      ]);
    });

    it('S21 that was the last one leaves no Snapshot of nothing', async () => {
      await scene.application();
      await scene.component('web', image('web', 1));
      await scene.settle();
      await drop('web');
      await scene.settle();

      expect(await all()).toHaveLength(1);
      expect(await newest()).toMatchObject({ sequence: 1 });
    });

    it('S28 is in one Snapshot with what is built at the same time, however their steps meet', async () => {
      await scene.application();
      await scene.component('web', image('web', 0));
      await scene.component('api', image('api', 0));
      await scene.settle();
      const door = world.functions.get('create-snapshot');
      // Without their Application the two are in no line with one another: only the row tells who was first.
      const step = (name: string) =>
        door?.handle(
          anEvent(name, { type: 'component.changed.v1', data: { namespace, name } }),
          undefined,
          world.machine,
        );
      const names = ['web', 'api'];
      for (let version = 1; version <= 12; version += 1)
        await Promise.all(names.map(async (name) => [await build(name, version), await step(name)]));
      await scene.settle();

      const { images, sequence = 0 } = await newest();
      expect(images).toEqual({ api: image('api', 12), web: image('web', 12) });
      expect(sequence).toBeGreaterThan(12);
      expect(world.queue.buried).toEqual([]);
    });

    it('is in the Snapshots of no other Application, and of no other namespace', async () => {
      await scene.application();
      await scene.application('bank');
      await scene.component('web', image('web', 1));
      await scene.component('vault', image('vault', 1), {}, 'bank');
      const other = await openReleaseScene(world);
      await other.application();
      await other.component('api', image('api', 1));
      await scene.settle();

      expect((await newest()).images).toEqual({ web: image('web', 1) });
      expect((await newest('bank')).images).toEqual({ vault: image('vault', 1) });
    });

    it('that comes back in another Application is missing in the first', async () => {
      await scene.application();
      await scene.application('bank');
      await scene.component('web', image('web', 1));
      await scene.component('api', image('api', 1));
      await scene.settle();
      await drop('web');
      await scene.component('web', image('web', 1), {}, 'bank');
      await scene.settle();

      expect((await newest()).images).toEqual({ api: image('api', 1) });
      expect((await newest('bank')).images).toEqual({ web: image('web', 1) });
    });

    it('counts from the beginning where its Application is made again', async () => {
      await scene.application();
      await scene.component('web', image('web', 0));
      await scene.settle();
      await build('web', 1);
      await scene.settle();
      const before = await newest();
      await world.cluster.remove(applications, { namespace, name: 'shop' });
      await scene.settle();
      await scene.application();
      await scene.settle();

      const after = await newest();
      const application = await world.cluster.read(applications, { namespace, name: 'shop' });
      expect(before.sequence).toBe(2);
      expect(after).toMatchObject({ sequence: 1, images: { web: image('web', 1) } });
      expect(after.found?.metadata.ownerReferences[0]?.uid).toBe(application?.metadata.uid);
    });

    it('L05 waits for its Application, says so, and is woken by it', async () => {
      await scene.component('web', image('web', 1));
      await scene.settle();
      expect(await says('web')).toBe(
        'False Error Application shop was not found: create it, or correct spec.application',
      );
      expect(await all()).toEqual([]);
      await scene.application();
      await scene.settle();

      expect(await says('web')).toBe(ok);
      expect((await newest()).images).toEqual({ web: image('web', 1) });
    });

    it('L05 is woken by an Application without a place of its own, too', async () => {
      await scene.component('web', image('web', 1));
      await scene.settle();
      await scene.application('shop', { gitOpsRepository: { renderedBy: 'External' } });
      await scene.settle();

      expect(await says('web')).toBe(ok);
      expect((await newest()).images).toEqual({ web: image('web', 1) });
    });

    it('L10 says where it is kept, and whether anything of it is', async () => {
      await scene.application('shop', { gitOpsRepository: { url: 'https://git.example/a/b', context: 'x' } });
      await scene.component('web', image('web', 1), { skipGitOpsResourceGeneration: true });
      await built('web', { gitops: { commitID: 'somebody-else-s' } });
      await scene.settle();
      const gitops = async () => (await world.cluster.read(components, { namespace, name: 'web' }))?.status?.gitops;
      const place = {
        repositoryURL: 'https://git.example/a/b',
        branch: 'main',
        context: 'x',
        commitID: 'somebody-else-s',
      };
      expect(await gitops()).toEqual({ ...place, resourceGenerationSkipped: true });
      await world.cluster.patch(
        components,
        { namespace, name: 'web' },
        { spec: { skipGitOpsResourceGeneration: false } },
      );
      await scene.settle();

      expect(await gitops()).toEqual({ ...place, resourceGenerationSkipped: false });
    });

    it('says what to change about its variables and its image, and takes it back', async () => {
      await scene.application();
      const key = { namespace, name: 'web' };
      await scene.component('web', image('web', 1), { env: [{ name: 'PASSWORD', valueFrom: { secretKeyRef: {} } }] });
      await scene.settle();
      expect(await says('web')).toBe(
        'False Error spec.env PASSWORD has valueFrom, which is not supported: write its value out',
      );
      await world.cluster.patch(components, key, { spec: { env: [] } });
      await build('web', 'with a space');
      await scene.settle();
      expect(await says('web')).toBe(
        'False Error containerImage must not contain white space or control characters: snapshots keep quay.io/shop/web:1',
      );
      expect(await all()).toHaveLength(1);
      await build('web', 2);
      await scene.settle();

      expect(await says('web')).toBe(ok);
      expect((await newest()).images).toEqual({ web: image('web', 2) });
    });

    it('says why the API server does not take its Snapshot, once, and goes on when it does', async () => {
      await scene.application();
      await scene.settle();
      world.connection.trouble = ({ method, path }, when) =>
        method === 'POST' && path.endsWith('/snapshots') && when === 'before'
          ? new Refused('Forbidden', 'exceeded quota: snapshots')
          : undefined;
      await scene.component('web', image('web', 1));
      await scene.settle();
      expect(await says('web')).toMatch(/^False Error Snapshot shop-\w+ cannot be created: exceeded quota: snapshots$/);
      world.connection.asked.length = 0;
      await world.wake();
      await scene.settle();
      expect(world.connection.asked.filter(({ method }) => method === 'PATCH')).toEqual([]);

      world.connection.trouble = undefined;
      await world.wake();
      await scene.settle();
      expect(await says('web')).toBe(ok);
      expect(await newest()).toMatchObject({ sequence: 1 });
    });

    it('takes another name where somebody has its own for something else', async () => {
      await scene.application();
      await scene.component('web', image('web', 1));
      await scene.settle();
      const { name } = await newest();
      const other = await openReleaseScene(world);
      await other.application();
      await other.snapshot(name, { web: image('web', 'other') });
      await other.component('web', image('web', 1));
      await other.settle();

      const made = await listObjects(world.cluster, snapshots, other.namespace);
      expect(made.map(({ metadata }) => metadata.name).toSorted()[1]).toMatch(new RegExp(`^${name}[\\da-f]{10}$`));
    });

    it('never touches a Snapshot again, and nobody else can', async () => {
      await scene.application();
      await scene.component('web', image('web', 0));
      await scene.settle();
      const before = (await newest()).found;
      const name = before?.metadata.name ?? '';
      await expect(
        world.cluster.patch(snapshots, { namespace, name }, { spec: { components: [] } }),
      ).rejects.toBeInstanceOf(Refused);
      await build('web', 1);
      await scene.settle();
      await drop('web');
      await scene.settle();

      expect(await world.cluster.read(snapshots, { namespace, name })).toEqual(before);
    });

    it('writes nothing at a second look', async () => {
      await scene.application();
      await scene.component('web', image('web', 1));
      await sourced('unbuilt');
      await scene.component('wrong', image('web', ' '));
      await scene.component('lost', image('lost', 1), {}, 'nowhere');
      await scene.component('gone', image('gone', 1));
      await scene.settle();
      await drop('gone');
      await scene.settle();
      const before = await writtenRows(world.sql);
      world.connection.asked.length = 0;

      for (const name of ['web', 'unbuilt', 'wrong', 'lost', 'gone'])
        world.knock('component.changed.v1', { namespace, name, application: name === 'lost' ? 'nowhere' : 'shop' });
      const ran = await scene.settle();

      expect(ran.filter((one) => one.function === 'create-snapshot')).toHaveLength(5);
      expect(ran.filter(({ outcome }) => outcome.kind === 'stepped' && outcome.effects > 0)).toEqual([]);
      expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(await writtenRows(world.sql)).toEqual(before);
    });

    it.each([
      ['is emptied', ''],
      ['cannot be one', 'quay.io/shop/web: 2'],
    ])('S30 keeps its last image and its deployment where the new one %s, and says so', async (_what, bad) => {
      await scene.application();
      await scene.environment('dev');
      await sourced('web');
      await build('web', 1, 'c0ffee');
      await scene.component('api', image('api', 1));
      await scene.settle();
      const first = await newest();
      const binding = await scene.bind('dev', first.name);
      await scene.settle();
      expect(first.images).toEqual({ api: image('api', 1), web: image('web', 1) });
      await built('web', { containerImage: bad, lastBuiltCommit: 'bad' });
      await scene.settle();
      expect(await newest()).toMatchObject({ sequence: first.sequence, name: first.name });
      expect(await says('web')).toMatch(/^False Error containerImage .*: snapshots keep quay\.io\/shop\/web:1$/);
      await build('api', 2);
      await scene.settle();

      const { name, images, found } = await newest();
      await scene.change(binding, { snapshot: name });
      await scene.settle();
      const kept = found?.spec.components.find((one) => one.name === 'web');
      expect(images).toEqual({ api: image('api', 2), web: image('web', 1) });
      expect(kept?.source?.git?.revision).toBe('c0ffee');
      expect(await scene.deployments()).toHaveLength(2);
      await build('web', 3);
      await scene.settle();
      expect((await newest()).images).toEqual({ api: image('api', 2), web: image('web', 3) });
      expect(await says('web')).toBe(ok);
    });
  });
}

function imagesOf(snapshot: { spec: { components: { name: string; containerImage: string }[] } } | undefined) {
  return Object.fromEntries((snapshot?.spec.components ?? []).map((one) => [one.name, one.containerImage]));
}
