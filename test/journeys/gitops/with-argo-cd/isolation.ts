import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  appProjects,
  argoApplications,
  gitOpsDeployments,
  secrets,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsJourney } from '../../../support/gitops-journey.ts';
import { configMap, openTenant, type TenantJourney } from '../../../support/tenant-journey.ts';

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
