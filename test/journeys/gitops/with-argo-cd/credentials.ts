import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argoApplications, repositoryCredentials, secrets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsJourney } from '../../../support/gitops-journey.ts';
import { configMap, openTenant, type TenantJourney } from '../../../support/tenant-journey.ts';

/** Point 6: what opens a repository, and what becomes of it when it changes. */
export function describeCredentialJourneys(open: () => Promise<GitOpsJourney>): void {
  describe('a GitOpsDeploymentRepositoryCredential, with an Argo CD that works', () => {
    let journey: GitOpsJourney;
    let tenant: TenantJourney;
    beforeAll(async () => {
      journey = await open();
      tenant = await openTenant(journey, { 'web/map.yaml': configMap('web', 'one') });
    });
    afterAll(() => journey?.stop());

    it('SL-05 defect 3: a rotated password reaches Argo CD, and deploying goes on with it', async () => {
      await tenant.deploy('web', { path: 'web' });
      await tenant.untilStatus('web', 'Synced', 'Healthy');

      await journey.api.patch(secrets, tenant.credential, passwordOf(journey.git.otherReadToken));
      await tenant.until('the new password to reach Argo CD', async () =>
        (await passwords()).includes(journey.git.otherReadToken),
      );
      await tenant.repository.commit({ 'web/map.yaml': configMap('web', 'two') });
      const key = await tenant.applicationKey('web');
      await journey.api.patch(argoApplications, key, {
        metadata: { annotations: { 'argocd.argoproj.io/refresh': 'hard' } },
      });

      await tenant.until('the new commit to be deployed', async () => (await tenant.dataOf('web')) === 'two');
      expect(await passwords()).not.toContain(journey.git.readToken);
    });

    it('RR-04 with a wrong password says so and opens nothing; corrected, it does', async () => {
      const repository = await journey.git.repository({ 'api/map.yaml': configMap('api', 'one') });
      const name = await journey.credential(tenant.namespace, repository.url, 'a-wrong-password');
      await tenant.deploy('api', { path: 'api', repository: repository.url });
      await tenant.until('the verdict', async () => (await reasonOf(name)) === 'InvalidCredentials');
      await tenant.untilCondition('api', 'ComparisonError', 'True');

      await journey.api.patch(secrets, tenant.key(name), passwordOf(journey.git.readToken));

      await tenant.untilStatus('api', 'Synced', 'Healthy');
      expect(await reasonOf(name)).toBe('RepositoryCredentialUpToDate');
    });

    it('taken away closes the repository again', async () => {
      const before = (await passwords()).length;

      await journey.api.remove(repositoryCredentials, tenant.credential);

      await tenant.until('its Secret to be gone', async () => (await passwords()).length === before - 1);
    });

    async function passwords(): Promise<string[]> {
      const found: string[] = [];
      const labelSelector = 'argocd.argoproj.io/secret-type=repository';
      for await (const page of journey.api.list(secrets, { namespace: journey.argoNamespace, labelSelector }))
        found.push(...page.map(({ data }) => Buffer.from(data['password'] ?? '', 'base64').toString()));
      return found;
    }

    async function reasonOf(name: string): Promise<string | undefined> {
      const seen = await journey.api.read(repositoryCredentials, tenant.key(name));
      return seen?.status?.conditions.find(({ type }) => type === 'ValidRepositoryCredential')?.reason;
    }
  });
}

function passwordOf(token: string): object {
  return { data: { password: Buffer.from(token).toString('base64') } };
}
