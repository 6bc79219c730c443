import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster } from '../../../shared/adapters/kubernetes/open-cluster.ts';
import { openRecentObjects } from '../../../shared/adapters/kubernetes/recent-objects.ts';
import { gitOpsDeployments, namespaces, secrets } from '../../../shared/contracts/kubernetes/kinds.ts';
import { Conflict, Refused } from '../../../shared/ports/trouble.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../../support/gitops-world.ts';

let world: GitOpsWorld;
let namespace: string;
beforeAll(async () => {
  world = await openGitOpsWorld();
  ({ name: namespace } = await world.namespace());
});
afterAll(() => world.close());

const spec = { source: { repository: 'https://example.com/app', path: 'deploy' }, type: 'manual' };
const aDeployment = (name: string) => ({ metadata: { namespace, name }, spec });

describe('a cluster', () => {
  it('gives back what was created, in the canonical spelling', async () => {
    await world.cluster.create(gitOpsDeployments, aDeployment('web'));

    const read = await world.cluster.read(gitOpsDeployments, { namespace, name: 'web' });

    expect(read?.spec).toMatchObject({ source: { repoURL: 'https://example.com/app', path: 'deploy' } });
  });

  it('says that nothing is there by undefined, and a second creation is a conflict', async () => {
    expect(await world.cluster.read(gitOpsDeployments, { namespace, name: 'none' })).toBeUndefined();

    await world.cluster.create(gitOpsDeployments, aDeployment('twice'));
    await expect(world.cluster.create(gitOpsDeployments, aDeployment('twice'))).rejects.toBeInstanceOf(Conflict);
  });

  it('writes over the version that was seen and over no other', async () => {
    const seen = await world.cluster.create(gitOpsDeployments, aDeployment('moved'));
    await world.cluster.patch(gitOpsDeployments, seen.metadata, { metadata: { labels: { by: 'another' } } });

    await expect(world.cluster.replace(gitOpsDeployments, seen)).rejects.toBeInstanceOf(Conflict);
    await expect(
      world.cluster.patch(
        gitOpsDeployments,
        seen.metadata,
        { metadata: { resourceVersion: seen.metadata.resourceVersion }, status: { health: { status: 'Healthy' } } },
        { subresource: 'status' },
      ),
    ).rejects.toBeInstanceOf(Conflict);
  });

  it('patches the status and leaves the rest', async () => {
    const { metadata } = await world.cluster.create(gitOpsDeployments, aDeployment('reported'));

    const done = await world.cluster.patch(
      gitOpsDeployments,
      metadata,
      { status: { health: { status: 'Healthy' } }, spec: { type: 'automated' } },
      { subresource: 'status' },
    );

    const read = await world.cluster.read(gitOpsDeployments, metadata);
    expect(done).toBe(true);
    expect(read).toMatchObject({ status: { health: { status: 'Healthy' } }, spec: { type: 'manual' } });
    expect(await world.cluster.patch(gitOpsDeployments, { namespace, name: 'none' }, {})).toBe(false);
  });

  it('tells the version that a patch made, and none where there was nothing to patch', async () => {
    const { metadata } = await world.cluster.create(gitOpsDeployments, aDeployment('versioned'));
    const told: string[] = [];
    const written = (version: string) => void told.push(version);

    await world.cluster.patch(gitOpsDeployments, metadata, { metadata: { labels: { by: 'us' } } }, { written });
    await world.cluster.patch(gitOpsDeployments, { namespace, name: 'none' }, {}, { written });

    const read = await world.cluster.read(gitOpsDeployments, metadata);
    expect(read?.metadata.resourceVersion).not.toBe(metadata.resourceVersion);
    expect(told).toEqual([read?.metadata.resourceVersion]);
  });

  it('removes only the object of the UID it was told', async () => {
    const { metadata } = await world.cluster.create(gitOpsDeployments, aDeployment('removed'));
    const other = { uid: '00000000-0000-0000-0000-000000000000' };

    expect(await world.cluster.remove(gitOpsDeployments, metadata, other)).toBe(false);
    expect(await world.cluster.read(gitOpsDeployments, metadata)).toBeDefined();
    expect(await world.cluster.remove(gitOpsDeployments, metadata, { uid: metadata.uid })).toBe(true);
    expect(await world.cluster.remove(gitOpsDeployments, metadata)).toBe(false);
  });

  it('lists by label and by field, and knows no objects of a kind that is not installed', async () => {
    const labels = { list: 'me' };
    for (const name of ['a', 'b'])
      await world.cluster.create(secrets, { metadata: { namespace, name, labels }, type: `example.com/${name}` });
    const namesBy = async (selectors: object) => {
      const names: string[] = [];
      for await (const page of world.cluster.list(secrets, { namespace, ...selectors }))
        names.push(...page.map(({ metadata }) => metadata.name));
      return names;
    };

    expect(await namesBy({ labelSelector: 'list=me' })).toEqual(['a', 'b']);
    expect(await namesBy({ fieldSelector: 'type=example.com/b' })).toEqual(['b']);
    const missing = world.cluster.list({ ...secrets, group: 'nobody.example.com', version: 'v1' });
    for await (const page of missing) expect(page).toBe('nothing comes');
  });

  it('refuses an object that does not read as its kind, in words for its owner', async () => {
    const strange = { ...namespaces, Schema: gitOpsDeployments.Schema };

    const reading = world.cluster.read(strange, { namespace: '', name: namespace });

    await expect(reading).rejects.toBeInstanceOf(Refused);
  });

  it('asks nobody where the watch has just brought the object', async () => {
    const recent = openRecentObjects();
    const made = await world.cluster.create(gitOpsDeployments, aDeployment('brought'));
    const { resourceVersion: atLeast } = made.metadata;
    const { body } = await world.bare.request(
      `/apis/managed-gitops.redhat.com/v1alpha1/namespaces/${namespace}/gitopsdeployments/brought`,
    );
    recent.note({ type: 'ADDED', object: body as never });
    const unreachable = openCluster({ connection: { request: () => Promise.reject(new Error('asked')) }, recent });

    expect(await unreachable.read(gitOpsDeployments, made.metadata, { atLeast })).toEqual(made);
    await expect(unreachable.read(gitOpsDeployments, made.metadata)).rejects.toThrow('asked');
  });

  it('never lets a name lead to another path', async () => {
    const { asked } = world.connection;
    asked.length = 0;

    await world.cluster.read(secrets, { namespace, name: '../../namespaces/default' }).catch(() => undefined);

    expect(asked[0]?.path).toBe(`/api/v1/namespaces/${namespace}/secrets/..%2F..%2Fnamespaces%2Fdefault`);
  });
});
