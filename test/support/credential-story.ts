import { appProjects, repositoryCredentials, secrets } from '../../shared/contracts/kubernetes/kinds.ts';
import { secretTypes } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { projectName } from '../../shared/domain/gitops/names.ts';
import { databaseIdLabel } from '../../shared/domain/gitops/written-object.ts';
import { argoNamespace, type GitOpsWorld } from './gitops-world.ts';

/** The life of one GitOpsDeploymentRepositoryCredential, on a host where every password opens every repository. */
export const acts = ['create', 'rotate', 'delete'] as const;
export type Act = (typeof acts)[number];

interface Story {
  readonly namespace: { readonly name: string; readonly uid: string };
  uid: string;
}

const name = 'access';
const passwordData = (password: string) => ({ password: Buffer.from(password).toString('base64') });

export async function openStory(world: GitOpsWorld): Promise<Story> {
  return { namespace: await world.namespace(), uid: '' };
}

/** What the tenant does. */
export async function perform(act: Act, world: GitOpsWorld, story: Story): Promise<void> {
  const key = { namespace: story.namespace.name, name };
  if (act === 'create') {
    await world.cluster.create(secrets, {
      metadata: key,
      type: secretTypes.repositoryCredential,
      data: { username: Buffer.from('me').toString('base64'), ...passwordData('one') },
    });
    const made = await world.cluster.create(repositoryCredentials, {
      metadata: key,
      spec: { repository: 'https://git.example/team/private', secret: name },
    });
    story.uid = made.metadata.uid;
  }
  if (act === 'rotate') await world.cluster.patch(secrets, key, { data: passwordData('two') });
  if (act === 'delete') await world.cluster.remove(repositoryCredentials, key);
}

/** Rows, and every Secret beside Argo CD that claims to be of the credential. */
export async function outcomeOf({ sql, cluster }: GitOpsWorld, { namespace, uid }: Story): Promise<object> {
  const [rows] = await sql`
    select (select count(*)::int from repository_credentials where user_id = ${namespace.uid}) as credentials,
           (select count(*)::int from api_cr_to_database_mapping where api_resource_namespace_uid = ${namespace.uid}) as mappings,
           (select count(*)::int from app_project_repository where cluster_user_id = ${namespace.uid}) as repositories,
           (select count(*)::int from operation where resource_id = ${uid} and state in ('Waiting', 'In_Progress')) as pending,
           (select count(*)::int from operation where resource_id = ${uid} and state = 'Failed') as failed,
           (select count(*)::int from knock where tenant = ${namespace.name}) as knocks,
           (select count(*)::int from lease) as leases`;
  const passwords: string[] = [];
  const labelSelector = `${databaseIdLabel}=${uid}`;
  for await (const page of cluster.list(secrets, { namespace: argoNamespace, labelSelector }))
    passwords.push(...page.map(({ data }) => Buffer.from(data['password'] ?? '', 'base64').toString()));
  const project = await cluster.read(appProjects, { namespace: argoNamespace, name: projectName(namespace.uid) });
  const credential = await cluster.read(repositoryCredentials, { namespace: namespace.name, name });
  return {
    ...rows,
    passwords,
    project: project !== undefined,
    errors: credential?.status?.conditions.filter(({ type, status }) => type === 'ErrorOccurred' && status === 'True'),
  };
}

const quiet = { pending: 0, failed: 0, knocks: 0, leases: 0 };
const there = { ...quiet, credentials: 1, mappings: 1, repositories: 1, project: true, errors: [] };

/** The same at the end of every act, whatever happened on the way. */
export const endings: Readonly<Record<Act, object>> = {
  create: { ...there, passwords: ['one'] },
  rotate: { ...there, passwords: ['two'] },
  delete: {
    ...quiet,
    credentials: 0,
    mappings: 0,
    repositories: 0,
    passwords: [],
    project: false,
    errors: undefined,
  },
};
