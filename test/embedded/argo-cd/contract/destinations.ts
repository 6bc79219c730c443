import { describe, expect, it } from 'vitest';
import { freshName, pathOf } from '../../../support/api-world.ts';
import { type ArgoWorld, localServer } from '../../../support/argo-world.ts';
import { automated, configMap, givenApplication, liveValue } from './given.ts';

export function describeDestinations(world: () => ArgoWorld): void {
  describe.concurrent('a destination', () => {
    it('whose namespace is not there makes the sync fail, and says so', async () => {
      const namespace = freshName('missing');
      const { app } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { namespace, syncPolicy: { ...automated, retry: { limit: 0 } } },
      );

      const status = await app.until('a failure', ({ operationState }) => operationState?.phase === 'Failed');

      const message = `namespaces "${namespace}" not found`;
      expect(status.operationState?.message).toContain(message);
      expect(status.operationState?.syncResult?.resources).toMatchObject([
        { kind: 'ConfigMap', name: 'one', namespace, status: 'SyncFailed', message },
      ]);
      expect(status.sync?.status).toBe('OutOfSync');
      expect(status.health?.status).toBe('Missing');
    });

    it('whose namespace is not there is made with CreateNamespace=true', async () => {
      const namespace = freshName('made');
      const { app } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        // What heals may be synced a second time at once, and only the sync that makes the Namespace tells of it.
        { namespace, syncPolicy: { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] } },
      );

      const status = await app.untilSettled('Synced', 'Healthy');

      expect(status.resources?.map(({ kind }) => kind)).toEqual(['ConfigMap']);
      expect(status.operationState?.syncResult?.resources?.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
        `Namespace ${namespace}`,
        'ConfigMap one',
      ]);
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
    });

    it.each([
      ['a server that nobody knows', { server: 'https://127.0.0.1:1' }, /cluster "https:\/\/127\.0\.0\.1:1" not found/],
      ['a name that nobody knows', { name: 'nowhere' }, /there are no clusters with this name: nowhere/],
      [
        'both a name and a server',
        { name: 'in-cluster', server: localServer },
        /can't have both name and server defined/,
      ],
      ['neither a name nor a server', {}, /[Dd]estination server/],
    ])('with %s is an InvalidSpecError, until the spec is repaired', async (_what, destination, message) => {
      const namespace = await world().namespace();
      const { app } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: automated, spec: { destination: { ...destination, namespace } } },
      );

      const status = await app.until('an error', ({ conditions }) => conditions !== undefined);
      await app.patch({ spec: { destination: { name: null, server: localServer } } });
      const repaired = await app.untilSettled('Synced', 'Healthy');

      expect(status.conditions).toMatchObject([{ type: 'InvalidSpecError', message: expect.stringMatching(message) }]);
      expect(status.operationState).toBeUndefined();
      expect(repaired.conditions).toBeUndefined();
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
    });
  });

  describe.concurrent('a cluster Secret', () => {
    it('with enough rights is deployed to by its name', async () => {
      const namespace = await world().namespace();
      const cluster = await givenCluster(world(), namespace, [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]);
      const { app } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: automated, spec: { destination: { name: cluster, namespace } } },
      );

      const status = await app.untilSettled('Synced', 'Healthy');

      expect(status.sync?.comparedTo?.destination).toEqual({ name: cluster, namespace });
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
    });

    it('that may only read makes the sync fail with what the cluster says', async () => {
      const namespace = await world().namespace();
      const cluster = await givenCluster(world(), namespace, [
        { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
      ]);
      const { app } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        {
          syncPolicy: { ...automated, retry: { limit: 0 } },
          spec: { destination: { name: cluster, namespace } },
        },
      );

      const status = await app.until('a failure', ({ operationState }) => operationState?.phase === 'Failed');

      const message = new RegExp(
        `configmaps.* is forbidden: User "system:serviceaccount:${namespace}:deployer" cannot (create|patch) resource "configmaps"`,
      );
      expect(status.operationState?.message).toMatch(message);
      expect(status.operationState?.syncResult?.resources).toMatchObject([
        { name: 'one', status: 'SyncFailed', message: expect.stringMatching(message) },
      ]);
      expect(await liveValue(world(), namespace, 'one')).toBeUndefined();
    });

    it('whose token is not known there is a ComparisonError', async () => {
      const namespace = await world().namespace();
      const name = await clusterSecret(world(), namespace, 'not-a-token');
      const { app } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: automated, spec: { destination: { name, namespace } } },
      );

      const status = await app.until(
        'an error',
        ({ conditions, sync }) => conditions !== undefined && sync?.status === 'Unknown',
      );

      expect(status.conditions?.[0]).toMatchObject({
        type: 'ComparisonError',
        message: expect.stringMatching(/the server has asked for the client to provide credentials|Unauthorized/),
      });
      expect(status.operationState).toBeUndefined();
    });
  });
}

/** The cluster itself, under another name, with the rights of a ServiceAccount in one namespace. */
async function givenCluster(world: ArgoWorld, namespace: string, rules: readonly object[]): Promise<string> {
  const metadata = { name: 'deployer' };
  await world.create(pathOf('v1', 'serviceaccounts', namespace), { metadata });
  const rbac = (resource: string) => pathOf('rbac.authorization.k8s.io/v1', resource, namespace);
  await world.create(rbac('roles'), { metadata, rules });
  await world.create(rbac('rolebindings'), {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'deployer' },
    subjects: [{ kind: 'ServiceAccount', name: 'deployer', namespace }],
  });
  const { body } = await world.api.create(pathOf('v1', 'serviceaccounts', namespace, 'deployer', 'token'), {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {},
  });
  return clusterSecret(world, namespace, (body.status as { token: string }).token);
}

/** As the service writes it: the query keeps apart the accounts of one cluster. */
async function clusterSecret(world: ArgoWorld, namespace: string, bearerToken: string): Promise<string> {
  const name = freshName('cluster');
  await world.secret(name, 'cluster', {
    name,
    server: `${world.cluster.url}?managedEnvironment=${name}`,
    namespaces: namespace,
    config: JSON.stringify({ bearerToken, tlsClientConfig: { insecure: true } }),
  });
  return name;
}
