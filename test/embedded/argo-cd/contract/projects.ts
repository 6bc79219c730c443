import { describe, expect, it } from 'vitest';
import { freshName, pathOf } from '../../../support/api-world.ts';
import { type ArgoWorld, localServer } from '../../../support/argo-world.ts';
import { automated, configMap, configMapPath, givenApplication, liveValue, manifest } from './given.ts';

const everywhere = [{ server: '*', namespace: '*' }];
const anything = { sourceRepos: ['*'], destinations: everywhere };
const once = { ...automated, retry: { limit: 0 } };

export function describeProjects(world: () => ArgoWorld): void {
  describe.concurrent('an AppProject', () => {
    it('that does not permit the repository is an InvalidSpecError, until it does', async () => {
      const project = await world().project({ sourceRepos: ['https://git.example/*'], destinations: everywhere });
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: automated, spec: { project } },
      );

      const status = await app.until('an error', ({ conditions }) => conditions !== undefined);
      expect(await liveValue(world(), namespace, 'one')).toBeUndefined();
      await world().api.patch(pathOf('argoproj.io/v1alpha1', 'appprojects', world().argoNamespace, project), 'merge', {
        spec: { sourceRepos: [repository.url] },
      });
      await app.refreshUntil('the project to permit it', ({ conditions }) => conditions === undefined);
      const repaired = await app.untilSettled('Synced', 'Healthy');

      expect(status.conditions).toMatchObject([
        {
          type: 'InvalidSpecError',
          message: `application repo ${repository.url} is not permitted in project '${project}'`,
        },
      ]);
      expect(status.sync?.status).toBe('Unknown');
      expect(status.health?.status).toBe('Unknown');
      expect(repaired.conditions).toBeUndefined();
    });

    it('that does not permit the namespace is an InvalidSpecError', async () => {
      const destinations = [{ server: '*', namespace: 'elsewhere' }];
      const project = await world().project({ sourceRepos: ['*'], destinations });
      const { app, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: automated, spec: { project } },
      );

      const status = await app.until('an error', ({ conditions }) => conditions !== undefined);

      expect(status.conditions).toMatchObject([
        {
          type: 'InvalidSpecError',
          message: `application destination server '${localServer}' and namespace '${namespace}' do not match any of the allowed destinations in project '${project}'`,
        },
      ]);
      expect(await liveValue(world(), namespace, 'one')).toBeUndefined();
    });

    it('permits a destination by the name of its cluster, and sources and namespaces by pattern', async () => {
      const project = await world().project({
        sourceRepos: [`${world().git.trustedUrl}*`],
        destinations: [{ name: 'in-cluster', namespace: 'ns-*' }],
      });
      const namespace = await world().namespace();
      const { app } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: automated, spec: { project, destination: { name: 'in-cluster', namespace } } },
      );

      const status = await app.untilSettled('Synced', 'Healthy');

      expect(status.conditions).toBeUndefined();
    });

    it('that is not there is an InvalidSpecError', async () => {
      const { app, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: automated, spec: { project: 'nowhere' } },
      );

      const status = await app.until('an error', ({ conditions }) => conditions !== undefined);

      expect(status.conditions).toMatchObject([
        { type: 'InvalidSpecError', message: 'Application referencing project nowhere which does not exist' },
      ]);
      expect(await liveValue(world(), namespace, 'one')).toBeUndefined();
    });

    it('that does not permit a kind makes the sync fail before anything is written', async () => {
      const project = await world().project({
        sourceRepos: ['*'],
        destinations: everywhere,
        namespaceResourceBlacklist: [{ group: '', kind: 'Secret' }],
      });
      const { app, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one'), 'two.yaml': manifest('v1', 'Secret', { name: 'two' }) },
        { syncPolicy: once, spec: { project } },
      );

      const status = await app.until('a failure', ({ operationState }) => operationState?.phase === 'Failed');

      expect(status.operationState?.message).toMatch(/one or more synchronization tasks are not valid/);
      expect(status.operationState?.syncResult?.resources).toMatchObject([
        {
          kind: 'Secret',
          name: 'two',
          status: 'SyncFailed',
          message: `resource :Secret is not permitted in project ${project}`,
        },
      ]);
      expect(await liveValue(world(), namespace, 'one')).toBeUndefined();
    });

    it('permits no kind that has no namespace unless it lists it', async () => {
      const project = await world().project(anything);
      const name = freshName('role');
      const { app } = await givenApplication(
        world(),
        { 'role.yaml': manifest('rbac.authorization.k8s.io/v1', 'ClusterRole', { name }, { rules: [] }) },
        { syncPolicy: once, spec: { project } },
      );

      const status = await app.until('a failure', ({ operationState }) => operationState?.phase === 'Failed');

      expect(status.operationState?.syncResult?.resources).toMatchObject([
        {
          kind: 'ClusterRole',
          name,
          status: 'SyncFailed',
          message: `resource rbac.authorization.k8s.io:ClusterRole is not permitted in project ${project}`,
        },
      ]);
      const { code } = await world().api.get(pathOf('rbac.authorization.k8s.io/v1', 'clusterroles', undefined, name));
      expect(code).toBe(404);
    });

    it('binds each object to the namespaces that it permits', async () => {
      const project = await world().project({ sourceRepos: ['*'], destinations: [{ server: '*', namespace: 'ns-*' }] });
      const name = freshName('stray');
      const { app } = await givenApplication(
        world(),
        { 'one.yaml': configMap(name, 'first', { namespace: 'default' }) },
        { syncPolicy: once, spec: { project } },
      );

      const status = await app.until('a failure', ({ operationState }) => operationState?.phase === 'Failed');

      expect(status.operationState?.syncResult?.resources).toMatchObject([
        {
          name,
          namespace: 'default',
          status: 'SyncFailed',
          message: expect.stringMatching(/namespace default is not permitted in project/),
        },
      ]);
      expect((await world().api.get(configMapPath('default', name))).code).toBe(404);
    });

    it('keeps its repository Secrets from other projects', async () => {
      const [mine, other] = await Promise.all([world().project(anything), world().project(anything)]);
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { trusted: false, syncPolicy: automated, spec: { project: mine } },
      );
      await world().secret(freshName('repo'), 'repository', {
        type: 'git',
        url: repository.url,
        username: 'anybody',
        password: world().git.readToken,
        project: mine,
      });

      await app.refreshUntil(
        'the Secret to be used',
        ({ conditions, sync }) => sync !== undefined && conditions === undefined,
      );
      await app.untilSettled('Synced', 'Healthy');
      const stranger = await world().application({
        project: other,
        source: { repoURL: repository.url, path: '.', targetRevision: 'main' },
        destination: { server: localServer, namespace },
      });
      const status = await stranger.until('an error', ({ conditions }) => conditions !== undefined);

      expect(status.sync?.status).toBe('Unknown');
      expect(status.conditions).toMatchObject([
        { type: 'ComparisonError', message: expect.stringMatching(/authentication required/) },
      ]);
    });
  });
}
