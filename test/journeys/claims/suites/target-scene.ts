import { randomBytes } from 'node:crypto';
import { claimOf, targetOf } from '../../../../shared/contracts/claims.ts';
import { claims, classes, targets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { annotations } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Claim } from '../../../../shared/domain/claim/claim.ts';
import type { Target } from '../../../../shared/domain/target/target.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';

interface NewTarget {
  readonly className?: string;
  readonly claimRef?: { readonly name: string; readonly uid?: string };
  readonly phase?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly resources?: Target['resources'];
  readonly arch?: string;
  readonly access?: Partial<Target['access']>;
}

/** One namespace of a tenant, in which targets and claims are made and looked at. */
export async function openTargetScene(world: GitOpsWorld) {
  const { name: namespace } = await world.namespace();

  async function makeTarget(name: string, given: NewTarget = {}): Promise<Target> {
    const made = await world.cluster.create(targets, {
      metadata: { name, namespace, annotations: given.annotations ?? {}, finalizers: given.finalizers ?? [] },
      spec: {
        deploymentTargetClassName: given.className ?? '',
        kubernetesCredentials: {
          defaultNamespace: 'there',
          apiURL: 'https://cluster.example',
          clusterCredentialsSecret: 'opens-it',
          allowInsecureSkipTLSVerify: false,
          ...given.access,
        },
        ...(given.claimRef !== undefined && { claimRef: given.claimRef }),
        ...(given.resources !== undefined && { resources: given.resources }),
        ...(given.arch !== undefined && { arch: given.arch }),
      },
    });
    if (given.phase !== undefined)
      await world.cluster.patch(
        targets,
        { namespace, name },
        { status: { phase: given.phase } },
        { subresource: 'status' },
      );
    return targetOf(made);
  }

  /** A claim, and whatever the binder would have written on it. */
  async function makeClaim(
    name: string,
    spec: Readonly<Record<string, unknown>> = {},
    { isComplete = false }: { readonly isComplete?: boolean } = {},
  ): Promise<Claim> {
    const made = await world.cluster.create(claims, {
      metadata: { name, namespace, annotations: isComplete ? { [annotations.bindComplete.key]: 'true' } : {} },
      spec: { deploymentTargetClassName: '', ...spec },
    });
    return claimOf(made);
  }

  return {
    namespace,
    makeTarget,
    makeClaim,
    /** A class of one's own: classes belong to the cluster, not to a namespace. */
    async makeClass(reclaimPolicy: string, provisioner = 'nobody.example/makes-them'): Promise<string> {
      const name = `class-${randomBytes(4).toString('hex')}`;
      await world.cluster.create(classes, { metadata: { name }, spec: { provisioner, parameters: {}, reclaimPolicy } });
      return name;
    },
    async target(name: string): Promise<Target | undefined> {
      const found = await world.cluster.read(targets, { namespace, name });
      return found === undefined ? undefined : targetOf(found);
    },
    async claim(name: string): Promise<Claim | undefined> {
      const found = await world.cluster.read(claims, { namespace, name });
      return found === undefined ? undefined : claimOf(found);
    },
    patchTarget(name: string, patch: object): Promise<boolean> {
      return world.cluster.patch(targets, { namespace, name }, patch);
    },
    patchClaim(name: string, patch: object): Promise<boolean> {
      return world.cluster.patch(claims, { namespace, name }, patch);
    },
    removeTarget(name: string): Promise<boolean> {
      return world.cluster.remove(targets, { namespace, name });
    },
    /** Deletes it whatever holds it, as an impatient person does. */
    async tearAwayClaim(name: string): Promise<void> {
      await world.cluster.patch(claims, { namespace, name }, { metadata: { finalizers: null } });
      await world.cluster.remove(claims, { namespace, name });
      await world.cluster.patch(claims, { namespace, name }, { metadata: { finalizers: null } });
    },
    /** One more look at a target, with nothing that says that it has changed. */
    async lookAgain(name: string) {
      world.knock('target.changed.v1', { namespace, name });
      return world.settle();
    },
  };
}

export type TargetScene = Awaited<ReturnType<typeof openTargetScene>>;
