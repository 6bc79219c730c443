import { randomUUID } from 'node:crypto';
import { applyClasses } from '../../infra/kubernetes/apply-classes.ts';
import type { Context } from '../../scripts/ops/context.ts';
import { openOperatorLedger } from '../../shared/adapters/postgres/operator-ledger.ts';
import { claims, environments, targets } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../support/gitops-world.ts';

export const shippedClass = 'isolation-level-namespace';

/** An operator at a cluster with the class that ships. Functions run only when a test asks for it. */
export async function openClaimsWorld(open: () => Promise<GitOpsWorld> = openGitOpsWorld) {
  const world = await open();
  await applyClasses(world.bare);
  const plans: string[] = [];
  const clock = { aheadMs: 0 };
  const parts: Partial<Context> = {
    ledger: openOperatorLedger(world.sql),
    queue: world.queue,
    routes: world.machine.routes,
    world: () => world.world,
    now: () => Date.now() + clock.aheadMs,
    newId: randomUUID,
    who: 'olga',
    approve: async (plan) => {
      plans.push(plan);
    },
  };
  const context = parts as Context;

  return {
    ...world,
    context,
    plans,
    /** The operator's watch goes ahead of that of the API server by so much. */
    clock,

    /** The same operator, at a cluster that behaves otherwise. */
    withCluster(but: Partial<Cluster>): Context {
      const local: Cluster = { ...world.world.clusters.local, ...but };
      return { ...context, world: () => ({ ...world.world, clusters: { ...world.world.clusters, local } }) };
    },

    aClaim: (namespace: string, name: string, but: { metadata?: object; spec?: object } = {}) =>
      world.cluster.create(claims, {
        metadata: { namespace, name, ...but.metadata },
        spec: { deploymentTargetClassName: shippedClass, ...but.spec },
      }),

    anEnvironment: (namespace: string, name: string, spec: object = {}) =>
      world.cluster.create(environments, {
        metadata: { namespace, name },
        spec: { displayName: name, deploymentStrategy: 'Manual', ...spec },
      }),

    async aTarget(namespace: string, name: string, { spec = {}, phase }: { spec?: object; phase?: string } = {}) {
      const kubernetesCredentials = {
        defaultNamespace: 'behind',
        apiURL: 'https://api.example.com',
        clusterCredentialsSecret: 'opens',
      };
      const made = await world.cluster.create(targets, {
        metadata: { namespace, name },
        spec: { kubernetesCredentials, ...spec },
      });
      if (phase !== undefined)
        await world.cluster.patch(targets, { namespace, name }, { status: { phase } }, { subresource: 'status' });
      return made;
    },

    ledgerOf: (action: string) =>
      world.sql`select actor, subject, tenant, details from ledger where action = ${action} order by id`,
  };
}

export type ClaimsWorld = Awaited<ReturnType<typeof openClaimsWorld>>;

/** An Environment's spec that deploys to what a claim holds. */
export function deploysTo(claimName: string): object {
  return { configuration: { target: { deploymentTargetClaim: { claimName } } } };
}
