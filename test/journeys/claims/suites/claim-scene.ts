import { claimOf, targetOf } from '../../../../shared/contracts/claims.ts';
import { claims, classes, targets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { annotations, finalizers } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Claim } from '../../../../shared/domain/claim/claim.ts';
import type { Target } from '../../../../shared/domain/target/target.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';

interface NewTarget {
  readonly className?: string;
  readonly claim?: { readonly name: string; readonly uid?: string };
  readonly arch?: string;
  readonly cpu?: string;
  readonly provisionedBy?: string;
  readonly finalizers?: readonly string[];
}

interface NewClaim {
  readonly className?: string;
  readonly target?: string;
  readonly arch?: string;
  readonly cpu?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

/** Hands and eyes for stories about claims: everything stands in one fresh namespace. */
export async function openClaimScene(world: GitOpsWorld) {
  const { name: namespace } = await world.namespace('claims');
  const { cluster } = world;

  const scene = {
    namespace,
    world,
    async createTarget(name: string, but: NewTarget = {}): Promise<Target> {
      const { className = '', claim, arch, cpu, provisionedBy } = but;
      const object = await cluster.create(targets, {
        metadata: {
          namespace,
          name,
          ...(provisionedBy !== undefined && { annotations: { [annotations.provisionedBy.key]: provisionedBy } }),
          ...(but.finalizers !== undefined && { finalizers: but.finalizers }),
        },
        spec: {
          deploymentTargetClassName: className,
          kubernetesCredentials: {
            defaultNamespace: `${namespace}-${name}`,
            apiURL: 'https://api.example.com',
            clusterCredentialsSecret: `${name}-secret`,
            allowInsecureSkipTLSVerify: false,
          },
          ...(claim !== undefined && { claimRef: claim }),
          ...(arch !== undefined && { arch }),
          ...(cpu !== undefined && { resources: { requests: { cpu } } }),
        },
      });
      return targetOf(object);
    },
    async createClaim(name: string, but: NewClaim = {}): Promise<Claim> {
      const { className = '', target, arch, cpu } = but;
      const object = await cluster.create(claims, {
        metadata: {
          namespace,
          name,
          ...(but.annotations !== undefined && { annotations: but.annotations }),
          ...(but.finalizers !== undefined && { finalizers: but.finalizers }),
        },
        spec: {
          deploymentTargetClassName: className,
          ...(target !== undefined && { targetName: target }),
          ...(arch !== undefined && { arch }),
          ...(cpu !== undefined && { resources: { requests: { cpu } } }),
        },
      });
      return claimOf(object);
    },
    /** Classes belong to the whole cluster, so each test has its own. */
    async createClass(kind: string, but: Readonly<Record<string, unknown>> = {}): Promise<string> {
      const name = `${kind}-${namespace}`;
      const spec = { provisioner: 'example.com/somebody', reclaimPolicy: 'Delete', ...but };
      await cluster.create(classes, { metadata: { name }, spec });
      return name;
    },
    async claim(name: string): Promise<Claim | undefined> {
      const object = await cluster.read(claims, { namespace, name });
      return object === undefined ? undefined : claimOf(object);
    },
    async target(name: string): Promise<Target | undefined> {
      const object = await cluster.read(targets, { namespace, name });
      return object === undefined ? undefined : targetOf(object);
    },
    async annotations(name: string): Promise<Readonly<Record<string, string>>> {
      const object = await cluster.read(claims, { namespace, name });
      return object?.metadata.annotations ?? {};
    },
    async condition(name: string, type: string) {
      const claim = await scene.claim(name);
      return claim?.said.find((one) => one.type === type);
    },
    deleteClaim: (name: string) => cluster.remove(claims, { namespace, name }),
    deleteTarget: (name: string) => cluster.remove(targets, { namespace, name }),
    patchClaim: (name: string, patch: object) => cluster.patch(claims, { namespace, name }, patch),
    patchTarget: (name: string, patch: object, subresource?: 'status') =>
      cluster.patch(targets, { namespace, name }, patch, { subresource }),
    /** A knock as the drift pass would send it. */
    look: (name: string) => world.knock('claim.changed.v1', { namespace, name }),
    /** What a claim waits for, as an operator sees it. */
    async waiting(name: string) {
      const [row] = await world.sql`
        select reason, message, extract(epoch from deadline - since)::float8 as deadline,
          extract(epoch from due_at - since)::float8 as due
        from wakeup where function = 'bind-claim' and subject = ${`${namespace}/${name}`}`;
      return row;
    },
    async inLine(): Promise<string[]> {
      const rows = await world.sql`select name from waiting_claim where namespace = ${namespace} order by name`;
      return rows.map((row) => String(row['name']));
    },
  };
  return scene;
}

export type ClaimScene = Awaited<ReturnType<typeof openClaimScene>>;

export const claimFinalizer = finalizers.claim.key;
export const marks = {
  complete: annotations.bindComplete.key,
  byController: annotations.boundByController.key,
  provisioner: annotations.targetProvisioner.key,
  timeToLive: annotations.timeToLive.key,
} as const;
