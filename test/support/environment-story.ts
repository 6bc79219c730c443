import {
  clusterRoleBindings,
  clusterRoles,
  managedEnvironments,
  secrets,
  serviceAccounts,
} from '../../shared/contracts/kubernetes/kinds.ts';
import { secretTypes } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { accountNames } from '../../shared/domain/gitops/managed-environment.ts';
import { clusterSecretName } from '../../shared/domain/gitops/names.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { argoNamespace, type GitOpsWorld } from './gitops-world.ts';
import type { RunningCluster } from './running-cluster.ts';

/** The life of one GitOpsDeploymentManagedEnvironment: with the tenant's token, then with an account of its own. */
export const acts = ['create', 'install', 'delete'] as const;
export type Act = (typeof acts)[number];

interface Story {
  readonly namespace: { readonly name: string; readonly uid: string };
  uid: string;
}

const name = 'far';

/** `target` is what the tenant deploys to, and `there` the hands of its admin, which nobody notices. */
export function tellEnvironmentStory(target: () => RunningCluster, there: () => Cluster) {
  function kubeconfig(): string {
    const { url: server, ca, adminToken: token } = target();
    const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
    const config = {
      'current-context': name,
      contexts: [{ name, context: { cluster: name, user: name } }],
      clusters: [{ name, cluster }],
      users: [{ name, user: { token } }],
    };
    return Buffer.from(JSON.stringify(config)).toString('base64');
  }

  async function accountOf(uid: string): Promise<string[]> {
    const { namespace, account, role, binding, token } = accountNames(uid);
    const found = await Promise.all([
      there().read(serviceAccounts, { namespace, name: account }),
      there().read(clusterRoles, { namespace: '', name: role }),
      there().read(clusterRoleBindings, { namespace: '', name: binding }),
      there().read(secrets, { namespace, name: token }),
    ]);
    return found.flatMap((object) => (object === undefined ? [] : [object.kind]));
  }

  return {
    acts,
    endings,

    async openStory(world: GitOpsWorld): Promise<Story> {
      const namespace = await world.namespace();
      await world.cluster.create(secrets, {
        metadata: { namespace: namespace.name, name },
        type: secretTypes.managedEnvironment,
        data: { kubeconfig: kubeconfig() },
      });
      return { namespace, uid: '' };
    },

    async perform(act: Act, world: GitOpsWorld, story: Story): Promise<void> {
      const key = { namespace: story.namespace.name, name };
      if (act === 'create') {
        const made = await world.cluster.create(managedEnvironments, {
          metadata: key,
          spec: { apiURL: target().url, credentialsSecret: name, allowInsecureSkipTLSVerify: false },
        });
        story.uid = made.metadata.uid;
      }
      if (act === 'install')
        await world.cluster.patch(managedEnvironments, key, { spec: { createNewServiceAccount: true } });
      if (act === 'delete') await world.cluster.remove(managedEnvironments, key);
    },

    /** Rows, what stands beside Argo CD, and what stands on the target. */
    async outcomeOf({ sql, cluster }: GitOpsWorld, { namespace, uid }: Story): Promise<object> {
      const [rows] = await sql`
        select (select count(*)::int from managed_environment where id = ${uid}) as environments,
               (select count(*)::int from cluster_access where managed_environment_id = ${uid}) as accesses,
               (select count(*)::int from app_project_managed_environment where managed_environment_id = ${uid}) as projects,
               (select count(*)::int from api_cr_to_database_mapping where api_resource_uid = ${uid}) as mappings,
               (select count(*)::int from cluster_credentials c where not local
                 and not exists (select from managed_environment e where e.cluster_credentials_id = c.id)) as unused,
               (select count(*)::int from target_service_account where id like ${`${uid}%`}) as accounts,
               (select count(*)::int from left_environment where id = ${uid}) as left_over,
               (select count(*)::int from operation where resource_id = ${uid} and state in ('Waiting', 'In_Progress')) as pending,
               (select count(*)::int from operation where resource_id = ${uid} and state = 'Failed') as failed,
               (select count(*)::int from wakeup where tenant = ${namespace.name}) as waits,
               (select count(*)::int from knock where tenant = ${namespace.name}) as knocks,
               (select count(*)::int from lease) as leases`;
      const secret = await cluster.read(secrets, { namespace: argoNamespace, name: clusterSecretName(uid) });
      const config = Buffer.from(secret?.data['config'] ?? '', 'base64').toString();
      const environment = await cluster.read(managedEnvironments, { namespace: namespace.name, name });
      return {
        ...rows,
        account: (await accountOf(uid)).toSorted(),
        token: secret === undefined ? undefined : config.includes(target().adminToken) ? 'of the tenant' : 'of its own',
        says: environment?.status?.conditions.map(({ status, reason }) => `${status} ${reason}`),
      };
    },
  };
}

const quiet = { unused: 0, left_over: 0, pending: 0, failed: 0, waits: 0, knocks: 0, leases: 0 };
const there = { ...quiet, environments: 1, accesses: 1, projects: 1, mappings: 1, says: ['True Succeeded'] };

/** The same at the end of every act, whatever happened on the way. */
const endings: Readonly<Record<Act, object>> = {
  create: { ...there, accounts: 0, account: [], token: 'of the tenant' },
  install: {
    ...there,
    accounts: 1,
    account: ['ClusterRole', 'ClusterRoleBinding', 'Secret', 'ServiceAccount'],
    token: 'of its own',
  },
  delete: {
    ...quiet,
    environments: 0,
    accesses: 0,
    projects: 0,
    mappings: 0,
    accounts: 0,
    account: [],
    token: undefined,
    says: undefined,
  },
};
