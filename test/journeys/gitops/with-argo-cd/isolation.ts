import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  appProjects,
  argoApplications,
  clusterRoles,
  gitOpsDeployments,
  secrets,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsJourney } from '../../../support/gitops-journey.ts';
import { configMap, openTenant, type TenantJourney } from '../../../support/tenant-journey.ts';

function clusterRole(name: string): string {
  const rules = 'rules:\n  - apiGroups: ["*"]\n    resources: ["*"]\n    verbs: ["*"]\n';
  return `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: ${name}\n${rules}`;
}

/** Points 6 and 10: what belongs to one tenant is of no use to another. */
export function describeIsolationJourneys(open: () => Promise<GitOpsJourney>): void {
  describe('two tenants of one Argo CD', () => {
    let journey: GitOpsJourney;
    let one: TenantJourney;
    let other: TenantJourney;
    beforeAll(async () => {
      journey = await open();
      one = await openTenant(journey, { 'web/map.yaml': configMap('web', 'of one') });
      other = await openTenant(journey, { 'web/map.yaml': configMap('web', 'of the other') });
    });
    afterAll(() => journey?.stop());

    it('each has a project of its own, with its repositories and its namespace and nothing else', async () => {
      await one.deploy('web', { path: 'web' });
      await other.deploy('web', { path: 'web' });
      await one.untilStatus('web', 'Synced', 'Healthy');
      await other.untilStatus('web', 'Synced', 'Healthy');

      for (const tenant of [one, other]) {
        const application = await journey.api.read(argoApplications, await tenant.applicationKey('web'));
        const name = application?.spec.project ?? '';
        expect(name).toMatch(/^app-project-/);
        const project = await journey.api.read(appProjects, { namespace: journey.argoNamespace, name });
        expect(project?.spec.sourceRepos).toEqual([tenant.repository.url]);
        expect(project?.spec.destinations.map(({ name: cluster, namespace }) => [cluster, namespace])).toEqual([
          ['in-cluster', tenant.namespace],
        ]);
      }
    });

    it('neither can read the other’s repository, though Argo CD has the credential for it', async () => {
      await one.deploy('thief', { path: 'web', repository: other.repository.url });

      const message = await one.untilCondition('thief', 'ComparisonError', 'True');

      expect(message).not.toContain(journey.git.readToken);
      expect((await one.read('thief'))?.status?.sync?.status).not.toBe('Synced');
    });

    it('neither can deploy into the other’s namespace', async () => {
      await journey.api.create(gitOpsDeployments, {
        metadata: { namespace: one.namespace, name: 'intruder' },
        spec: {
          source: { repoURL: one.repository.url, path: 'web' },
          destination: { namespace: other.namespace },
          type: 'automated',
        },
      });

      const message = await one.untilCondition('intruder', 'ErrorOccurred', 'True');

      expect(message).toBe('the environment field should not be empty when the namespace is non-empty');
      expect(await other.dataOf('web')).toBe('of the other');
    });

    it('neither can name the other’s namespace in its manifests: the sync fails, and nothing is there', async () => {
      const planted = configMap('planted', 'of one').replace(
        'metadata:\n',
        `metadata:\n  namespace: ${other.namespace}\n`,
      );
      await one.repository.commit({ 'planted/map.yaml': planted });

      await one.deploy('planted', { path: 'planted' });

      const refusal = `namespace ${other.namespace} is not permitted in project`;
      await one.until('Argo CD to refuse it', async () => (await resultOf('planted')).includes(refusal));
      expect(await other.dataOf('planted')).toBeUndefined();
    });

    it('neither can deploy what belongs to no namespace: the sync fails, and nothing is there', async () => {
      const name = `power-of-${one.namespace}`;
      await one.repository.commit({ 'power/role.yaml': clusterRole(name) });

      await one.deploy('power', { path: 'power' });

      const refusal = 'rbac.authorization.k8s.io:ClusterRole is not permitted in project';
      await one.until('Argo CD to refuse it', async () => (await resultOf('power')).includes(refusal));
      expect(await journey.api.read(clusterRoles, { namespace: '', name })).toBeUndefined();
    });

    /** What Argo CD says about the last sync of a deployment of one, in whatever words. */
    async function resultOf(name: string): Promise<string> {
      const application = await journey.api.read(argoApplications, await one.applicationKey(name));
      return JSON.stringify(application?.status?.operationState ?? {});
    }

    it('a repository Secret is for the project of its tenant alone', async () => {
      const found: string[] = [];
      const labelSelector = 'argocd.argoproj.io/secret-type=repository';
      for await (const page of journey.api.list(secrets, { namespace: journey.argoNamespace, labelSelector }))
        found.push(...page.map(({ data }) => Buffer.from(data['project'] ?? '', 'base64').toString()));

      expect(found.length).toBeGreaterThanOrEqual(2);
      expect(found.every((project) => /^app-project-/.test(project))).toBe(true);
      expect(new Set(found).size).toBe(2);
    });
  });
}
