import { describe, expect, it } from 'vitest';
import { pathOf } from '../../../support/api-world.ts';
import { type ArgoWorld, localServer } from '../../../support/argo-world.ts';
import { automated, configMap, configMapPath, deployment, givenApplication, liveValue } from './given.ts';

export function describeFirstSync(world: () => ArgoWorld): void {
  describe.concurrent('a new application', () => {
    it('that is automated comes to be Synced and Healthy at the commit of its branch', async () => {
      const { app, repository, namespace } = await givenApplication(
        world(),
        { 'overlay/kustomization.yaml': 'resources: [one.yaml]\n', 'overlay/one.yaml': configMap('one') },
        { path: 'overlay', syncPolicy: { automated: { prune: true } } },
      );

      const status = await app.untilDeployed(repository.first);

      const source = { repoURL: repository.url, path: 'overlay', targetRevision: 'main' };
      const resource = { version: 'v1', kind: 'ConfigMap', namespace, name: 'one', status: 'Synced' };
      expect(status.sync).toMatchObject({
        revision: repository.first,
        comparedTo: { source, destination: { server: localServer, namespace } },
      });
      expect(status.health?.status).toBe('Healthy');
      expect(status.sourceType).toBe('Kustomize');
      expect(status.resources).toEqual([resource]);
      expect(status.conditions).toBeUndefined();
      expect(status.history).toHaveLength(1);
      expect(status.history?.[0]).toMatchObject({ id: 0, revision: repository.first, source });
      expect(status.operationState).toMatchObject({
        phase: 'Succeeded',
        message: 'successfully synced (all tasks run)',
        operation: { initiatedBy: { automated: true }, sync: { revision: repository.first, prune: true } },
        syncResult: {
          revision: repository.first,
          source,
          resources: [{ ...resource, group: '', message: 'configmap/one created', syncPhase: 'Sync' }],
        },
      });
      expect(Date.parse(status.operationState?.finishedAt ?? '')).toBeGreaterThanOrEqual(
        Date.parse(status.operationState?.startedAt ?? ''),
      );
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
    });

    it('says on each object whose it is', async () => {
      const { app, namespace } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: automated },
      );

      await app.untilSettled('Synced', 'Healthy');

      const { body } = await world().api.get(configMapPath(namespace, 'one'));
      expect(body.metadata.annotations?.['argocd.argoproj.io/tracking-id']).toBe(
        `${app.name}:/ConfigMap:${namespace}/one`,
      );
    });

    it('with a Deployment is Healthy when its pods are, and lists their images', async () => {
      const { app, namespace } = await givenApplication(
        world(),
        { 'web.yaml': deployment('web', 2, 'registry.example/web:1') },
        { syncPolicy: automated },
      );

      const status = await app.untilSettled('Synced', 'Healthy');

      expect(status.resources).toEqual([
        {
          group: 'apps',
          version: 'v1',
          kind: 'Deployment',
          namespace,
          name: 'web',
          status: 'Synced',
          health: { status: 'Healthy' },
        },
      ]);
      expect(status.summary?.images).toEqual(['registry.example/web:1']);
      const { body } = await world().api.get(pathOf('apps/v1', 'deployments', namespace, 'web'));
      expect(body.status).toMatchObject({ readyReplicas: 2 });
    });

    it('of a plain directory takes its YAML and JSON files, and those of its folders only when told to', async () => {
      const { app, namespace } = await givenApplication(
        world(),
        {
          'plain/two.yaml': `${configMap('one')}---\n${configMap('two')}`,
          'plain/three.json': configMap('three'),
          'plain/README.md': 'words\n',
          'plain/deeper/four.yaml': configMap('four'),
        },
        { path: 'plain', syncPolicy: automated },
      );
      const names = async () => (await app.untilSettled('Synced', 'Healthy')).resources?.map(({ name }) => name).sort();

      expect(await names()).toEqual(['one', 'three', 'two']);
      await app.patch({ spec: { source: { directory: { recurse: true } } } });
      await world().untilLive(configMapPath(namespace, 'four'));

      await app.until('the fourth', ({ resources, sync }) => sync?.status === 'Synced' && resources?.length === 4);
      expect(await names()).toEqual(['four', 'one', 'three', 'two']);
    });

    it('of a directory without manifests is Synced and Healthy, and no operation has run', async () => {
      const { app, repository } = await givenApplication(
        world(),
        { 'empty/README.md': 'words\n' },
        { path: 'empty', syncPolicy: automated },
      );

      const status = await app.untilSettled('Synced', 'Healthy');

      expect(status.sync?.revision).toBe(repository.first);
      expect(status.resources ?? []).toEqual([]);
      expect(status.operationState).toBeUndefined();
      expect(status.history).toBeUndefined();
    });

    it('may name its cluster in-cluster', async () => {
      const namespace = await world().namespace();
      const { app } = await givenApplication(
        world(),
        { 'one.yaml': configMap('one') },
        { syncPolicy: automated, spec: { destination: { name: 'in-cluster', namespace } } },
      );

      const status = await app.untilSettled('Synced', 'Healthy');

      expect(status.sync?.comparedTo?.destination).toEqual({ name: 'in-cluster', namespace });
      expect(await liveValue(world(), namespace, 'one')).toBe('first');
    });
  });
}
