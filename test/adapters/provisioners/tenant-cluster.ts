import { randomBytes, randomUUID } from 'node:crypto';
import { connectInProcess } from '../../../infra/embedded/connect-in-process.ts';
import { makeSigningKey } from '../../../infra/embedded/kubernetes/auth/signing-key.ts';
import { createApiServer } from '../../../infra/embedded/kubernetes/create-api-server.ts';
import { applyCrds, ownCrds, readCrds } from '../../../infra/kubernetes/apply-crds.ts';
import { openCluster } from '../../../shared/adapters/kubernetes/open-cluster.ts';
import { namespaces, targets } from '../../../shared/contracts/kubernetes/kinds.ts';
import type { WantedByUid } from './provisioner-contract.ts';

/** The cluster of the tenants with our kinds, which counts what is written to it. */
export async function openTenantCluster() {
  const server = await createApiServer({
    clock: { now: Date.now, after: () => () => {} },
    tokens: [{ token: 'all-powerful', user: 'admin', groups: ['system:masters'] }],
    signingKey: makeSigningKey(),
    rootCa: 'none is needed',
    address: () => 'nowhere',
    log: () => {},
  });
  const connection = connectInProcess(server, 'all-powerful');
  await applyCrds(connection, readCrds(ownCrds));
  let writes = 0;
  const counting: typeof connection.request = (path, settings) => {
    if ((settings?.method ?? 'GET') !== 'GET') writes += 1;
    return connection.request(path, settings);
  };
  const cluster = openCluster({ connection: { request: counting } });

  async function wanted(provisioner: string): Promise<WantedByUid> {
    const namespace = `team-${randomBytes(4).toString('hex')}`;
    await cluster.create(namespaces, { metadata: { name: namespace } });
    return {
      namespace,
      claim: { name: 'staging-dtc', uid: randomUUID(), created: Date.now() - 60_000 },
      class: {
        name: 'isolation-level-namespace',
        uid: randomUUID(),
        provisioner,
        parameters: {},
        reclaimPolicy: 'Delete',
        allowsExpansion: true,
      },
      resources: undefined,
      arch: '',
    };
  }

  async function makeTarget({ namespace, claim }: WantedByUid, name: string): Promise<void> {
    await cluster.create(targets, {
      metadata: { namespace, name },
      spec: {
        deploymentTargetClassName: 'isolation-level-namespace',
        kubernetesCredentials: {
          defaultNamespace: 'there',
          apiURL: 'https://cluster.example',
          clusterCredentialsSecret: 'opens-it',
          allowInsecureSkipTLSVerify: false,
        },
        claimRef: { name: claim.name, uid: claim.uid },
      },
    });
  }

  return { cluster, wanted, makeTarget, writes: () => writes, close: () => server.stop() };
}

export type TenantCluster = Awaited<ReturnType<typeof openTenantCluster>>;
