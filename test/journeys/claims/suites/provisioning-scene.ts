import { randomBytes } from 'node:crypto';
import { claimOf, targetOf } from '../../../../shared/contracts/claims.ts';
import { claims, classes, spaceRequests, targets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { annotations } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { SpaceRequest } from '../../../../shared/contracts/kubernetes/space-request.ts';
import type { Claim } from '../../../../shared/domain/claim/claim.ts';
import type { Target } from '../../../../shared/domain/target/target.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { listObjects } from '../../../support/list-objects.ts';
import { fulfilAll, terminateAll } from '../../../support/play-space-controller.ts';
import { until } from '../../../support/until.ts';

export const sandbox = 'appstudio.redhat.com/devsandbox';

interface NewClass {
  readonly reclaimPolicy?: string;
  readonly provisioner?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly allowTargetResourceExpansion?: boolean;
}

/** From here on SpaceRequests are fulfilled by the test and by nobody else, until the returned is called. */
export function playSpaces({ world }: GitOpsWorld): () => void {
  const { spaces } = world;
  Object.assign(world, { spaces: { ...spaces, fulfils: false } });
  return () => void Object.assign(world, { spaces });
}

/** What happens in `act` happens so much later. */
export async function later<T>({ machine }: GitOpsWorld, ms: number, act: () => Promise<T>): Promise<T> {
  const { clock } = machine;
  Object.assign(machine, { clock: { now: () => clock.now() + ms, elapsed: () => clock.elapsed() } });
  try {
    return await act();
  } finally {
    Object.assign(machine, { clock });
  }
}

/** One namespace of a tenant in which a claim has a target made for it. */
export async function openProvisioningScene(world: GitOpsWorld) {
  const { cluster } = world;
  const { name: namespace } = await world.namespace();

  const scene = {
    namespace,
    /** Lets everybody work until it is so; what waits for a time has its time meanwhile. */
    untilSo: (what: string, isSo: () => Promise<boolean>): Promise<boolean> =>
      until(
        what,
        async () => {
          await world.settle();
          if (await isSo()) return true;
          await world.wake();
          return false;
        },
        50_000,
      ),
    /** A class of one's own: classes belong to the cluster, not to a namespace. */
    async makeClass({ reclaimPolicy = 'Delete', provisioner = sandbox, parameters = {}, ...rest }: NewClass = {}) {
      const name = `class-${randomBytes(4).toString('hex')}`;
      await cluster.create(classes, {
        metadata: { name },
        spec: { provisioner, parameters, reclaimPolicy, ...rest },
      });
      return name;
    },
    /** As the binder leaves it when it has found nothing. */
    async makeClaim(className: string, spec: object = {}, name = 'staging-dtc'): Promise<Claim> {
      const made = await cluster.create(claims, {
        metadata: { namespace, name, annotations: { [annotations.targetProvisioner.key]: sandbox } },
        spec: { deploymentTargetClassName: className, ...spec },
      });
      world.knock('target.requested.v1', { namespace, name });
      await world.settle();
      return claimOf(made);
    },
    /** A claim, and the target that was made for it. */
    async makeProvisioned(className: string, spec: object = {}): Promise<{ claim: Claim; target: Target }> {
      const claim = await scene.makeClaim(className, spec);
      await scene.fulfil();
      const target = await scene.target();
      if (target === undefined) throw new Error('no target was made');
      return { claim, target };
    },
    async fulfil(): Promise<void> {
      await fulfilAll(cluster, namespace);
      await world.settle();
    },
    async terminate(): Promise<void> {
      await terminateAll(cluster, namespace);
      await world.settle();
    },
    async look(type: 'target.requested.v1' | 'target.released.v1', name: string): Promise<void> {
      world.knock(type, { namespace, name });
      await world.settle();
    },
    requests: (): Promise<SpaceRequest[]> => listObjects(cluster, spaceRequests, namespace),
    async request(): Promise<SpaceRequest> {
      const [request, ...others] = await scene.requests();
      if (request === undefined || others.length > 0)
        throw new Error(`${others.length} too many SpaceRequests, or none`);
      return request;
    },
    targets: async (): Promise<Target[]> => (await listObjects(cluster, targets, namespace)).map(targetOf),
    async target(name = 'staging-dtc-dt'): Promise<Target | undefined> {
      const found = await cluster.read(targets, { namespace, name });
      return found === undefined ? undefined : targetOf(found);
    },
    async claim(name = 'staging-dtc'): Promise<Claim | undefined> {
      const found = await cluster.read(claims, { namespace, name });
      return found === undefined ? undefined : claimOf(found);
    },
    async condition(type: string): Promise<{ status: string; reason: string; message: string } | undefined> {
      const found = (await scene.claim())?.said.find((one) => one.type === type);
      return found && { status: found.status, reason: found.reason, message: found.message };
    },
    /** What functions write while this happens. */
    async writesOf(act: () => Promise<unknown>): Promise<readonly string[]> {
      world.connection.asked.length = 0;
      await act();
      return world.connection.asked
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path}`);
    },
  };
  return scene;
}

export type ProvisioningScene = Awaited<ReturnType<typeof openProvisioningScene>>;
