import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argoApplications, gitOpsDeployments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { finalizers } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import { applicationName } from '../../../../shared/domain/gitops/names.ts';
import type { GitOpsJourney } from '../../../support/gitops-journey.ts';
import { configMap, openTenant, type TenantJourney } from '../../../support/tenant-journey.ts';

/** Point 1 and 8 of the issue: what a tenant writes is deployed, and what became of it is told. */
export function describeDeploymentJourneys(open: () => Promise<GitOpsJourney>): void {
  describe('a GitOpsDeployment, deployed by an Argo CD that works', () => {
    let journey: GitOpsJourney;
    let tenant: TenantJourney;
    beforeAll(async () => {
      journey = await open();
      tenant = await openTenant(journey, {
        'web/map.yaml': configMap('web', 'one'),
        'api/map.yaml': configMap('api', 'one'),
        'kept/map.yaml': configMap('kept', 'one'),
        'robbed/map.yaml': configMap('robbed', 'one'),
      });
    });
    afterAll(() => journey?.stop());

    it('RD-03 RT-02 of type automated is deployed into its own namespace and says so', async () => {
      await tenant.deploy('web', { path: 'web' });

      const { status } = await tenant.untilStatus('web', 'Synced', 'Healthy');

      expect(await tenant.dataOf('web')).toBe('one');
      expect(status?.sync?.revision).toBe(tenant.repository.first);
      expect(status?.resources).toMatchObject([
        { kind: 'ConfigMap', name: 'web', namespace: tenant.namespace, status: 'Synced' },
      ]);
      expect(status?.reconciledState).toMatchObject({
        source: { path: 'web', repoURL: tenant.repository.url },
        destination: { name: '', namespace: tenant.namespace },
      });
      expect(status?.operationState?.phase).toBe('Succeeded');
      expect(status?.observedAt).toBeDefined();
    });

    it('RD-05 that names another directory deploys that one and takes the first away', async () => {
      await tenant.deploy('moving', { path: 'web' });
      await tenant.untilStatus('moving', 'Synced', 'Healthy');

      await journey.api.patch(gitOpsDeployments, tenant.key('moving'), { spec: { source: { path: 'api' } } });

      await tenant.until('the other directory to be deployed', async () => (await tenant.dataOf('api')) === 'one');
      await tenant.until('the first one to be gone', async () => {
        const seen = await tenant.read('moving');
        return seen?.status?.sync?.status === 'Synced' && seen.status.reconciledState?.source?.path === 'api';
      });
    });

    it('RD-05 with the finalizer stays until everything it deployed is gone', async () => {
      await tenant.deploy('kept', { path: 'kept' }, { finalizers: [finalizers.gitOpsDeployment.key] });
      const { metadata } = await tenant.untilStatus('kept', 'Synced', 'Healthy');

      await journey.api.remove(gitOpsDeployments, tenant.key('kept'));

      await tenant.until('the deployment to be gone', async () => (await tenant.read('kept')) === undefined);
      const application = { namespace: journey.argoNamespace, name: applicationName(metadata.uid) };
      expect(await journey.api.read(argoApplications, application)).toBeUndefined();
      expect(await tenant.dataOf('kept')).toBeUndefined();
    });

    it('without the finalizer goes at once, and what it deployed goes in the background', async () => {
      const repository = await tenant.anotherRepository({ 'job/map.yaml': configMap('job', 'one') });
      await tenant.deploy('background', { path: 'job', repository });
      const { metadata } = await tenant.untilStatus('background', 'Synced', 'Healthy');

      await journey.api.remove(gitOpsDeployments, tenant.key('background'));

      expect(await tenant.read('background')).toBeUndefined();
      await tenant.until('what it deployed to be gone', async () => (await tenant.dataOf('job')) === undefined);
      const application = { namespace: journey.argoNamespace, name: applicationName(metadata.uid) };
      await tenant.until(
        'its Application to be gone',
        async () => (await journey.api.read(argoApplications, application)) === undefined,
      );
    });

    it('re-created under the same name shares nothing with the one before', async () => {
      const repository = await tenant.anotherRepository({
        'a/map.yaml': configMap('first', 'a'),
        'b/map.yaml': configMap('second', 'b'),
      });
      await tenant.deploy('reborn', { path: 'a', repository });
      const before = await tenant.untilStatus('reborn', 'Synced', 'Healthy');

      await journey.api.remove(gitOpsDeployments, tenant.key('reborn'));
      await tenant.deploy('reborn', { path: 'b', repository });

      await tenant.until('the new one to be deployed', async () => (await tenant.dataOf('second')) === 'b');
      await tenant.until('the old one to be taken away', async () => (await tenant.dataOf('first')) === undefined);
      const after = await tenant.untilStatus('reborn', 'Synced', 'Healthy');
      expect(after.metadata.uid).not.toBe(before.metadata.uid);
      expect(after.status?.reconciledState?.source?.path).toBe('b');
    });

    it('whose directory does not exist says what Argo CD says, and is well again when it does', async () => {
      await tenant.deploy('early', { path: 'late' });
      await tenant.untilCondition('early', 'ComparisonError', 'True');

      await tenant.repository.commit({ 'late/map.yaml': configMap('late', 'now') });

      await journey.api.patch(argoApplications, await tenant.applicationKey('early'), {
        metadata: { annotations: { 'argocd.argoproj.io/refresh': 'hard' } },
      });
      await tenant.untilStatus('early', 'Synced', 'Healthy');
      await tenant.untilCondition('early', 'ComparisonError', 'False');
    });

    it('an Application that somebody deleted comes back by itself', async () => {
      await tenant.deploy('robbed', { path: 'robbed' });
      await tenant.untilStatus('robbed', 'Synced', 'Healthy');
      const key = await tenant.applicationKey('robbed');
      const before = await journey.api.read(argoApplications, key);

      await journey.api.remove(argoApplications, key);

      await tenant.until('another one to be there', async () => {
        const now = await journey.api.read(argoApplications, key);
        return now !== undefined && now.metadata.uid !== before?.metadata.uid;
      });
    });
  });
}
