import { applyCrds, type CrdFile } from '../../infra/kubernetes/apply-crds.ts';
import type { ClusterConnection } from '../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../shared/adapters/kubernetes/open-cluster.ts';
import { type HostedCluster, hostedClusters } from '../../shared/contracts/hypershift/hosted-cluster.ts';
import { type NodePool, nodePools } from '../../shared/contracts/hypershift/node-pool.ts';
import { namespaces, type ObjectKind, secrets } from '../../shared/contracts/kubernetes/kinds.ts';
import { Conflict } from '../../shared/ports/trouble.ts';
import { hostedPlace } from './gitops-world.ts';
import type { HostedClusterApi } from './start-hosted-cluster.ts';

const { namespace } = hostedPlace;
const finalizer = 'hypershift.openshift.io/finalizer';
const image = { type: 'object', required: ['image'], properties: { image: { type: 'string', minLength: 1 } } };
const platform = { ...anyObject(), required: ['type'], properties: { type: { type: 'string' } } };

/** HyperShift's two kinds, with what their real definitions demand of whoever writes one. */
const crds = [
  crd('HostedCluster', {
    type: 'object',
    required: ['release', 'platform', 'pullSecret', 'services'],
    properties: {
      release: image,
      platform,
      pullSecret: { type: 'object', properties: { name: { type: 'string' } } },
      services: { type: 'array', minItems: 3, maxItems: 6, items: anyObject() },
      dns: anyObject(),
      networking: anyObject(),
      etcd: anyObject(),
      controllerAvailabilityPolicy: { type: 'string' },
      infrastructureAvailabilityPolicy: { type: 'string' },
    },
  }),
  crd('NodePool', {
    type: 'object',
    required: ['clusterName', 'management', 'platform', 'release'],
    properties: {
      clusterName: { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' },
      release: image,
      platform,
      replicas: { type: 'integer' },
      management: {
        type: 'object',
        required: ['upgradeType'],
        properties: { upgradeType: { type: 'string' }, autoRepair: { type: 'boolean' } },
      },
      arch: { type: 'string', enum: ['arm64', 'amd64', 'ppc64le', 's390x'], default: 'amd64' },
    },
  }),
];

/** Installs what is HyperShift's on a cluster of ours and answers with its hands. Nothing happens by itself. */
export async function playHypershift(connection: ClusterConnection) {
  const cluster = openCluster({ connection });
  await applyCrds(connection, crds);
  await cluster.create(namespaces, { metadata: { name: namespace } }).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
  });

  async function all<Kind extends typeof hostedClusters | typeof nodePools>(
    kind: Kind,
  ): Promise<(Kind extends typeof hostedClusters ? HostedCluster : NodePool)[]> {
    const found = [];
    for await (const page of cluster.list(kind as ObjectKind, { namespace })) found.push(...page);
    return found as (Kind extends typeof hostedClusters ? HostedCluster : NodePool)[];
  }

  async function say(kind: typeof hostedClusters | typeof nodePools, name: string, status: object): Promise<void> {
    await cluster.patch(kind, { namespace, name }, { status }, { subresource: 'status' });
  }

  return {
    namespace,
    clusters: () => all(hostedClusters),
    pools: () => all(nodePools),
    /** HyperShift has seen it: from now on it does not go without it. */
    async notice(name: string): Promise<void> {
      for (const kind of [hostedClusters, nodePools] as const)
        await cluster.patch(kind, { namespace, name }, { metadata: { finalizers: [finalizer] } });
    },
    /** The condition of a HostedCluster, alone. */
    async sayOfCluster(name: string, ...conditions: readonly object[]): Promise<void> {
      await say(hostedClusters, name, { conditions: conditions.map(condition) });
    },
    async sayOfPool(name: string, replicas: number, ...conditions: readonly object[]): Promise<void> {
      await say(nodePools, name, { replicas, conditions: conditions.map(condition) });
    },
    /** The cluster is made: its nodes are there, and its administrator may enter. */
    async finish(name: string, api: Pick<HostedClusterApi, 'adminKubeconfig'>): Promise<void> {
      const secret = `${name}-admin-kubeconfig`;
      await this.putAdminKubeconfig(name, api.adminKubeconfig);
      const conditions = [condition({ type: 'Available', status: 'True', reason: 'AsExpected' })];
      await say(hostedClusters, name, { kubeconfig: { name: secret }, conditions });
      await this.sayOfPool(name, 3, { type: 'Ready', status: 'True', reason: 'AsExpected' });
    },
    async putAdminKubeconfig(name: string, kubeconfig: string): Promise<void> {
      const metadata = { namespace, name: `${name}-admin-kubeconfig` };
      await cluster.remove(secrets, metadata);
      const data = { kubeconfig: Buffer.from(kubeconfig).toString('base64') };
      await cluster.create(secrets, { metadata, type: 'Opaque', data });
    },
    /** What is being deleted is gone, and what is behind it. */
    async finishDeletions(): Promise<void> {
      for (const { metadata } of (await all(hostedClusters)).filter(isLeaving)) {
        await cluster.remove(nodePools, { namespace, name: metadata.name });
        await cluster.remove(secrets, { namespace, name: `${metadata.name}-admin-kubeconfig` });
        await cluster.patch(hostedClusters, metadata, { metadata: { finalizers: null } });
      }
      for (const { metadata } of (await all(nodePools)).filter(isLeaving))
        await cluster.patch(nodePools, metadata, { metadata: { finalizers: null } });
    },
  };
}

export type PlayedHypershift = Awaited<ReturnType<typeof playHypershift>>;

function isLeaving({ metadata }: HostedCluster | NodePool): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function condition(said: object): object {
  return {
    reason: 'AsExpected',
    message: 'arn:provider:secret-account',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    ...said,
  };
}

function anyObject() {
  return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
}

function crd(kind: string, spec: object): CrdFile {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const manifest = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.hypershift.openshift.io` },
    spec: {
      group: 'hypershift.openshift.io',
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, singular, plural },
      versions: [
        {
          name: 'v1beta1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: anyObject() } } },
          subresources: { status: {} },
        },
      ],
    },
  };
  return manifest;
}
