import { type HostedCluster, hostedClusters } from '../../contracts/hypershift/hosted-cluster.ts';
import { hostedKeys } from '../../contracts/hypershift/hosted-keys.ts';
import { type NodePool, nodePools } from '../../contracts/hypershift/node-pool.ts';
import type { Secret } from '../../contracts/kubernetes/core-objects.ts';
import { secrets, targets as targetKind } from '../../contracts/kubernetes/kinds.ts';
import { annotations, labels } from '../../contracts/kubernetes/metadata-keys.ts';
import { fitsLabel } from '../../domain/core/object-name.ts';
import { hostedDefaultNamespace, hostedSecretName } from '../../domain/target/hosted-cluster.ts';
import { judgeHostedCluster } from '../../domain/target/judge-hosted-cluster.ts';

import { planHostedCluster } from '../../domain/target/plan-hosted-cluster.ts';
import type { Provision } from '../../domain/target/provision.ts';
import { resourcesOf } from '../../domain/target/wanted-resources.ts';
import type { Cluster } from '../../ports/cluster.ts';
import type { HostedSettings } from '../../ports/hosted-settings.ts';
import type { Provisioner, Wanted } from '../../ports/provisioner.ts';
import type { TargetClusters } from '../../ports/target-cluster.ts';
import { Refused } from '../../ports/trouble.ts';
import { isOurs, judgeSecret, makeAccount, readAdminAccess, writeSecret } from './hypershift-access.ts';
import {
  claimUidOf,
  findHosted,
  type HostedPlace,
  listHosted,
  makeHosted,
  type Named,
  nameOf,
  readPool,
  targetOf,
  tenantOf,
} from './hypershift-objects.ts';

export interface HypershiftSettings extends HostedSettings {
  /** The cluster of the tenants, on which HyperShift runs, too. */
  readonly local: Cluster;
  /** Hosted clusters, once they answer. */
  readonly targets: TargetClusters;
  readonly now: () => number;
}

/**
 * Makes whole clusters with HyperShift: a HostedCluster and a NodePool in a namespace of the provider's, an account for
 * Argo CD on the cluster that comes of it, and a Secret for the tenant that opens it. The administrator's kubeconfig and
 * the provider's own credentials stay where they are.
 */
export function openHypershift({ local, targets, namespace, pullSecret, now }: HypershiftSettings): Provisioner {
  const place: HostedPlace = { cluster: local, namespace, pullSecret };

  /** Who only wants to free what there is has no business with the administrator's kubeconfig. */
  async function look(wanted: Wanted, { name, claimUid, found }: Named, signal: AbortSignal) {
    const tenant = wanted.namespace;
    const pool = await readPool(place, name, signal);
    const secret = await local.read(secrets, { namespace: tenant, name: hostedSecretName(name) }, { signal });
    const isFreeing = wanted.class === undefined;
    const access = found === undefined || isFreeing ? undefined : await readAdminAccess(place, found, signal);
    return { pool, secret, access, worth: judgeSecret(targets, secret, isFreeing ? 'unasked' : access, claimUid) };
  }

  async function judge(wanted: Wanted, hosted: Named, signal: AbortSignal): Promise<Provision> {
    const { namespace: tenant } = wanted;
    const { name, claimUid, found } = hosted;
    const { pool, secret, access, worth } = await look(wanted, hosted, signal);
    const isComplete = worth.secret === 'complete';
    const isUsable = found?.metadata.deletionTimestamp === undefined && isAvailable(found) && !isComplete;
    return judgeHostedCluster(
      {
        name,
        cluster: isToTell(found) ? partOf(found, tenant, claimUid) : undefined,
        pool: isToTell(pool) ? { ...partOf(pool, tenant, claimUid), nodes: pool.status?.replicas ?? 0 } : undefined,
        connection:
          isUsable && access !== undefined ? await targets.connect(access, hostedDefaultNamespace, signal) : undefined,
        ...worth,
        resources: found === undefined ? undefined : resourcesOn(found),
        target: isComplete && !isOwned(secret, found) ? undefined : targetOf(found?.metadata),
      },
      now(),
    );

    /** Who only wants to free what there is, is not told of what belongs to others. */
    function isToTell<Found extends Part>(part: Found | undefined): part is Found {
      return part !== undefined && (wanted.class !== undefined || isFor(part, tenant, claimUid));
    }
  }

  /** The Secret goes first and the cluster last: as long as anything is left, so is what it is found by. */
  async function takeAway(tenant: string, { name, claimUid, found }: Named, signal: AbortSignal): Promise<void> {
    const secretKey = { namespace: tenant, name: hostedSecretName(name) };
    const secret = await local.read(secrets, secretKey, { signal });
    if (secret !== undefined && isOurs(secret, claimUid))
      await local.remove(secrets, secretKey, { signal, uid: secret.metadata.uid });
    const pool = await readPool(place, name, signal);
    if (pool !== undefined && isToGo(pool, tenant, claimUid))
      await local.remove(nodePools, { namespace, name }, { signal, uid: pool.metadata.uid });
    if (found !== undefined && isToGo(found, tenant, claimUid))
      await local.remove(hostedClusters, { namespace, name }, { signal, uid: found.metadata.uid });
  }

  return {
    name: 'appstudio.redhat.com/hypershift',

    async observe(wanted, signal) {
      const hosted = await findHosted(place, wanted, signal);
      const provision: Provision = hosted === undefined ? { state: 'absent' } : await judge(wanted, hosted, signal);
      if (provision.state !== 'absent' || wanted.class === undefined) return provision;
      const planned = planHostedCluster(wanted.class, wanted);
      if ('plan' in planned) return provision;
      const what = `DeploymentTargetClass ${wanted.class.name}`;
      return { state: 'refused', what, target: undefined, wakesUs: false, ...planned.problem };
    },

    async provision(wanted, signal) {
      const hosted = await findHosted(place, wanted, signal);
      if (hosted === undefined || wanted.class === undefined) return;
      const { found, claimUid } = hosted;
      if (found !== undefined && !isToGo(found, wanted.namespace, claimUid)) return;
      const planned = planHostedCluster(wanted.class, wanted);
      if ('problem' in planned) throw new Refused(planned.problem.reason, planned.problem.message);
      await makeHosted(place, hosted, planned.plan, wanted, signal);
      if (!isAvailable(found)) return;
      const { secret, access, worth } = await look(wanted, hosted, signal);
      if (access === undefined || worth.secret === 'foreign' || worth.secret === 'complete') return;
      const token = await makeAccount(targets, access, claimUid, signal);
      if (token === undefined) return;
      const claimName = wanted.claim?.name ?? '';
      await writeSecret(local, secret, { namespace: wanted.namespace, claimName, hosted, access, token }, signal);
    },

    async attach(wanted, signal) {
      // By its claim, where that is known: it may have been said to belong to another target before.
      const isKnown = wanted.claim?.uid !== undefined;
      const hosted = await findHosted(place, isKnown ? { ...wanted, target: undefined } : wanted, signal);
      if (hosted?.found === undefined || !isToGo(hosted.found, wanted.namespace, hosted.claimUid)) return;
      await own(local, wanted, hosted, signal);
      if (targetOf(hosted.found.metadata) === wanted.target) return;
      const metadata = {
        resourceVersion: hosted.found.metadata.resourceVersion,
        annotations: { [hostedKeys.target]: wanted.target },
        ...(fitsLabel(wanted.target) && { labels: { [labels.target]: wanted.target } }),
      };
      await local.patch(hostedClusters, { namespace, name: hosted.name }, { metadata }, { signal });
    },

    async release(wanted, signal) {
      const hosted = await findHosted(place, wanted, signal);
      if (hosted !== undefined) await takeAway(wanted.namespace, hosted, signal);
    },

    async made(claim, signal) {
      const found = await listHosted(place, claim.namespace, signal);
      return found
        .filter(({ metadata }) => nameOf(metadata) === claim.name && metadata.deletionTimestamp === undefined)
        .map(({ metadata }) => ({
          id: metadata.name,
          namespace: claim.namespace,
          name: metadata.name,
          claimUid: claimUidOf(metadata),
          created: Date.parse(metadata.creationTimestamp),
          className: metadata.annotations[annotations.claimClass.key] ?? '',
          target: targetOf(metadata),
        }));
    },

    async discard(orphan, signal) {
      const found = await local.read(hostedClusters, { namespace, name: orphan.id }, { signal });
      if (found === undefined || orphan.claimUid === undefined) return;
      await takeAway(orphan.namespace, { name: orphan.id, claimUid: orphan.claimUid, found }, signal);
    },
  };
}

/** The target owns the Secret: a target that is kept keeps it, and who deletes the target later deletes both. */
async function own(
  local: Cluster,
  { namespace, target: name }: Wanted & { readonly target: string },
  hosted: Named,
  signal: AbortSignal,
): Promise<void> {
  const target = await local.read(targetKind, { namespace, name }, { signal });
  const key = { namespace, name: hostedSecretName(hosted.name) };
  const secret = await local.read(secrets, key, { signal });
  if (target === undefined || secret === undefined || !isOurs(secret, hosted.claimUid)) return;
  const { resourceVersion, ownerReferences } = secret.metadata;
  if (ownerReferences.some(({ uid }) => uid === target.metadata.uid)) return;
  const { apiVersion, kind, metadata } = target;
  const owner = { apiVersion, kind, name, uid: metadata.uid };
  await local.patch(secrets, key, { metadata: { resourceVersion, ownerReferences: [owner] } }, { signal });
}

type Part = Pick<HostedCluster | NodePool, 'metadata' | 'status'>;

function partOf(part: Part, tenant: string, claimUid: string) {
  const { deletionTimestamp } = part.metadata;
  return {
    isOurs: isFor(part, tenant, claimUid),
    deletingSince: deletionTimestamp === undefined ? undefined : Date.parse(deletionTimestamp),
    conditions: part.status?.conditions ?? [],
  };
}

function isFor({ metadata }: Part, tenant: string, claimUid: string): boolean {
  return tenantOf(metadata) === tenant && claimUidOf(metadata) === claimUid;
}

/** It was made for this claim, and nobody has deleted it yet. */
function isToGo(part: Part, tenant: string, claimUid: string): boolean {
  return isFor(part, tenant, claimUid) && part.metadata.deletionTimestamp === undefined;
}

function isAvailable(cluster: HostedCluster | undefined): boolean {
  return cluster?.status?.conditions.some(({ type, status }) => type === 'Available' && status === 'True') ?? false;
}

/** A Secret that was made anew has no owner yet, whatever was said before. */
function isOwned(secret: Secret | undefined, cluster: HostedCluster | undefined): boolean {
  return secret?.metadata.ownerReferences.some(({ name }) => name === targetOf(cluster?.metadata)) ?? false;
}

function resourcesOn({ metadata }: HostedCluster) {
  try {
    const resources = resourcesOf(JSON.parse(metadata.annotations[annotations.wantedResources.key] ?? 'null'));
    return resources === 'malformed' ? undefined : resources;
  } catch {
    return undefined;
  }
}
