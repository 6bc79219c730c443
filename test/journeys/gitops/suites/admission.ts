import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { makeCertificate } from '../../../../infra/embedded/make-certificate.ts';
import { startFront } from '../../../../infra/host/front.ts';
import {
  gitOpsDeployments,
  managedEnvironments,
  type ObjectKind,
  repositoryCredentials,
  syncRuns,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { standUp } from '../../../../shared/runtime/machine.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { until } from '../../../support/until.ts';

interface WebhookConfiguration {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly webhooks: readonly { readonly clientConfig: { readonly url: string } }[];
}

const file = new URL('../../../../infra/kubernetes/webhooks.yaml', import.meta.url);
const magic = 'zyxwvutsrqponmlkjihgfedcba-abcdefghijklmnoqrstuvwxyz';
const good = { source: { repoURL: 'https://git.example/app', path: 'deploy' }, type: 'automated' };

/** Admission: the API server asks our own host, as infra/kubernetes/webhooks.yaml tells it to. */
export function describeAdmission(open: () => Promise<GitOpsWorld>): void {
  describe('admission', () => {
    let world: GitOpsWorld;
    let front: Awaited<ReturnType<typeof startFront>>;
    let namespace: string;
    const installed: string[] = [];

    beforeAll(async () => {
      world = await open();
      ({ name: namespace } = await world.namespace());
      const authority = makeCertificate('stagecoach admission authority');
      const { cert, key } = makeCertificate('stagecoach admission', authority);
      const machine = { ...world.machine, openFunctions: ['admit-resource'] };
      standUp(machine);
      front = await startFront({
        machine,
        functions: ['admit-resource'],
        health: async () => ({ status: 200, body: {} }),
        host: '127.0.0.1',
        port: 0,
        tls: { cert: Buffer.from(cert), key: Buffer.from(key) },
      });
      await install(Buffer.from(authority.cert).toString('base64'));
      // An API server takes a moment until it asks a new webhook; this name is refused by nobody else.
      await until('the webhook to be asked', async () => {
        const refused = await writing(syncRuns, { gitopsDeploymentName: 'web' }, magic);
        if (refused === undefined) await world.cluster.remove(syncRuns, { namespace, name: magic });
        return refused !== undefined;
      });
    });
    afterAll(async () => {
      for (const path of installed) await world.bare.request(path, { method: 'DELETE' });
      await front.close(1_000);
      await world.close();
    });

    async function install(caBundle: string): Promise<void> {
      for (const document of parseAllDocuments(readFileSync(file, 'utf8'))) {
        const configuration = document.toJS() as WebhookConfiguration;
        const path = `/apis/admissionregistration.k8s.io/v1/${configuration.kind.toLowerCase()}s`;
        const name = `${configuration.metadata.name}-${namespace}`;
        const webhooks = configuration.webhooks.map(({ clientConfig, ...webhook }) => ({
          ...webhook,
          clientConfig: { url: clientConfig.url.replace('https://<address of stagecoach>', front.url), caBundle },
          // Others may be at work in the same cluster.
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        }));
        await world.bare.request(path, { method: 'POST', body: { ...configuration, metadata: { name }, webhooks } });
        installed.push(`${path}/${name}`);
      }
    }

    /** Why the API server did not take it; undefined where it did. */
    async function writing(
      kind: ObjectKind,
      spec: object,
      name = `n-${crypto.randomUUID()}`,
    ): Promise<string | undefined> {
      try {
        await world.cluster.create(kind, { metadata: { namespace, name }, spec });
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    }

    it('BS-16 a wrong type, sync option or destination is refused with the sentence that clients know', async () => {
      const destination = { namespace: 'other' };

      expect(await writing(gitOpsDeployments, { ...good, type: 'x' })).toContain(
        'spec type must be manual or automated',
      );
      expect(await writing(gitOpsDeployments, { ...good, syncPolicy: { syncOptions: ['Prune=yes'] } })).toContain(
        'the specified sync option in .spec.syncPolicy.syncOptions is either mispelled or is not supported by GitOpsDeployment',
      );
      expect(await writing(gitOpsDeployments, { ...good, destination })).toContain(
        'the environment field should not be empty when the namespace is non-empty',
      );
    });

    it('BS-16 what was right may not become wrong', async () => {
      await world.cluster.create(gitOpsDeployments, { metadata: { namespace, name: 'web' }, spec: good });

      const changing = world.cluster.patch(gitOpsDeployments, { namespace, name: 'web' }, { spec: { type: 'x' } });

      await expect(changing).rejects.toThrow('spec type must be manual or automated');
      expect(
        await world.cluster.patch(gitOpsDeployments, { namespace, name: 'web' }, { spec: { type: 'manual' } }),
      ).toBe(true);
      expect(await world.cluster.remove(gitOpsDeployments, { namespace, name: 'web' })).toBe(true);
    });

    it('BS-16 addresses of clusters and repositories are looked at', async () => {
      const environment = { credentialsSecret: 'x', allowInsecureSkipTLSVerify: false };

      expect(await writing(managedEnvironments, { ...environment, apiURL: 'http://api.example' })).toContain(
        'cluster api url must start with https://',
      );
      expect(await writing(repositoryCredentials, { repository: 'smtp://git.example/x', secret: 'x' })).toContain(
        'repository must begin with ssh:// or https://',
      );
    });

    it('what is right is let in, in either spelling', async () => {
      const environment = {
        clusterCredentialsSecret: 'x',
        apiURL: 'https://api.example',
        allowInsecureSkipTLSVerify: false,
      };
      const source = { repository: 'https://git.example/app', path: 'deploy', revision: 'main' };

      expect(await writing(gitOpsDeployments, good)).toBeUndefined();
      expect(await writing(gitOpsDeployments, { ...good, source })).toBeUndefined();
      expect(await writing(syncRuns, { gitopsDeploymentName: 'web', revisionID: '' })).toBeUndefined();
      expect(await writing(managedEnvironments, environment)).toBeUndefined();
      expect(
        await writing(repositoryCredentials, { repository: 'git@git.example:team/app', secret: 'x' }),
      ).toBeUndefined();
    });

    it('both spellings at once are refused, and what a condition answers is not', async () => {
      const twice = { ...good.source, repository: 'https://git.example/other' };

      expect(await writing(gitOpsDeployments, { ...good, source: twice })).toContain('set one of them, not both');
      expect(await writing(gitOpsDeployments, { ...good, source: { ...good.source, path: '' } })).toBeUndefined();
    });
  });
}
