import { randomBytes } from 'node:crypto';
import { claims, classes, secrets, targets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { listObjects } from '../../../support/list-objects.ts';
import type { PlayedHypershift } from '../../../support/play-hypershift.ts';
import { until } from '../../../support/until.ts';

/** The class of the design documents, with what HyperShift needs besides. */
export const small = {
  provisioner: 'appstudio.redhat.com/hypershift',
  parameters: {
    numOfNodes: 3,
    releaseImage: 'images.example.com/openshift/release:4.20.1',
    platform: { type: 'KubeVirt' },
  } as Readonly<Record<string, unknown>>,
  reclaimPolicy: 'Delete',
  allowTargetResourceExpansion: false,
};

/** Hands and eyes for stories about hosted clusters. */
export function openHostedScene(world: GitOpsWorld, hypershift: PlayedHypershift) {
  const scene = {
    /** A fresh namespace, and a class: classes belong to the whole cluster, so each test has its own. */
    async open(kind: string, but: Partial<typeof small> = {}) {
      const { name: namespace } = await world.namespace('hosted');
      const className = `${kind}-${randomBytes(3).toString('hex')}`;
      await world.cluster.create(classes, { metadata: { name: className }, spec: { ...small, ...but } });
      return { namespace, className };
    },
    claim(namespace: string, deploymentTargetClassName: string) {
      const metadata = { namespace, name: 'prod-dtc' };
      return world.cluster.create(claims, { metadata, spec: { deploymentTargetClassName } });
    },
    theClaim(namespace: string) {
      return world.cluster.read(claims, { namespace, name: 'prod-dtc' });
    },
    /** Nobody tells us of hosted clusters, so whoever waits looks again when its time comes. */
    async eventually(what: string, look: () => Promise<boolean>): Promise<void> {
      await until(what, async () => {
        await world.wake();
        await world.settle();
        return look();
      });
    },
    async hostedFor(namespace: string) {
      const [cluster] = (await hypershift.clusters()).filter(ofTenant(namespace));
      const [pool] = (await hypershift.pools()).filter(ofTenant(namespace));
      return cluster === undefined ? undefined : { name: cluster.metadata.name, cluster, pool };
    },
    /** Whatever was made for a claim of that namespace and is still there, wherever it stands. */
    async whatIsLeft(namespace: string): Promise<string[]> {
      const parts = [...(await hypershift.clusters()), ...(await hypershift.pools())].filter(ofTenant(namespace));
      const opened = await listObjects(world.cluster, secrets, namespace);
      const made = await listObjects(world.cluster, targets, namespace);
      return [...parts, ...opened.filter(({ type }) => type === 'Opaque'), ...made].map(({ kind }) => kind);
    },
  };
  return scene;
}

export type HostedScene = ReturnType<typeof openHostedScene>;

function ofTenant(namespace: string) {
  return ({ metadata }: { readonly metadata: { readonly labels: Readonly<Record<string, string>> } }) =>
    metadata.labels['stagecoach.dev/tenant-namespace'] === namespace;
}
