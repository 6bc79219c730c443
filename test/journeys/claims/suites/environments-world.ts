import {
  claims,
  environments,
  managedEnvironments,
  secrets,
  targets,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';

/** Nothing answers there, and it says so at once. */
export const nowhere = 'https://127.0.0.1:1';

export const managedType = 'managed-gitops.redhat.com/managed-environment';

interface Bound {
  readonly claim?: string;
  readonly target?: string;
  readonly secret?: string;
  readonly apiURL?: string;
  readonly defaultNamespace?: string;
}

/** The hands of a tenant, and of a binder who has done its work, in a namespace of their own. */
export async function openEnvironmentHands(world: GitOpsWorld) {
  const { name: namespace } = await world.namespace('env');
  const { cluster } = world;

  async function putSecret(name: string, text: string, type = 'Opaque'): Promise<void> {
    const data = { kubeconfig: Buffer.from(text).toString('base64') };
    const found = await cluster.read(secrets, { namespace, name });
    if (found === undefined) await cluster.create(secrets, { metadata: { namespace, name }, type, data });
    else await cluster.patch(secrets, { namespace, name }, { data });
  }

  /** A claim and a target that have each other, as the binder leaves them. */
  async function bind({
    claim = 'dev-dtc',
    target = 'dev-dt',
    secret = 'dev-secret',
    apiURL = nowhere,
    defaultNamespace = 'team-dev',
  }: Bound = {}): Promise<void> {
    const made = await cluster.create(claims, {
      metadata: {
        namespace,
        name: claim,
        finalizers: ['binder.appstudio.redhat.com/finalizer'],
        annotations: {
          'dt.appstudio.redhat.com/bind-complete': 'true',
          'dt.appstudio.redhat.com/bound-by-controller': 'true',
        },
      },
      spec: { deploymentTargetClassName: '', targetName: target },
    });
    await cluster.create(targets, {
      metadata: { namespace, name: target },
      spec: {
        deploymentTargetClassName: '',
        kubernetesCredentials: {
          defaultNamespace,
          apiURL,
          clusterCredentialsSecret: secret,
          allowInsecureSkipTLSVerify: false,
        },
        claimRef: { name: claim, uid: made.metadata.uid },
      },
    });
    const bound = { status: { phase: 'Bound' } };
    await cluster.patch(targets, { namespace, name: target }, bound, { subresource: 'status' });
    await cluster.patch(claims, { namespace, name: claim }, bound, { subresource: 'status' });
  }

  async function create(name: string, spec: object = {}): Promise<string> {
    const whole = { displayName: name, deploymentStrategy: 'Manual', ...spec };
    const made = await cluster.create(environments, { metadata: { namespace, name }, spec: whole });
    return made.metadata.uid;
  }

  async function conditions(name: string): Promise<Record<string, string>> {
    const found = await cluster.read(environments, { namespace, name });
    return Object.fromEntries(
      (found?.status?.conditions ?? []).map(({ type, status, reason, message }) => [
        type,
        `${status}/${reason}/${message}`,
      ]),
    );
  }

  return {
    namespace,
    putSecret,
    bind,
    create,
    conditions,
    /** The Environment has its target at the claim. */
    at: (claimName: string) => ({ configuration: { target: { deploymentTargetClaim: { claimName } } } }),
    settle: () => world.settle(),
    find: (name: string) => cluster.read(environments, { namespace, name }),
    change: (name: string, spec: object) => cluster.patch(environments, { namespace, name }, { spec }),
    drop: (name: string) => cluster.remove(environments, { namespace, name }),
    managed: (name: string) => cluster.read(managedEnvironments, { namespace, name: `managed-environment-${name}` }),
    secret: (name: string) => cluster.read(secrets, { namespace, name }),
    copy: (name: string) => cluster.read(secrets, { namespace, name: `managed-environment-secret-${name}` }),
    /** Argo CD's side has reached the cluster, or has not: nobody else hears of it. */
    async connect(name: string, status: 'True' | 'False', reason: string, message = ''): Promise<void> {
      const condition = {
        type: 'ConnectionInitializationSucceeded',
        status,
        reason,
        message,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      };
      await world.bare.request(
        `/apis/managed-gitops.redhat.com/v1alpha1/namespaces/${namespace}/gitopsdeploymentmanagedenvironments/managed-environment-${name}/status`,
        {
          method: 'PATCH',
          headers: { 'content-type': 'application/merge-patch+json' },
          body: { status: { conditions: [condition] } },
        },
      );
      world.knock('environment.changed.v1', { namespace, name });
    },
    knock(name: string): void {
      world.knock('environment.changed.v1', { namespace, name });
    },
    async uses(name: string) {
      const [row] = await world.sql`
        select claim_name, secret_name from environment_use where namespace = ${namespace} and name = ${name}`;
      return row;
    },
  };
}

export type EnvironmentHands = Awaited<ReturnType<typeof openEnvironmentHands>>;

export function decoded(secret: { readonly data: Readonly<Record<string, string>> } | undefined): string | undefined {
  const found = secret?.data['kubeconfig'];
  return found === undefined ? undefined : Buffer.from(found, 'base64').toString('utf8');
}
