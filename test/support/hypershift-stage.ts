import { randomBytes, randomUUID } from 'node:crypto';
import { connectInProcess } from '../../infra/embedded/connect-in-process.ts';
import { makeSigningKey } from '../../infra/embedded/kubernetes/auth/signing-key.ts';
import { createApiServer } from '../../infra/embedded/kubernetes/create-api-server.ts';
import { applyCrds, ownCrds, readCrds } from '../../infra/kubernetes/apply-crds.ts';
import type { ClusterConnection } from '../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../shared/adapters/kubernetes/open-cluster.ts';
import { openClusters } from '../../shared/adapters/kubernetes/open-clusters.ts';
import { openTargetClusters } from '../../shared/adapters/kubernetes/target-cluster.ts';
import { type HypershiftSettings, openHypershift } from '../../shared/adapters/provisioners/hypershift.ts';
import { namespaces, secrets, targets as targetKind } from '../../shared/contracts/kubernetes/kinds.ts';
import { hostedClusterName, hostedSecretName } from '../../shared/domain/target/hosted-cluster.ts';
import type { TargetClass } from '../../shared/domain/target/target.ts';
import type { Provisioner, Wanted } from '../../shared/ports/provisioner.ts';
import { hostedPlace } from './gitops-world.ts';
import { playHypershift } from './play-hypershift.ts';
import { startHostedCluster } from './start-hosted-cluster.ts';

/** As the design documents have it, with what HyperShift needs besides. */
export const smallCluster: TargetClass = {
  name: 'isolation-level-cluster-small',
  uid: 'the-uid-of-the-class',
  provisioner: 'appstudio.redhat.com/hypershift',
  parameters: {
    numOfNodes: 3,
    releaseImage: 'images.example.com/openshift/release:4.20.1',
    platform: { type: 'KubeVirt' },
  },
  reclaimPolicy: 'Delete',
  allowsExpansion: false,
};

export interface WantedByUid extends Wanted {
  readonly claim: { readonly name: string; readonly uid: string; readonly created: number };
}

export const noHurry = AbortSignal.timeout(600_000);

/** The provisioner of hosted clusters with a HyperShift that is played and a cluster that is real enough. */
export async function openHypershiftStage() {
  const server = await createApiServer({
    clock: { now: Date.now, after: () => () => {} },
    tokens: [{ token: 'all-powerful', user: 'admin', groups: ['system:masters'] }],
    signingKey: makeSigningKey(),
    rootCa: 'none is needed',
    address: () => 'nowhere',
    log: () => {},
  });
  const bare = connectInProcess(server, 'all-powerful');
  let writes = 0;
  const connection: ClusterConnection = {
    ...bare,
    async request(path, settings) {
      if ((settings?.method ?? 'GET') !== 'GET') writes += 1;
      return bare.request(path, settings);
    },
  };
  await applyCrds(connection, readCrds(ownCrds));
  const hypershift = await playHypershift(connection);
  const api = await startHostedCluster();
  const cluster = openCluster({ connection });
  const clusters = openClusters({ local: connection, timeoutMs: 5_000, now: Date.now });
  const targets = openTargetClusters({ clusters, timeoutMs: 5_000 });

  return {
    cluster,
    connection,
    clusters,
    targets,
    hypershift,
    api,
    /** The usual one, or one of other parts. */
    open(parts: Partial<HypershiftSettings> = {}): Provisioner {
      return openHypershift({ local: cluster, targets, now: Date.now, ...hostedPlace, ...parts });
    },
    /** A tenant's namespace of its own, and a claim that nobody has served yet. */
    async wanted(change: Partial<WantedByUid> = {}): Promise<WantedByUid> {
      const namespace = `team-${randomBytes(4).toString('hex')}`;
      await cluster.create(namespaces, { metadata: { name: namespace } });
      const claim = { name: 'small-dtc', uid: randomUUID(), created: Date.now() };
      return { namespace, claim, class: smallCluster, resources: undefined, arch: '', ...change };
    },
    nameOf,
    secretOf(wanted: WantedByUid) {
      return cluster.read(secrets, { namespace: wanted.namespace, name: hostedSecretName(nameOf(wanted)) });
    },
    /** Asked for, made by HyperShift, and opened for the tenant. */
    async made(wanted: WantedByUid): Promise<void> {
      const provisioner = this.open();
      await provisioner.provision(wanted, noHurry);
      await hypershift.notice(nameOf(wanted));
      await hypershift.finish(nameOf(wanted), api);
      await provisioner.provision(wanted, noHurry);
    },
    /** A target of that name beside the claim. */
    makeTarget({ namespace, claim: { name: claimName, uid } }: WantedByUid, name: string) {
      const kubernetesCredentials = { defaultNamespace: 'default', apiURL: 'https://x', clusterCredentialsSecret: 'y' };
      const claimRef = { name: claimName, uid };
      const spec = { deploymentTargetClassName: smallCluster.name, kubernetesCredentials, claimRef };
      return cluster.create(targetKind, { metadata: { namespace, name }, spec });
    },
    /** How many writes there were, on either cluster. */
    writes: () => writes + api.asked.filter(({ method }) => method !== 'GET').length,
    async close(): Promise<void> {
      await clusters.close();
      await api.stop();
      await server.stop();
    },
  };
}

function nameOf({ claim }: WantedByUid): string {
  return hostedClusterName(claim, hostedPlace.namespace);
}

export type HypershiftStage = Awaited<ReturnType<typeof openHypershiftStage>>;
