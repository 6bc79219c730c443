import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appProjects, argoApplications } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { labels } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import { applicationName, projectName } from '../../../../shared/domain/gitops/names.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { type OperationStage, openOperationStage, repository } from './operations-stage.ts';

/** An Argo CD Application and its project follow their rows. */
export function describeOperations(open: () => Promise<GitOpsWorld>): void {
  describe('an operation about an application', () => {
    let world: GitOpsWorld;
    let stage: OperationStage;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      stage = await openOperationStage(world);
    });

    it('CO-09 a row without an Argo CD Application: it is created with the spec and the label of the row', async () => {
      const id = await stage.application();
      const operation = await stage.request('Application', id);

      const { did, woke } = await stage.look('Application', id);

      expect(did).toEqual(['create-project', 'create-application', 'complete-operation']);
      expect(woke).toEqual([]);
      const made = await stage.argoApplication(id);
      expect(made?.metadata.labels).toEqual({ [labels.databaseId]: id });
      expect(made?.metadata.finalizers).toEqual([]);
      expect(made?.spec).toMatchObject({
        source: { repoURL: repository, path: 'deploy', targetRevision: 'main' },
        destination: { name: 'in-cluster', namespace: stage.namespace.name },
        project: projectName(stage.namespace.uid),
      });
      expect(await stage.operation(operation)).toEqual({ state: 'Completed', text: '', gc: 3_600 });
      expect(await stage.appliedRevision(id)).toBe(1);
    });

    it('CO-15 the project lists the repositories and destinations of the tenant, and nothing else', async () => {
      const environmentId = await stage.environment({ namespaces: 'blue,green' });
      const id = await stage.application();
      await stage.repositoryCredentials({ url: 'https://git.example/team/private' });

      await stage.apply('Application', id);

      const project = await stage.project();
      expect(project?.metadata.annotations).toMatchObject({ username: stage.namespace.uid });
      expect(project?.spec.sourceRepos.toSorted()).toEqual([repository, 'https://git.example/team/private']);
      expect(project?.spec.destinations.map(({ name, namespace }) => `${name} ${namespace}`).toSorted()).toEqual([
        `in-cluster ${stage.namespace.name}`,
        `managed-env-${environmentId} blue`,
        `managed-env-${environmentId} green`,
      ]);
      expect(await stage.recordedRepositories()).toEqual([repository, 'https://git.example/team/private']);
    });

    it('a second application of the same repository costs one request and leaves the project alone', async () => {
      await stage.apply('Application', await stage.application({ name: 'first' }));
      const second = await stage.application({ name: 'second' });

      const { asked, did } = await stage.apply('Application', second);

      expect(asked).toEqual(['POST applications']);
      expect(did).toEqual(['create-application', 'complete-operation']);
    });

    it('CO-12 a project that lacks a repository is brought up to date before the application', async () => {
      await stage.apply('Application', await stage.application());
      const other = await stage.application({ repoURL: 'https://git.example/team/other' });

      const { did } = await stage.apply('Application', other);

      expect(did).toEqual(['update-project', 'create-application', 'complete-operation']);
      expect((await stage.project())?.spec.sourceRepos).toEqual([repository, 'https://git.example/team/other']);
      expect(await stage.recordedRepositories()).toEqual([repository, 'https://git.example/team/other']);
    });

    it('CO-10 a changed row changes the spec, and takes away what is no longer in it', async () => {
      const policy = { automated: { prune: true, selfHeal: true, allowEmpty: true }, syncOptions: ['A=b'] };
      const id = await stage.application({ more: { syncPolicy: policy } });
      await stage.apply('Application', id);
      await stage.changeApplication(id, { repoURL: repository, more: { syncPolicy: { syncOptions: ['A=c'] } } });

      const { did } = await stage.apply('Application', id);

      expect(did).toEqual(['update-application', 'complete-operation']);
      const { syncPolicy } = (await stage.argoApplication(id))?.spec ?? {};
      expect(syncPolicy?.syncOptions).toEqual(['A=c']);
      expect(syncPolicy?.automated).toBeUndefined();
      expect(await stage.appliedRevision(id)).toBe(2);
    });

    it('CO-11 a sync option comes, goes and comes again', async () => {
      const withOption = { more: { syncPolicy: { syncOptions: ['CreateNamespace=true'] } } };
      const id = await stage.application(withOption);
      await stage.apply('Application', id);
      const optionsOf = async () => (await stage.argoApplication(id))?.spec.syncPolicy?.syncOptions ?? [];
      expect(await optionsOf()).toEqual(['CreateNamespace=true']);

      await stage.changeApplication(id, {});
      await stage.apply('Application', id);
      expect(await optionsOf()).toEqual([]);

      await stage.changeApplication(id, withOption);
      await stage.apply('Application', id);
      expect(await optionsOf()).toEqual(['CreateNamespace=true']);
    });

    it('an operation about something that is as it should be writes nothing beside Argo CD', async () => {
      const id = await stage.application();
      await stage.apply('Application', id);

      const { did, asked } = await stage.apply('Application', id);

      expect(did).toEqual(['complete-operation']);
      expect(asked.filter((request) => !request.startsWith('GET'))).toEqual([]);
    });

    it('defect 19: all operations about one resource end together, whoever asked for them', async () => {
      const id = await stage.application();
      await stage.request('Application', id);
      await stage.request('Application', id, { repair: true });

      await stage.look('Application', id);

      expect(await stage.states(id)).toEqual(['Completed', 'Completed']);
    });

    it('BS-09 a waiting operation is used again, an ended one is not', async () => {
      const id = await stage.application();
      const first = await stage.request('Application', id);
      const again = await stage.request('Application', id);
      await stage.look('Application', id);

      const later = await stage.request('Application', id);

      expect(again).toBe(first);
      expect(later).not.toBe(first);
      expect(await stage.states(id)).toEqual(['Completed', 'Waiting']);
    });

    it('one that was made by a step that died is found, and made right', async () => {
      const id = await stage.application();
      const metadata = { namespace: argoNamespace, name: applicationName(id) };
      await stage.cluster.create(argoApplications, {
        metadata,
        spec: { source: { repoURL: 'https://elsewhere.example/x', path: '.' }, destination: {}, project: 'default' },
      });

      const { did } = await stage.apply('Application', id);

      expect(did).toEqual(['update-application', 'complete-operation']);
      const made = await stage.argoApplication(id);
      expect(made?.metadata.labels[labels.databaseId]).toBe(id);
      expect(made?.spec).toMatchObject({ source: { repoURL: repository }, project: projectName(stage.namespace.uid) });
    });

    it('a repair trusts no record: what was deleted or changed by hand is made right', async () => {
      const id = await stage.application();
      await stage.apply('Application', id);
      await stage.cluster.remove(appProjects, { namespace: argoNamespace, name: projectName(stage.namespace.uid) });
      await stage.patchArgo(id, { spec: { source: { path: 'elsewhere' } } });

      const { did } = await stage.apply('Application', id, { repair: true });

      expect(did).toEqual(['create-project', 'update-application', 'complete-operation']);
      expect((await stage.argoApplication(id))?.spec.source?.path).toBe('deploy');
    });

    it('nothing runs in project default, whatever the row says', async () => {
      const id = await stage.application({ more: { project: 'default' } });

      await stage.apply('Application', id);

      expect((await stage.argoApplication(id))?.spec.project).toBe(projectName(stage.namespace.uid));
    });

    it('an application without its environment is not made anew', async () => {
      const id = await stage.application({ environmentId: undefined });

      const { did } = await stage.apply('Application', id);

      expect(did).toEqual(['create-project', 'complete-operation']);
      expect(await stage.argoApplication(id)).toBeUndefined();
    });

    it('a row that cannot be read is a failure that its owner hears of', async () => {
      const id = await stage.application({ spec: 'neither: JSON' });
      const operation = await stage.request('Application', id);

      const { did, woke } = await stage.look('Application', id);

      expect(did).toEqual(['fail-operation']);
      expect(woke).toEqual(['gitops-deployment.changed.v1 web']);
      expect(await stage.operation(operation)).toMatchObject({ state: 'Failed', gc: 86_400 });
    });

    it('what the API server refuses is a failure with its words, and its success later is news', async () => {
      const id = await stage.application({ more: { syncPolicy: { syncOptions: 'not a list' } } });
      const operation = await stage.request('Application', id);

      const refused = await stage.look('Application', id);
      await stage.changeApplication(id, {});
      const allowed = await stage.apply('Application', id);

      expect(refused.did).toEqual(['fail-operation']);
      expect(refused.woke).toEqual(['gitops-deployment.changed.v1 web']);
      expect((await stage.operation(operation))?.text).toContain('The API server refused to create application');
      expect(allowed.did).toContain('create-application');
      expect(allowed.woke).toEqual(['gitops-deployment.changed.v1 web']);
    });
  });
}
