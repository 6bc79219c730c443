import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argoApplications, repositoryCredentials, secrets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { secretTypes } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { GitOpsJourney } from '../../../support/gitops-journey.ts';
import { listObjects } from '../../../support/list-objects.ts';
import { type SshServer, startSshServer } from '../../../support/ssh-server.ts';
import { configMap, openTenant, type TenantJourney } from '../../../support/tenant-journey.ts';

/** Point 6, for repositories that a key opens. The Argo CD is to believe the hosts that it is given, and no others. */
export function describeSshJourneys(open: (knownHosts: string) => Promise<GitOpsJourney>): void {
  describe('a private repository over ssh, with an Argo CD that works', () => {
    let server: SshServer;
    let journey: GitOpsJourney;
    let tenant: TenantJourney;
    let repository: string;
    beforeAll(async () => {
      server = await startSshServer();
      journey = await open(await readFile(server.knownHosts, 'utf8'));
      tenant = await openTenant(journey, { 'web/map.yaml': configMap('web', 'one') });
      repository = server.urlOf(tenant.repository.folder);
    });
    afterAll(async () => {
      await journey?.stop();
      await server?.stop();
    });

    it('SL-05 defect 8.39: is deployed from with the key that the tenant gave', async () => {
      await journey.api.create(secrets, {
        metadata: { ...tenant.key('key') },
        type: secretTypes.repositoryCredential,
        data: keyData(server.key),
      });
      await journey.api.create(repositoryCredentials, {
        metadata: { ...tenant.key('key') },
        spec: { repository, secret: 'key' },
      });
      await tenant.deploy('web', { path: 'web', repository });

      const { status } = await tenant.untilStatus('web', 'Synced', 'Healthy');

      expect(status?.sync?.revision).toBe(tenant.repository.first);
      expect(status?.reconciledState?.source?.repoURL).toBe(repository);
      expect(await tenant.dataOf('web')).toBe('one');
      expect(await argoKeys()).toEqual([server.key]);
    });

    it('SL-05 defect 8.9: says that its key is no longer let in, and goes on with the new one by itself', async () => {
      server.changeKeys();
      const commit = await tenant.repository.commit({ 'web/map.yaml': configMap('web', 'two') });
      await refresh();
      await tenant.untilCondition('web', 'ComparisonError', 'True');
      expect(await tenant.dataOf('web')).toBe('one');

      await journey.api.patch(secrets, tenant.key('key'), { data: keyData(server.strangersKey) });

      await tenant.until('the new commit to be told', async () => {
        const seen = await tenant.read('web');
        return seen?.status?.sync?.status === 'Synced' && seen.status.sync.revision === commit;
      });
      await tenant.untilCondition('web', 'ComparisonError', 'False');
      expect(await tenant.dataOf('web')).toBe('two');
      expect(await argoKeys()).toEqual([server.strangersKey]);
    });

    it('SL-05 is closed again when its credential is deleted, and no key was ever told', async () => {
      await journey.api.remove(repositoryCredentials, tenant.key('key'));
      await tenant.until('the key of Argo CD to be gone', async () => (await argoKeys()).length === 0);
      await refresh();

      await tenant.untilCondition('web', 'ComparisonError', 'True');

      expect(await tenant.dataOf('web')).toBe('two');
      const told = [...journey.host.lines, JSON.stringify(await tenant.read('web'))].join('\n');
      for (const key of [server.key, server.strangersKey]) expect(told).not.toContain(key.split('\n')[1]);
    });

    function keyData(sshPrivateKey: string): { readonly sshPrivateKey: string } {
      return { sshPrivateKey: Buffer.from(sshPrivateKey).toString('base64') };
    }

    async function refresh(): Promise<void> {
      await journey.api.patch(argoApplications, await tenant.applicationKey('web'), {
        metadata: { annotations: { 'argocd.argoproj.io/refresh': 'hard' } },
      });
    }

    /** What Argo CD has to open repositories over ssh with. */
    async function argoKeys(): Promise<string[]> {
      const labelSelector = 'argocd.argoproj.io/secret-type=repository';
      const found = await listObjects(journey.api, secrets, journey.argoNamespace, { labelSelector });
      return found
        .map(({ data }) => Buffer.from(data['sshPrivateKey'] ?? '', 'base64').toString())
        .filter((key) => key !== '');
    }
  });
}
