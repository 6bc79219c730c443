import { randomBytes } from 'node:crypto';
import { type ClusterConnection, connectCluster } from '../../../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import {
  clusterRoleBindings,
  clusterRoles,
  managedEnvironments,
  namespaces,
  secrets,
  serviceAccounts,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { inWords } from '../../../../shared/domain/core/subject.ts';
import type { Outcome } from '../../../../shared/runtime/outcome.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import type { RunningCluster } from '../../../support/running-cluster.ts';
import { until } from '../../../support/until.ts';

/** The functions that this suite runs; what others are told is looked at and left. */
const ours = ['reconcile-managed-environment', 'forward-secret'];

interface ConfigParts {
  readonly server?: string;
  readonly token?: string | undefined;
  readonly ca?: string | undefined;
}

const environmentSecretType = 'managed-gitops.redhat.com/managed-environment';

/** A world with a cluster to deploy to, and the hands of a tenant who does so. */
export async function openTargetWorld(world: GitOpsWorld, running: RunningCluster) {
  const connection: ClusterConnection = connectCluster({
    server: running.url,
    token: running.adminToken,
    certificateAuthority: running.ca,
    now: Date.now,
  });
  const target = openCluster({ connection });

  function kubeconfig({ server = running.url, token = running.adminToken, ca = running.ca }: ConfigParts = {}): string {
    return JSON.stringify({
      'current-context': 'there',
      clusters: [
        {
          name: 'target',
          cluster: { server, ...(ca !== '' && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }) },
        },
      ],
      contexts: [{ name: 'there', context: { cluster: 'target', user: 'me' } }],
      users: [{ name: 'me', user: { token } }],
    });
  }

  async function putSecret(namespace: string, name: string, text: string, type = environmentSecretType): Promise<void> {
    const data = { kubeconfig: Buffer.from(text).toString('base64') };
    const found = await world.cluster.read(secrets, { namespace, name });
    if (found === undefined) await world.cluster.create(secrets, { metadata: { namespace, name }, type, data });
    else await world.cluster.patch(secrets, { namespace, name }, { data });
  }

  async function create(namespace: string, spec: object = {}, name = 'staging'): Promise<string> {
    const whole = { apiURL: running.url, credentialsSecret: 'target', allowInsecureSkipTLSVerify: false, ...spec };
    const made = await world.cluster.create(managedEnvironments, { metadata: { namespace, name }, spec: whole });
    return made.metadata.uid;
  }

  /** Runs our own functions until they have nothing to do, and hands back what others were told meanwhile. */
  async function reconcile(): Promise<{ outcomes: Outcome[]; knocks: string[] }> {
    const outcomes: Outcome[] = [];
    for (let steps = 0; steps < 200; steps += 1) {
      const at = world.queue.sent.findIndex(
        ({ message, delaySeconds = 0 }) => ours.includes(message.function) && delaySeconds === 0,
      );
      const [delivery] = at < 0 ? [] : world.queue.sent.splice(at, 1);
      if (delivery === undefined) {
        world.queue.sent.splice(0);
        const told = await world.sql<{ knock: string }[]>`
          delete from knock where function <> all (${ours}) returning function || ' ' || split_part(subject, '/', 2) as knock`;
        return { outcomes, knocks: told.map(({ knock }) => knock) };
      }
      const { message, from, pending } = delivery;
      const event = {
        specversion: '1.0',
        id: message.id,
        source: `/functions/${from}`,
        type: message.type,
        subject: inWords(message.subject),
        time: new Date().toISOString(),
        data: message.subject,
        ...(pending && { pending: 'true' }),
      };
      const door = world.functions.get(message.function);
      if (door === undefined) throw new Error(`the map has no function ${message.function}`);
      outcomes.push(await door.handle(event, { receives: 1, covered: 0 }, world.machine));
    }
    throw new Error('it does not settle');
  }

  async function condition(namespace: string, name = 'staging') {
    const found = await world.cluster.read(managedEnvironments, { namespace, name });
    return found?.status?.conditions.find(({ type }) => type === 'ConnectionInitializationSucceeded');
  }

  async function rows(id: string) {
    const [row] = await world.sql`
      select e.name, c.*, (select count(*)::int from app_project_managed_environment p where p.managed_environment_id = e.id) as projects,
        (select count(*)::int from cluster_access a where a.managed_environment_id = e.id) as accesses,
        (select count(*)::int from api_cr_to_database_mapping m where m.db_relation_key = e.id) as mappings,
        (select count(*)::int from operation o where o.resource_id = e.id and o.resource_type = 'ManagedEnvironment') as operations
      from managed_environment e join cluster_credentials c on c.id = e.cluster_credentials_id where e.id = ${id}`;
    return row;
  }

  async function allow(name: string, rules: readonly object[]): Promise<void> {
    await target.create(clusterRoles, { metadata: { name }, rules });
    await target.create(clusterRoleBindings, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', namespace: 'default', name }],
    });
  }

  /** A user of the target cluster with a token of its own, who may do what the rules say. */
  async function user(rules: readonly object[] = []): Promise<{ readonly name: string; readonly token: string }> {
    const name = `user-${randomBytes(4).toString('hex')}`;
    const key = { namespace: 'default', name };
    await target.create(serviceAccounts, { metadata: key });
    await target.create(secrets, {
      metadata: { ...key, annotations: { 'kubernetes.io/service-account.name': name } },
      type: 'kubernetes.io/service-account-token',
    });
    if (rules.length > 0) await allow(name, rules);
    const token = await until('the token of a user', async () => (await target.read(secrets, key))?.data['token']);
    return { name, token: Buffer.from(token, 'base64').toString('utf8') };
  }

  return {
    world,
    running,
    target,
    kubeconfig,
    putSecret,
    create,
    reconcile,
    condition,
    rows,
    user,
    allow,
    /** A namespace of a tenant, with the Secret in it unless the test brings another one. */
    async tenant(config: ConfigParts | undefined = {}): Promise<string> {
      const { name } = await world.namespace();
      await putSecret(name, 'target', kubeconfig(config));
      return name;
    },
    async change(namespace: string, spec: object, name = 'staging'): Promise<void> {
      await world.cluster.patch(managedEnvironments, { namespace, name }, { spec });
    },
    async drop(namespace: string, name = 'staging'): Promise<void> {
      await world.cluster.remove(managedEnvironments, { namespace, name });
    },
    knock(namespace: string, name = 'staging'): void {
      world.knock('managed-environment.changed.v1', { namespace, name });
    },
    async targetNamespace(): Promise<string> {
      const name = `workload-${randomBytes(4).toString('hex')}`;
      await target.create(namespaces, { metadata: { name } });
      return name;
    },
    close: () => connection.close(),
  };
}

export type TargetWorld = Awaited<ReturnType<typeof openTargetWorld>>;

export const seesNamespaces = [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list'] }];
