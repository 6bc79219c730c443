import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { argoApplications } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { finalizers } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import { applicationName } from '../../../../shared/domain/gitops/names.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { type OperationStage, openOperationStage, repository } from './operations-stage.ts';

/** An Argo CD Application goes with its row. */
export function describeOperationsOfDeletion(open: () => Promise<GitOpsWorld>): void {
  describe('an operation about an application whose row is gone', () => {
    let world: GitOpsWorld;
    let stage: OperationStage;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      stage = await openOperationStage(world);
    });

    /** An application that was made, and whose rows are gone again. */
    async function left(deploymentName = 'web'): Promise<string> {
      const id = await stage.application();
      await stage.apply('Application', id);
      await stage.dropApplication(id);
      await stage.request('Application', id, { deploymentName });
      return id;
    }

    it('CU-02 the finalizer is added and the Application deleted; the operation waits until it is gone', async () => {
      const id = await left();

      const { did, reason, woke } = await stage.look('Application', id);

      expect(did).toEqual(['delete-application', 'begin-operation']);
      expect(reason).toBe('ApplicationLeaving');
      expect(woke).toEqual([]);
      const going = await stage.argoApplication(id);
      expect(going?.metadata.deletionTimestamp).toBeDefined();
      expect(going?.metadata.finalizers).toContain(finalizers.argoApplication.key);
      expect(await stage.states(id)).toEqual(['Completed', 'In_Progress']);
      expect(await stage.project()).toBeDefined();
    });

    it('CO-08 when it is gone the project of a tenant with nothing left goes, and the deployment is told', async () => {
      const id = await left();
      await stage.look('Application', id);
      await stage.letGo(id);

      const { did, woke } = await stage.look('Application', id);

      expect(did).toEqual(['delete-project', 'complete-operation']);
      expect(woke).toEqual(['gitops-deployment.changed.v1 web']);
      expect(await stage.project()).toBeUndefined();
      expect(await stage.recordedRepositories()).toEqual([]);
      expect(await stage.states(id)).toEqual(['Completed', 'Completed']);
    });

    it('CO-16 the project stays, without the repository, while the tenant has anything else', async () => {
      const kept = await stage.application({ repoURL: 'https://git.example/team/kept', name: 'kept' });
      await stage.apply('Application', kept);
      const id = await left();
      expect((await stage.project())?.spec.sourceRepos).toContain(repository);
      await stage.look('Application', id);
      await stage.letGo(id);

      const { did } = await stage.look('Application', id);

      expect(did).toEqual(['update-project', 'complete-operation']);
      expect((await stage.project())?.spec.sourceRepos).toEqual(['https://git.example/team/kept']);
      expect(await stage.recordedRepositories()).toEqual(['https://git.example/team/kept']);
    });

    it('the project stays until the last Application of the tenant is gone: Argo CD needs it to remove things', async () => {
      const [one, other] = [await left('one'), await left('other')];
      await stage.look('Application', one);
      await stage.look('Application', other);
      await stage.letGo(one);

      const first = await stage.look('Application', one);
      const between = await stage.project();
      await stage.letGo(other);
      const last = await stage.look('Application', other);

      expect(first.did).toEqual(['update-project', 'complete-operation']);
      expect(between?.spec.sourceRepos).toEqual([]);
      expect(last.did).toEqual(['delete-project', 'complete-operation']);
    });

    it('an environment keeps its cluster Secret until what was deployed there is gone', async () => {
      const environmentId = await stage.environment();
      const id = await stage.application({ environmentId });
      await stage.apply('Application', id);
      await stage.dropApplication(id);
      await stage.dropEnvironment(environmentId);
      await stage.request('Application', id);

      const early = await stage.apply('ManagedEnvironment', environmentId);
      await stage.look('Application', id);
      await stage.letGo(id);
      await stage.look('Application', id);
      const late = await stage.look('ManagedEnvironment', environmentId);

      expect([early.reason, ...early.did]).toEqual(['ApplicationsLeaving', 'begin-operation']);
      expect(late.did).toContain('delete-cluster-secret');
      expect(await stage.clusterSecret(environmentId)).toBeUndefined();
    });

    it('CU-03 one that carries the finalizer already is deleted', async () => {
      const id = await left();
      await stage.patchArgo(id, { metadata: { finalizers: [finalizers.argoApplication.key] } });

      const { did, asked } = await stage.look('Application', id);

      expect(did).toContain('delete-application');
      expect(asked.filter((request) => request.startsWith('PATCH'))).toEqual([]);
      expect((await stage.argoApplication(id))?.metadata.deletionTimestamp).toBeDefined();
    });

    it('CU-01 CO-30 one that is not labelled as ours is left alone', async () => {
      const id = await left();
      await stage.patchArgo(id, { metadata: { labels: { databaseID: 'of-somebody-else' } } });

      const { did } = await stage.look('Application', id);

      expect(did).toEqual(['delete-project', 'complete-operation']);
      expect((await stage.argoApplication(id))?.metadata.deletionTimestamp).toBeUndefined();
      await stage.cluster.remove(argoApplications, { namespace: argoNamespace, name: applicationName(id) });
    });

    it('one that stays is touched, so that an Argo CD that overlooked its deletion looks again', async () => {
      const id = await left();
      await stage.look('Application', id);

      const { did } = await stage.look('Application', id, 20);

      expect(did).toEqual(['touch-application']);
      expect((await stage.argoApplication(id))?.metadata.annotations).toMatchObject({
        'argocd.argoproj.io/refresh': 'normal',
      });
      expect((await stage.look('Application', id, 21)).did).toEqual([]);
      expect((await stage.look('Application', id, 36)).did).toEqual(['touch-application']);
      await stage.letGo(id);
    });

    it('CU-04 one that is kept by finalizers loses them after five minutes, and is gone', async () => {
      const id = await left();
      await stage.patchArgo(id, { metadata: { finalizers: ['example.test/kept'] } });
      await stage.look('Application', id);

      const { did, reason } = await stage.look('Application', id, 301);
      const after = await stage.look('Application', id, 302);

      expect(did).toEqual(['strip-finalizers']);
      expect(reason).toBe('FinalizersStripped');
      expect(await stage.argoApplication(id)).toBeUndefined();
      expect(after.did).toEqual(['delete-project', 'complete-operation']);
    });

    it('one that nobody made is complete at once', async () => {
      const id = await stage.application();
      await stage.dropApplication(id);
      await stage.request('Application', id, { deploymentName: 'web' });

      const { did, woke } = await stage.look('Application', id);

      expect(did).toEqual(['complete-operation']);
      expect(woke).toEqual(['gitops-deployment.changed.v1 web']);
    });

    it('a knock that comes after the operation has ended finds what was left, and takes it away', async () => {
      const id = await stage.application();
      await stage.apply('Application', id);
      await stage.dropApplication(id);

      const { did } = await stage.look('Application', id);

      expect(did).toEqual(['delete-application']);
      await stage.letGo(id);
    });

    it('a knock about something that nobody ever heard of is nothing to look at', async () => {
      const { outcome, did } = await stage.look('Application', 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa');

      expect(outcome).toBe('skipped');
      expect(did).toEqual([]);
    });

    it('a repair removes whatever claims to be of a row that is gone, by its label', async () => {
      const id = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb';
      const name = `copy-of-${stage.namespace.name}`;
      await stage.cluster.create(argoApplications, {
        metadata: { namespace: argoNamespace, name, labels: { databaseID: id } },
        spec: { source: { repoURL: repository, path: '.' }, destination: {}, project: 'default' },
      });

      const { did } = await stage.apply('Application', id, { repair: true });

      expect(did).toEqual(['delete-application', 'begin-operation']);
      const key = { namespace: argoNamespace, name };
      expect((await stage.cluster.read(argoApplications, key))?.metadata.deletionTimestamp).toBeDefined();
      await stage.cluster.patch(argoApplications, key, { metadata: { finalizers: null } });
    });
  });
}
