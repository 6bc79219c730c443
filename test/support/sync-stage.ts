import { randomUUID } from 'node:crypto';
import { openCluster } from '../../shared/adapters/kubernetes/open-cluster.ts';
import { packStatus } from '../../shared/adapters/postgres/gitops/packed-status.ts';
import { gitOpsDeployments, syncRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import { syncInfo } from '../../shared/domain/gitops/sync.ts';
import type { Outcome } from '../../shared/runtime/outcome.ts';
import type { GitOpsWorld } from './gitops-world.ts';

/** What one look of run-sync came to. */
interface Look {
  readonly outcome: Outcome;
  /** The runs that it knocked for. */
  readonly woken: readonly string[];
}

/**
 * A namespace with run-sync as the only function that runs: the test itself plays all the others by what they would leave
 * in rows, and Argo CD by what it would say.
 */
export async function openSyncStage(world: GitOpsWorld) {
  const { sql, machine } = world;
  const namespace = await world.namespace();
  const unnoticed = openCluster({ connection: world.bare });

  const stage = {
    namespace,
    cluster: unnoticed,

    /** A GitOpsDeployment, and the rows that it has when Argo CD knows it. Returns its UID. */
    async deployment(name: string, { type = 'manual', targetRevision = '' } = {}): Promise<string> {
      const { metadata } = await unnoticed.create(gitOpsDeployments, {
        metadata: { namespace: namespace.name, name },
        spec: { type, source: { repoURL: 'https://git.example/a', path: 'deploy', targetRevision } },
      });
      await stage.application(name, metadata.uid);
      return metadata.uid;
    },

    async application(name: string, id: string, appliedRevision = 1): Promise<void> {
      const { uid } = namespace;
      await sql`insert into cluster_credentials (id, local) values ('local', true) on conflict do nothing`;
      await sql`insert into gitops_engine_cluster (id, cluster_credentials_id) values ('engine', 'local') on conflict do nothing`;
      await sql`insert into gitops_engine_instance (id, namespace_name, namespace_uid, engine_cluster_id)
                values ('argo', 'argocd', 'argo', 'engine') on conflict do nothing`;
      await sql`insert into cluster_user (id, user_name, engine_instance_id) values (${uid}, ${uid}, 'argo') on conflict do nothing`;
      await sql`insert into application (id, name, spec_field, engine_instance_id, applied_revision)
                values (${id}, ${`gitopsdepl-${id}`}, '{}', 'argo', ${appliedRevision})`;
      await sql`insert into application_owner (application_id, user_id) values (${id}, ${uid})`;
      await sql`insert into deployment_to_application_mapping (id, name, namespace, namespace_uid, application_id)
                values (${id}, ${name}, ${namespace.name}, ${uid}, ${id})`;
    },

    /** A GitOpsDeploymentSyncRun. Returns its UID. */
    async syncRun(name: string, gitopsDeploymentName: string, revisionID?: string): Promise<string> {
      const { metadata } = await unnoticed.create(syncRuns, {
        metadata: { namespace: namespace.name, name },
        spec: { gitopsDeploymentName, ...(revisionID !== undefined && { revisionID }) },
      });
      return metadata.uid;
    },

    change: (name: string, spec: object) => unnoticed.patch(syncRuns, { namespace: namespace.name, name }, { spec }),
    remove: (name: string) => unnoticed.remove(syncRuns, { namespace: namespace.name, name }),
    isGone: async (name: string) => (await unnoticed.read(syncRuns, { namespace: namespace.name, name })) === undefined,

    async statusOf(name: string) {
      const run = await unnoticed.read(syncRuns, { namespace: namespace.name, name });
      const [condition] = run?.status?.conditions ?? [];
      const { status, reason, message } = condition ?? {};
      return {
        condition: condition && { status, reason, message },
        syncStatus: run?.status?.syncStatus ?? '',
        health: run?.status?.health,
      };
    },

    /** run-sync looks at a run, and at nothing else. */
    async look(name: string, at = namespace.name): Promise<Look> {
      const door = world.functions.get('run-sync');
      if (door === undefined) throw new Error('the map has no run-sync');
      world.queue.sent.splice(0);
      const outcome = await door.handle(
        {
          specversion: '1.0',
          id: randomUUID(),
          source: '/functions/forward-event',
          type: 'sync-run.changed.v1',
          subject: `${at}/${name}`,
          time: new Date().toISOString(),
          data: { namespace: at, name },
        },
        { receives: 1, covered: 0 },
        machine,
      );
      const sent = world.queue.sent.splice(0);
      return {
        outcome,
        // What it wrote to the run is heard of, too; that is nobody woken.
        woken: sent
          .filter(({ message, from }) => message.function === 'run-sync' && from === 'run-sync')
          .map(({ message }) => message.subject.name),
      };
    },

    /** The whole of what the rows say about a run. */
    async rowsOf(id: string) {
      const [sync] = await sql`
        select application_id as application, deployment_name as deployment, revision, revision_id as asked, desired_state as desired,
          phase, message, requested_at is not null as requested, finished_at is not null as finished
        from sync_operation where id = ${id}`;
      const mappings = await sql`
        select api_resource_name as name, api_resource_namespace as namespace, api_resource_namespace_uid as uid,
          api_resource_uid as run from api_cr_to_database_mapping
        where api_resource_type = 'GitOpsDeploymentSyncRun' and db_relation_type = 'SyncOperation' and db_relation_key = ${id}`;
      const operations = await sql`
        select state, instance_id as instance, owner_user_id as owner from operation
        where resource_id = ${id} and resource_type = 'SyncOperation' order by seq_id`;
      return { sync, mappings: [...mappings], operations: [...operations] };
    },

    waitOf: async (name: string) =>
      (
        await sql`select reason, blocked_on, message from wakeup
                  where function = 'run-sync' and subject = ${`${namespace.name}/${name}`}`
      )[0],

    /** apply-operation is done with whatever was asked of it about a run. */
    async operationsEnd(id: string, state: 'Completed' | 'Failed' = 'Completed', text = ''): Promise<void> {
      await sql`update operation set state = ${state}, human_readable_state = ${text}, last_state_update = now()
                where resource_id = ${id} and state in ('Waiting', 'In_Progress')`;
    },

    /** What Argo CD says, as report-status keeps it. */
    async argoSays(application: string, status: object): Promise<void> {
      const packed = packStatus(JSON.stringify(status));
      await sql`insert into application_state (application_id, argocd_application_status) values (${application}, ${packed})
                on conflict (application_id) do update set argocd_application_status = excluded.argocd_application_status`;
    },
  };
  return stage;
}

export type SyncStage = Awaited<ReturnType<typeof openSyncStage>>;

/** Argo CD's `.status.operationState` for a sync that was started for a run. */
export function operationStateOf(id: string, revision: string, but: object = {}): object {
  return {
    operation: { sync: { revision }, info: [syncInfo(id)] },
    phase: 'Succeeded',
    message: 'successfully synced (all tasks run)',
    startedAt: '2026-01-15T12:00:00Z',
    finishedAt: '2026-01-15T12:00:05Z',
    ...but,
  };
}
