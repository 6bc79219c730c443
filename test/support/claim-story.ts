import {
  claims,
  classes,
  namespaces,
  secrets,
  spaceRequests,
  targets,
} from '../../shared/contracts/kubernetes/kinds.ts';
import { labels } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { GitOpsWorld } from './gitops-world.ts';
import { listObjects } from './list-objects.ts';

/** The life of one claim that is met by a namespace of its own, act by act. */
export const acts = ['claim', 'release'] as const;
export type Act = (typeof acts)[number];

export interface Story {
  readonly namespace: string;
}

const name = 'staging-dtc';
const className = 'isolation-level-namespace';

export async function openStory(world: GitOpsWorld): Promise<Story> {
  const there = await world.cluster.read(classes, { namespace: '', name: className });
  if (there === undefined)
    await world.cluster.create(classes, {
      metadata: { name: className },
      spec: { provisioner: 'appstudio.redhat.com/devsandbox', parameters: {}, reclaimPolicy: 'Delete' },
    });
  return { namespace: (await world.namespace()).name };
}

/** What the tenant does. */
export async function perform(act: Act, world: GitOpsWorld, { namespace }: Story): Promise<void> {
  if (act === 'claim')
    await world.cluster.create(claims, {
      metadata: { namespace, name },
      spec: { deploymentTargetClassName: className },
    });
  else await world.cluster.remove(claims, { namespace, name });
}

/** What is there of the story: objects that belong to it, in a form that two runs can be compared by. */
export async function outcomeOf(world: GitOpsWorld, { namespace }: Story): Promise<object> {
  const claim = await world.cluster.read(claims, { namespace, name });
  const [target, ...more] = await listObjects(world.cluster, targets, namespace);
  const made = await listObjects(world.cluster, namespaces, undefined, {
    labelSelector: `${labels.spaceRequestNamespace}=${namespace}`,
  });
  const [rows] = await world.sql`
    select (select count(*)::int from deployment_target where namespace = ${namespace}) as known_targets,
           (select count(*)::int from waiting_claim where namespace = ${namespace}) as waiting,
           (select count(*)::int from knock where tenant = ${namespace}) as knocks,
           (select count(*)::int from lease) as leases`;
  return {
    ...rows,
    phase: claim?.status?.phase,
    isBoundToTarget: claim !== undefined && target !== undefined && claim.spec.targetName === target.metadata.name,
    isClaimedByClaim: claim !== undefined && target?.spec.claimRef?.uid === claim.metadata.uid,
    targetPhase: target?.status?.phase,
    otherTargets: more.length,
    requests: (await listObjects(world.cluster, spaceRequests, namespace)).length,
    namespaces: made.length,
    kubeconfigs: (await listObjects(world.cluster, secrets, namespace, { labelSelector: labels.spaceRequest })).length,
  };
}

const quiet = { waiting: 0, knocks: 0, leases: 0, otherTargets: 0 };

/** The same at the end of every act, whatever happened on the way. */
export const endings: Readonly<Record<Act, object>> = {
  claim: {
    ...quiet,
    known_targets: 1,
    phase: 'Bound',
    isBoundToTarget: true,
    isClaimedByClaim: true,
    targetPhase: 'Bound',
    requests: 1,
    namespaces: 1,
    kubeconfigs: 1,
  },
  release: {
    ...quiet,
    known_targets: 0,
    phase: undefined,
    isBoundToTarget: false,
    isClaimedByClaim: false,
    targetPhase: undefined,
    requests: 0,
    namespaces: 0,
    kubeconfigs: 0,
  },
};
