import { argoApplications, gitOpsDeployments, syncRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import { applicationName } from '../../shared/domain/gitops/names.ts';
import { syncIdOf } from '../../shared/domain/gitops/sync.ts';
import { argoNamespace, type GitOpsWorld } from './gitops-world.ts';

/** Two GitOpsDeploymentSyncRuns of one deployment: one comes to its end, the other is deleted while Argo CD works on it. */
export const acts = ['sync', 'forget', 'begin', 'stop'] as const;
export type Act = (typeof acts)[number];

interface Story {
  readonly namespace: { readonly name: string; readonly uid: string };
  readonly application: string;
  /** The UID of the run of today. */
  run: string;
}

const deployment = 'web';
/** A revision that Argo CD is never done with. */
const endless = 'endless';
const names: Readonly<Record<Act, string>> = { sync: 'first', forget: 'first', begin: 'second', stop: 'second' };

/** How often Argo CD began the sync of a run. */
const begun = new Map<string, number>();

export async function openStory(world: GitOpsWorld): Promise<Story> {
  const namespace = await world.namespace();
  const { metadata } = await world.cluster.create(gitOpsDeployments, {
    metadata: { namespace: namespace.name, name: deployment },
    spec: { type: 'manual', source: { repoURL: 'https://git.example/team/shop', path: 'deploy' } },
  });
  await world.settle();
  return { namespace, application: metadata.uid, run: '' };
}

/** What the tenant does. */
export async function perform(act: Act, world: GitOpsWorld, story: Story): Promise<void> {
  const key = { namespace: story.namespace.name, name: names[act] };
  if (act === 'forget' || act === 'stop') {
    await world.cluster.remove(syncRuns, key);
    return;
  }
  const made = await world.cluster.create(syncRuns, {
    metadata: key,
    spec: { gitopsDeploymentName: deployment, revisionID: act === 'begin' ? endless : 'v1' },
  });
  story.run = made.metadata.uid;
}

/** What Argo CD does with what it is asked for: it begins, and comes to an end unless there is none. */
export async function playSyncing({ cluster }: GitOpsWorld): Promise<void> {
  for await (const page of cluster.list(argoApplications, { namespace: argoNamespace }))
    for (const { metadata, operation, status } of page) {
      const state = status?.operationState;
      const isEndless = JSON.stringify(operation ?? state?.operation ?? {}).includes(endless);
      if (operation !== undefined && state?.phase !== 'Running' && state?.phase !== 'Terminating') {
        const id = syncIdOf(operation['info']) ?? '';
        begun.set(id, (begun.get(id) ?? 0) + 1);
        await cluster.patch(argoApplications, metadata, {
          status: { operationState: { operation, phase: 'Running', message: '', startedAt: now(), finishedAt: null } },
        });
      } else if (state?.phase === 'Terminating' || (state?.phase === 'Running' && !isEndless)) {
        const phase = isEndless ? 'Failed' : 'Succeeded';
        await cluster.patch(argoApplications, metadata, {
          operation: null,
          status: {
            sync: { status: 'Synced' },
            health: { status: 'Healthy' },
            operationState: { phase, message: 'it is over', finishedAt: now() },
          },
        });
      }
    }
}

/** Rows, what Argo CD was asked for, and what the run says. */
export async function outcomeOf({ sql, cluster }: GitOpsWorld, story: Story): Promise<object> {
  const { namespace, application, run } = story;
  const [rows] = await sql`
    select (select coalesce(string_agg(phase || case when finished_at is null then '' else ', over' end, '; '), 'none')
              from sync_operation where application_id = ${application} or id = ${run}) as syncs,
           (select count(*)::int from api_cr_to_database_mapping where api_resource_namespace_uid = ${namespace.uid}) as mappings,
           (select count(*)::int from operation where resource_id = ${run} and state in ('Waiting', 'In_Progress')) as pending,
           (select count(*)::int from operation where resource_id = ${run} and state = 'Failed') as failed,
           (select count(*)::int from knock where tenant = ${namespace.name}) as knocks,
           (select count(*)::int from lease) as leases`;
  const key = { namespace: argoNamespace, name: applicationName(application) };
  const argo = await cluster.read(argoApplications, key);
  const runs = await Promise.all(
    ['first', 'second'].map((name) => cluster.read(syncRuns, { namespace: namespace.name, name })),
  );
  return {
    ...rows,
    begun: begun.get(run) ?? 0,
    argo: argo?.status?.operationState?.phase,
    errors: runs.flatMap((seen) => seen?.status?.conditions.filter(({ status }) => status === 'True') ?? []),
  };
}

function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

const quiet = { pending: 0, failed: 0, knocks: 0, leases: 0, errors: [], begun: 1 };

/** The same at the end of every act, whatever happened on the way. */
export const endings: Readonly<Record<Act, object>> = {
  sync: { ...quiet, syncs: 'Succeeded, over', mappings: 1, argo: 'Succeeded' },
  forget: { ...quiet, syncs: 'none', mappings: 0, argo: 'Succeeded' },
  begin: { ...quiet, syncs: 'Running', mappings: 1, argo: 'Running' },
  stop: { ...quiet, syncs: 'none', mappings: 0, argo: 'Failed' },
};
