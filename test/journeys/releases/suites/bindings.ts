import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { bindings, components, environments, snapshots } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { annotations } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { ReleaseWorld } from '../../../support/release-world.ts';
import { inFreshScenes, type ReleaseScene } from './release-scene.ts';

const one = 'registry.example.com/shop/web@sha256:1111111111111111111111111111111111111111111111111111111111111111';
const two = 'registry.example.com/shop/web@sha256:2222222222222222222222222222222222222222222222222222222222222222';

/** A snapshot goes into Git and from there to the place of an Environment. */
export function describeBindings(open: () => Promise<ReleaseWorld>): void {
  describe('a SnapshotEnvironmentBinding', () => {
    let world: ReleaseWorld;
    let scene: ReleaseScene;
    inFreshScenes(open, async (fresh) => {
      ({ world } = fresh);
      scene = fresh;
      await scene.application();
      await scene.component('web', one, { targetPort: 8080, env: [{ name: 'LEVEL', value: 'info' }] });
      await scene.component('api', one);
      await scene.environment('dev');
      await scene.snapshot('first', { web: one, api: one });
      await scene.settle();
    });

    it('B01 brings all components into one commit, and deploys each from its directory', async () => {
      const name = await scene.bind('dev', 'first');
      await scene.settle();

      const [commit, ...more] = await scene.commits();
      const url = await scene.repository();
      const { status } = await scene.read(name);
      expect(more).toEqual([]);
      expect(await scene.says(name, 'Refreshed')).toBe('True OK: GitOps repo has been successfully refreshed');
      expect(status?.components.map(({ name: component, gitOpsRepository }) => [component, gitOpsRepository])).toEqual(
        ['api', 'web'].map((component) => [
          component,
          {
            url,
            branch: 'main',
            path: `components/${component}/overlays/dev`,
            generatedResources: ['deployment-patch.yaml'],
            commitID: commit?.id,
          },
        ]),
      );
      const deployments = await scene.deployments();
      expect(deployments.map(({ metadata, spec }) => [metadata.name, spec.source, spec.type])).toEqual(
        ['api', 'web'].map((component) => [
          `${name}-shop-dev-${component}`,
          { repoURL: url, path: `components/${component}/overlays/dev`, targetRevision: 'main' },
          'automated',
        ]),
      );
      expect(deployments.map(({ metadata }) => metadata.annotations[annotations.commit.key])).toEqual([
        commit?.id,
        commit?.id,
      ]);
    });

    it('B18 is reached through an Ingress below the domain of its Environment', async () => {
      const kubernetesCredentials = {
        targetNamespace: 'shop-outside',
        apiURL: 'https://cluster.example.com',
        clusterCredentialsSecret: 'outside',
        ingressDomain: 'apps.example.com',
      };
      const spec = { unstableConfigurationFields: { clusterType: 'Kubernetes', kubernetesCredentials } };
      await scene.environment('outside', { strategy: 'Manual', spec });
      const name = await scene.bind('outside', 'first');
      await scene.settle();

      expect(await scene.says(name, 'Refreshed')).toBe('True OK: GitOps repo has been successfully refreshed');
      const ingress = parse((await scene.files())['components/web/overlays/outside/ingress.yaml'] ?? '') as object;
      expect(ingress).toMatchObject({
        kind: 'Ingress',
        spec: { rules: [{ host: expect.stringMatching(/^web-.*\.apps\.example\.com$/) }] },
      });
    });

    it('B33 tells in its commit and in the ledger which snapshot it was made of', async () => {
      const name = await scene.bind('dev', 'first');
      await scene.settle();

      const [commit] = await scene.commits();
      expect(commit?.message).toBe(
        [
          'Deploy first to dev',
          '',
          'Stagecoach-Application: shop',
          'Stagecoach-Environment: dev',
          'Stagecoach-Snapshot: first',
          `Stagecoach-Binding: ${name} generation 1`,
          'Stagecoach-Cause: binding generation 1',
        ].join('\n'),
      );
      const ledger =
        await world.sql`select commit_id, snapshot, environment from snapshot_commit where namespace = ${scene.namespace}`;
      expect([...ledger]).toEqual([{ commit_id: commit?.id, snapshot: 'first', environment: 'dev' }]);
    });

    it('B03 carries the labels that it is found by', async () => {
      const name = await scene.bind('dev', 'first');
      await scene.settle();

      expect((await scene.read(name)).metadata.labels).toEqual({
        'appstudio.application': 'shop',
        'appstudio.environment': 'dev',
      });
    });

    it('B11 renders again when it changes, and Argo CD is told the new commit', async () => {
      const name = await scene.bind('dev', 'first');
      await scene.settle();
      await scene.change(name, { components: [{ name: 'web', configuration: { replicas: 0 } }] });
      await scene.settle();

      const [commit, ...before] = await scene.commits();
      expect(before).toHaveLength(1);
      expect(parse((await scene.files())['components/web/overlays/dev/kustomization.yaml'] ?? '')).toMatchObject({
        replicas: [{ name: 'web', count: 0 }],
      });
      expect((await scene.deployments()).map(({ metadata }) => metadata.annotations[annotations.commit.key])).toEqual([
        commit?.id,
        commit?.id,
      ]);
      const applications = await world.sql`select spec_field from application a join deployment_to_application_mapping m
        on m.application_id = a.id where m.namespace = ${scene.namespace}`;
      expect(applications.map((row) => JSON.parse(String(row['spec_field'])).info)).toEqual([
        [{ name: 'Commit', value: commit?.id }],
        [{ name: 'Commit', value: commit?.id }],
      ]);
    });

    it('G12 makes no commit where nothing changes', async () => {
      const name = await scene.bind('dev', 'first');
      await scene.settle();
      const before = await scene.commits();
      await scene.change(name, { components: [{ name: 'web', configuration: {} }] });
      await scene.settle();

      expect(await scene.commits()).toEqual(before);
    });

    it('says nothing new and writes nothing when everything is looked at again', async () => {
      const name = await scene.bind('dev', 'first');
      await scene.settle();
      await scene.settle();
      const { metadata } = await scene.read(name);
      const rows = () => world.sql`select xmin, id from binding_overlay where namespace = ${scene.namespace}`;
      const before = await rows();
      world.knock('binding.changed.v1', { namespace: scene.namespace, name, application: 'shop' });
      await scene.settle();

      expect((await scene.read(name)).metadata.resourceVersion).toBe(metadata.resourceVersion);
      expect(await rows()).toEqual(before);
    });

    it('B26 lets a component go that the next snapshot does not have: deployment, directory and status', async () => {
      const name = await scene.bind('dev', 'first');
      await scene.settle();
      await scene.snapshot('less', { web: two });
      await scene.change(name, { snapshot: 'less' });
      await scene.settle();

      expect((await scene.read(name)).status?.components.map((component) => component.name)).toEqual(['web']);
      expect(
        (await scene.deployments()).map(({ metadata }) => metadata.labels['appstudio.openshift.io/component']),
      ).toEqual(['web']);
      expect(Object.keys(await scene.files()).filter((path) => path.startsWith('components/api/overlays'))).toEqual([]);
    });

    it('B27 takes its overlays away when it is deleted', async () => {
      const name = await scene.bind('dev', 'first');
      await scene.settle();
      await world.cluster.remove(bindings, { namespace: scene.namespace, name });
      await scene.settle();

      expect(Object.keys(await scene.files()).filter((path) => path.includes('/overlays/'))).toEqual([]);
      const [{ count } = {}] =
        await world.sql`select count(*)::int from binding_overlay where namespace = ${scene.namespace}`;
      expect(count).toBe(0);
    });

    it('shares nothing with one of its name that was deleted: what it wants stays', async () => {
      const name = await scene.bind('dev', 'first');
      await scene.settle();
      await world.cluster.remove(bindings, { namespace: scene.namespace, name });
      await scene.bind('dev', 'first');
      await scene.settle();
      await world.wake();
      await scene.settle();

      expect(Object.keys(await scene.files())).toContain('components/web/overlays/dev/kustomization.yaml');
      const rows =
        await world.sql`select gone, rendered_digest = wanted_digest as done from binding_overlay where namespace = ${scene.namespace}`;
      expect([...rows]).toEqual([{ gone: false, done: true }]);
    });

    it('B31 follows what a Component, an Application and an Environment say at once where the Environment is automated', async () => {
      const name = await scene.bind('dev', 'first');
      await scene.settle();
      await world.cluster.patch(components, { namespace: scene.namespace, name: 'web' }, { spec: { replicas: 3 } });
      await world.cluster.patch(
        environments,
        { namespace: scene.namespace, name: 'dev' },
        { spec: { configuration: { env: [{ name: 'REGION', value: 'eu' }] } } },
      );
      await scene.settle();

      const files = await scene.files();
      expect(parse(files['components/web/overlays/dev/kustomization.yaml'] ?? '')).toMatchObject({
        replicas: [{ name: 'web', count: 3 }],
      });
      expect(files['components/web/overlays/dev/deployment-patch.yaml']).toContain('REGION');
      expect(await scene.says(name, 'ConfigurationPending')).toBeUndefined();
    });

    it('waits with the values of others for the next promotion where the Environment is manual, and says which', async () => {
      await scene.environment('prod', { strategy: 'Manual' });
      const name = await scene.bind('prod', 'first');
      await scene.settle();
      const before = await scene.commits();
      await world.cluster.patch(components, { namespace: scene.namespace, name: 'web' }, { spec: { replicas: 3 } });
      await scene.settle();

      expect(await scene.commits()).toEqual(before);
      expect(await scene.says(name, 'ConfigurationPending')).toBe(
        'True WaitsForPromotion: With the next promotion or change of this Binding come: web: replicas',
      );

      await scene.snapshot('second', { web: two, api: one });
      await scene.change(name, { snapshot: 'second' });
      await scene.settle();

      expect(parse((await scene.files())['components/web/overlays/prod/kustomization.yaml'] ?? '')).toMatchObject({
        replicas: [{ name: 'web', count: 3 }],
      });
      expect(await scene.says(name, 'ConfigurationPending')).toBe('False Rendered: ');
    });

    it('B05 leaves out a component that is not there and says so, and does not hold up the others', async () => {
      await scene.snapshot('strange', { web: one, ghost: one, '../../etc': one });
      const name = await scene.bind('dev', 'strange');
      await scene.settle();

      const { status } = await scene.read(name);
      expect(status?.components.map((component) => [component.name, component.conditions[0]?.reason])).toEqual([
        ['web', 'OK'],
        ['../../etc', 'ComponentNotFound'],
        ['ghost', 'ComponentNotFound'],
      ]);
      expect(await scene.deployments()).toHaveLength(1);
    });

    it('B06 names the Snapshot that is missing, and goes on when it comes', async () => {
      const name = await scene.bind('dev', 'later');
      await scene.settle();

      expect(await scene.says(name, 'Refreshed')).toBe('False SnapshotNotFound: Snapshot later was not found');
      expect(await scene.says(name, 'Reconciled')).toBe(
        `False GitOpsRepoNotReady: Cannot Reconcile Binding '${name}', since GitOps Repo Conditions status is false.`,
      );

      await scene.snapshot('later', { web: one });
      await scene.settle();

      expect(await scene.says(name, 'Refreshed')).toMatch(/^True/);
      expect(await scene.says(name, 'Reconciled')).toBe('True Reconciled: ');
    });

    it('B07 names the Environment that is missing, and goes on when it comes', async () => {
      const name = await scene.bind('nowhere', 'first');
      await scene.settle();

      expect(await scene.says(name, 'Refreshed')).toBe('False EnvironmentNotFound: Environment nowhere was not found');

      await scene.environment('nowhere');
      await scene.settle();

      expect(await scene.says(name, 'Refreshed')).toMatch(/^True/);
    });

    it('B08 does not take the Snapshot of another application', async () => {
      await scene.snapshot('foreign', { web: one }, 'other');
      const name = await scene.bind('dev', 'foreign');
      await scene.settle();

      expect(await scene.says(name, 'Refreshed')).toBe(
        'False SnapshotOfOtherApplication: Snapshot foreign belongs to application other, not to shop',
      );
    });

    it('of two for one application and environment the older works, and the other says so until it is gone', async () => {
      const first = await scene.bind('dev', 'first');
      await scene.settle();
      const second = await scene.bind('dev', 'first', { name: 'younger' });
      await scene.settle();

      expect(await scene.says(second, 'Reconciled')).toBe(
        `False DuplicateBinding: SnapshotEnvironmentBinding ${first} deploys application shop to environment dev already: delete one of the two`,
      );
      expect(await scene.deployments()).toHaveLength(2);

      await world.cluster.remove(bindings, { namespace: scene.namespace, name: first });
      await scene.settle();
      await world.wake();
      await scene.settle();

      expect(await scene.says(second, 'Reconciled')).toBe('True Reconciled: ');
      expect(Object.keys(await scene.files())).toContain('components/web/overlays/dev/kustomization.yaml');
    });

    it('AS-22 counts what is deployed', async () => {
      const name = await scene.bind('dev', 'first');
      await scene.settle();

      expect(await scene.says(name, 'AllComponentsDeployed')).toBe('False CommitsUnsynced: 0 of 2 components deployed');
    });

    it('a Snapshot cannot be changed', async () => {
      await expect(
        world.cluster.patch(snapshots, { namespace: scene.namespace, name: 'first' }, { spec: { components: [] } }),
      ).rejects.toThrow(/components cannot be updated/);
    });
  });
}
