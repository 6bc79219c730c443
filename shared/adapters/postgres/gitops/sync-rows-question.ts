import { ArgoApplication } from '../../../contracts/argo/application.ts';
import {
  type ArgoSync,
  type LastOperation,
  type QueuedSync,
  type SyncPhase,
  type SyncRow,
  type SyncTarget,
  syncIdOf,
} from '../../../domain/gitops/sync.ts';
import { unpackStatus } from './packed-status.ts';

/**
 * All that the rows know about one run: $1 is its namespace, $2 its name, $3 its UID, $4 its deployment. Rows of runs of
 * before have the name in common with it, and a mapping without a row is an empty row: both have to go.
 */
export const syncQuestion = `
with mine as (
  select m.db_relation_key as id from api_cr_to_database_mapping m
  where m.api_resource_type = 'GitOpsDeploymentSyncRun' and m.api_resource_name = $2 and m.api_resource_namespace = $1
    and m.db_relation_type = 'SyncOperation'
  union select s.id from sync_operation s where s.id = $3
), concerned as (
  select s.application_id as id from mine join sync_operation s on s.id = mine.id where s.application_id is not null
  union select d.application_id from deployment_to_application_mapping d where d.name = $4 and d.namespace = $1
)
select
  (select coalesce(jsonb_agg(jsonb_build_object(
      'id', mine.id, 'applicationId', s.application_id, 'deploymentName', coalesce(s.deployment_name, ''),
      'revision', coalesce(s.revision, ''), 'revisionId', coalesce(s.revision_id, ''),
      'desiredState', coalesce(s.desired_state, 'Running'), 'phase', coalesce(s.phase, ''), 'message', coalesce(s.message, ''),
      'requestedAt', extract(epoch from s.requested_at) * 1000, 'finishedAt', extract(epoch from s.finished_at) * 1000,
      'operation', (
        select jsonb_build_object('state', o.state, 'text', o.human_readable_state,
          'at', extract(epoch from o.last_state_update) * 1000)
        from operation o where o.resource_id = mine.id and o.resource_type = 'SyncOperation'
        order by o.state in ('Waiting', 'In_Progress') desc, o.seq_id desc limit 1)) order by mine.id), '[]')
    from mine left join sync_operation s on s.id = mine.id) as rows,
  (select coalesce(jsonb_agg(jsonb_build_object(
      'applicationId', a.id, 'instanceId', a.engine_instance_id, 'engineNamespace', e.namespace_name,
      'namespaceUid', coalesce(d.namespace_uid, ''), 'applied', a.applied_revision >= a.revision,
      'ownerUserId', (select w.user_id from application_owner w where w.application_id = a.id order by w.seq_id limit 1),
      'others', (
        select coalesce(jsonb_agg(jsonb_build_object('id', q.id, 'name', q.name, 'createdAt', extract(epoch from q.created_on) * 1000,
          'requested', q.requested)), '[]')
        from (
          select y.id, coalesce(m.api_resource_name, '') as name, y.created_on, y.requested_at is not null as requested
          from sync_operation y left join api_cr_to_database_mapping m on m.db_relation_type = 'SyncOperation'
            and m.db_relation_key = y.id and m.api_resource_type = 'GitOpsDeploymentSyncRun'
          where y.application_id = a.id and y.finished_at is null and y.id not in (select id from mine)
          order by y.requested_at is null, y.created_on, coalesce(m.api_resource_name, '') collate "C", y.id
          limit 2) q))), '[]')
    from concerned join application a on a.id = concerned.id
    join gitops_engine_instance e on e.id = a.engine_instance_id
    left join deployment_to_application_mapping d on d.application_id = a.id) as targets,
  (select t.argocd_application_status from application_state t
    join sync_operation s on s.application_id = t.application_id where s.id = $3) as status`;

interface RowAnswer {
  readonly id: string;
  readonly applicationId: string | null;
  readonly deploymentName: string;
  readonly revision: string;
  readonly revisionId: string;
  readonly desiredState: SyncRow['desiredState'];
  readonly phase: SyncPhase;
  readonly message: string;
  readonly requestedAt: number | null;
  readonly finishedAt: number | null;
  readonly operation: LastOperation | null;
}

interface TargetAnswer {
  readonly applicationId: string;
  readonly instanceId: string;
  readonly engineNamespace: string;
  readonly ownerUserId: string | null;
  readonly namespaceUid: string;
  readonly applied: boolean;
  readonly others: readonly QueuedSync[];
}

export interface SyncAnswer {
  readonly rows: readonly RowAnswer[];
  readonly targets: readonly TargetAnswer[];
  readonly status: Uint8Array | null;
}

export function toSyncRow(answer: RowAnswer): SyncRow {
  return {
    ...answer,
    applicationId: answer.applicationId ?? undefined,
    requestedAt: answer.requestedAt ?? undefined,
    finishedAt: answer.finishedAt ?? undefined,
    operation: answer.operation ?? undefined,
  };
}

export function toSyncTarget(answer: TargetAnswer): SyncTarget {
  return { ...answer, ownerUserId: answer.ownerUserId ?? undefined };
}

/** What Argo CD last said, from the row that keeps it. Undefined where nothing is known, or nobody can read it. */
export function readArgoSync(packed: Uint8Array | null): ArgoSync | undefined {
  const text = unpackStatus(packed);
  const status = text === undefined ? undefined : ArgoApplication.shape.status.safeParse(fromJson(text)).data;
  if (status === undefined) return undefined;
  const { sync, health, reconciledAt, operationState: state } = status;
  return {
    syncStatus: sync?.status ?? '',
    health: health === undefined ? undefined : { status: health.status, message: health.message },
    comparedAt: at(reconciledAt),
    operation: state && {
      phase: state.phase,
      message: state.message,
      revision: state.operation?.sync?.revision ?? '',
      syncId: syncIdOf(state.operation?.['info']),
      startedAt: at(state.startedAt),
      finishedAt: at(state.finishedAt),
    },
  };
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function at(instant: string | undefined): number | undefined {
  const time = instant === undefined ? Number.NaN : Date.parse(instant);
  return Number.isNaN(time) ? undefined : time;
}
