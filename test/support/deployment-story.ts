import { appProjects, argoApplications, gitOpsDeployments } from '../../shared/contracts/kubernetes/kinds.ts';
import { applicationName, projectName } from '../../shared/domain/gitops/names.ts';
import { argoNamespace, type GitOpsWorld } from './gitops-world.ts';

/** The life of one GitOpsDeployment, act by act, and what must be true after each. */
export const acts = ['create', 'update', 'delete'] as const;
export type Act = (typeof acts)[number];

export interface Story {
  readonly namespace: { readonly name: string; readonly uid: string };
  uid: string;
}

const name = 'web';

export async function openStory(world: GitOpsWorld): Promise<Story> {
  return { namespace: await world.namespace(), uid: '' };
}

/** What the tenant does. */
export async function perform(act: Act, world: GitOpsWorld, story: Story): Promise<void> {
  const key = { namespace: story.namespace.name, name };
  if (act === 'create') {
    const made = await world.cluster.create(gitOpsDeployments, {
      metadata: key,
      spec: { source: { repoURL: 'https://example.com/team/app', path: 'one' }, type: 'automated' },
    });
    story.uid = made.metadata.uid;
  }
  if (act === 'update') await world.cluster.patch(gitOpsDeployments, key, { spec: { source: { path: 'two' } } });
  if (act === 'delete') await world.cluster.remove(gitOpsDeployments, key);
}

/** What is left of the story: rows and objects that belong to it, in a form that two runs can be compared by. */
export async function outcomeOf({ sql, cluster }: GitOpsWorld, { namespace, uid }: Story): Promise<object> {
  const [rows] = await sql`
    select (select count(*)::int from application where id = ${uid}) as applications,
           (select count(*)::int from deployment_to_application_mapping where namespace_uid = ${namespace.uid}) as mappings,
           (select count(*)::int from application_owner where user_id = ${namespace.uid}) as owners,
           (select count(*)::int from operation where resource_id = ${uid} and state in ('Waiting', 'In_Progress')) as pending,
           (select count(*)::int from operation where resource_id = ${uid} and state = 'Failed') as failed,
           (select count(*)::int from knock where tenant = ${namespace.name}) as knocks,
           (select count(*)::int from lease) as leases`;
  const application = await cluster.read(argoApplications, { namespace: argoNamespace, name: applicationName(uid) });
  const project = await cluster.read(appProjects, { namespace: argoNamespace, name: projectName(namespace.uid) });
  const deployment = await cluster.read(gitOpsDeployments, { namespace: namespace.name, name });
  return {
    ...rows,
    path: application?.spec.source?.path,
    project: project !== undefined,
    errors:
      deployment?.status?.conditions.filter(({ status }) => status === 'True').map(({ message }) => message) ?? [],
  };
}

const quiet = { pending: 0, failed: 0, knocks: 0, leases: 0, errors: [] };
const there = { ...quiet, applications: 1, mappings: 1, owners: 1, project: true };

/** The same at the end of every act, whatever happened on the way. */
export const endings: Readonly<Record<Act, object>> = {
  create: { ...there, path: 'one' },
  update: { ...there, path: 'two' },
  delete: { ...quiet, applications: 0, mappings: 0, owners: 0, path: undefined, project: false },
};
