import type { Sql } from 'postgres';
import type {
  Attention,
  DanglingMapping,
  DriftRows,
  MappedKind,
  MappedRow,
  NeglectedRepository,
  StuckOperation,
  TenantRow,
} from '../../../ports/drift-rows.ts';
import type { Cipher } from '../cipher.ts';
import { asked } from '../translate.ts';
import { limits, openDriftArgoRows } from './drift-argo-rows.ts';

export function openDriftRows(sql: Sql, cipher: Cipher): DriftRows {
  async function read<Row extends object>(text: string, parameters: (string | number | string[])[]): Promise<Row[]> {
    return asked('read', async () => {
      return [...(await sql.unsafe<Row[]>(text, parameters, { prepare: true }))];
    });
  }

  return {
    mapped: (kind, range) => {
      const question = placed[kind];
      return question !== undefined
        ? read<MappedRow>(question, limits(range))
        : read<MappedRow>(
            `select ${resourcePlace} as key, api_resource_uid as uid, api_resource_namespace as namespace, api_resource_name as name
             from api_cr_to_database_mapping where api_resource_type = $4 and ${resourcePlace} > $1 and ${resourcePlace} <= $2
             order by ${resourcePlace} limit $3`,
            [...limits(range), kind],
          );
    },

    async attention(functions, subjects) {
      if (subjects.length === 0) return [];
      const rows = await read<{ subject: string; served: string | null; awaited: boolean }>(
        `select s.subject,
           (select min(v.version)::text from served v where v.function = any ($1::text[]) and v.subject = s.subject) as served,
           exists (select from wakeup w where w.function = any ($1::text[]) and w.subject = s.subject)
             or exists (select from knock k where k.function = any ($1::text[]) and k.subject = s.subject) as awaited
         from unnest($2::text[]) with ordinality as s (subject, place) order by s.place`,
        [[...functions], [...subjects]],
      );
      return rows.map((row): Attention => ({ ...row, served: row.served ?? undefined }));
    },

    ...openDriftArgoRows(read, cipher),

    async knownApplications(ids) {
      if (ids.length === 0) return new Set();
      const rows = await read<{ id: string }>('select id from application where id = any ($1::text[])', [[...ids]]);
      return new Set(rows.map(({ id }) => id));
    },

    neglectedRepositories: (afterId, most) =>
      read<NeglectedRepository>(
        `select r.id, r.namespace, r.url, exists (${overduePending}) as "isPending" from gitops_repository r
         where r.id > $1 and (r.checked_at < clock_timestamp() - interval '6 hours' or exists (${overduePending}))
         order by r.id limit $2`,
        [afterId, most],
      ),

    async underWay(type, resourceIds) {
      if (resourceIds.length === 0) return new Set();
      const rows = await read<{ id: string }>(
        `select distinct o.resource_id as id from operation o
         where o.resource_id = any ($1::text[]) and o.resource_type = $2 and o.state in ('Waiting', 'In_Progress')`,
        [[...resourceIds], type],
      );
      return new Set(rows.map(({ id }) => id));
    },

    async namespacesOf(userIds) {
      if (userIds.length === 0) return new Map();
      const rows = await read<{ id: string; namespace: string }>(
        `select id, coalesce(display_name, '') as namespace from cluster_user where id = any ($1::text[])`,
        [[...userIds]],
      );
      return new Map(rows.map(({ id, namespace }) => [id, namespace]));
    },

    async dangling(afterSeq, most) {
      const rows = await read<DanglingMapping & { dangles: boolean }>(danglingMappings, [afterSeq, most]);
      return {
        dangling: rows.flatMap(({ dangles, ...mapping }) => (dangles ? [mapping] : [])),
        looked: rows.length,
        lastSeq: rows.at(-1)?.seq ?? afterSeq,
      };
    },

    tenants: (afterSeq, most) =>
      read<TenantRow>(
        `select u.id, coalesce(u.display_name, '') as namespace, u.seq_id::float8 as seq,
           ((select count(*) from deployment_to_application_mapping m where m.namespace_uid = u.user_name)
            + (select count(*) from api_cr_to_database_mapping c where c.api_resource_namespace_uid = u.user_name))::int as things
         from cluster_user u where u.seq_id > $1 and u.display_name <> '' and u.engine_instance_id is not null
         order by u.seq_id limit $2`,
        [afterSeq, most],
      ),

    stuck: (since, afterId, most) =>
      read<StuckOperation>(
        `select o.id, o.resource_type as type, o.resource_id as "resourceId", o.instance_id as "instanceId", o.state,
           coalesce(u.display_name, a.namespace, m.namespace, x.display_name, e.namespace_name) as namespace
         from operation o join gitops_engine_instance e on e.id = o.instance_id
         left join cluster_user u on u.id = o.owner_user_id
         left join deployment_to_application_mapping a on a.application_id = o.resource_id
         left join lateral (select c.api_resource_namespace as namespace from api_cr_to_database_mapping c
                            where c.db_relation_key = o.resource_id limit 1) m on true
         left join lateral (select v.display_name from cluster_access s join cluster_user v on v.id = s.user_id
                            where s.managed_environment_id = o.resource_id order by s.seq_id limit 1) x on true
         where o.state in ('Waiting', 'In_Progress') and o.created_on < to_timestamp($1::float8 / 1000) and o.id > $2
         order by o.id limit $3`,
        [since, afterId, most],
      ),
  };
}

// As in the indexes of migrations/0004_drift.sql and 0005_claims.sql.
const objectPlace = `((namespace || '/' || name || ' ' || id) collate "C")`;
const resourcePlace = `((api_resource_namespace || '/' || api_resource_name || ' ' || api_resource_uid) collate "C")`;

function placedIn(table: string): string {
  return `select ${objectPlace} as key, id as uid, namespace, name from ${table}
    where ${objectPlace} > $1 and ${objectPlace} <= $2 order by ${objectPlace} limit $3`;
}

/** A deployment with a fault from the start has only the note about it. Where it has both, they are the same row here. */
const mappedDeployments = `
  select d.*, case when s.argocd_application_status is null then null else jsonb_build_object('engineNamespace', e.namespace_name,
    'sync', s.sync_status, 'revision', s.revision, 'health', s.health, 'operation', s.operation) end as heard
  from ((${placedIn('deployment_to_application_mapping')}) union (${placedIn('deployment_trouble')})) d
  left join application a on a.id = d.uid
  left join application_state s on s.application_id = a.id
  left join gitops_engine_instance e on e.id = a.engine_instance_id
  order by d.key collate "C" limit $3`;

/** Kinds with rows of their own. The others stand in the table of mappings. */
const placed: Partial<Record<MappedKind, string>> = {
  GitOpsDeployment: mappedDeployments,
  DeploymentTarget: placedIn('deployment_target'),
  Environment: placedIn('environment_use'),
  Application: placedIn('application_place'),
  // Those that are known to be gone stay until their directories are.
  Component: placedIn('(select * from component_place where not gone) c'),
  Snapshot: placedIn('promotion_start'),
  // What has ended is history.
  PromotionRun: placedIn("(select * from promotion where state <> 'Completed') p"),
  SnapshotEnvironmentBinding: placedIn('(select * from binding_overlay where not gone) b'),
};

/** Wanted for a while, and nobody has said why it does not come. */
const overduePending = `select from binding_overlay o where o.repository_id = r.id and o.rendered_digest is distinct from o.wanted_digest
  and o.trouble_reason is null and o.requested_at < clock_timestamp() - interval '5 minutes'`;

/**
 * A page of both free-form tables, and which of it points to nothing. The mapping of a deployment has a foreign key and
 * cannot dangle. The place in both is one number: even in the one, odd in the other.
 */
const danglingMappings = `
  with pointing as (
    (select 'api_cr_to_database_mapping' as "table", c.api_resource_type as kind, c.api_resource_uid as uid,
       c.db_relation_type as relation, c.db_relation_key as "relationKey", c.api_resource_namespace as namespace,
       c.api_resource_name as name, (c.seq_id * 2)::float8 as seq
     from api_cr_to_database_mapping c where c.seq_id * 2 > $1 order by c.seq_id limit $2)
    union all
    (select 'kubernetes_to_db_resource_mapping', 'Namespace', k.kubernetes_resource_uid, k.db_relation_type, k.db_relation_key,
       '', '', (k.seq_id * 2 + 1)::float8
     from kubernetes_to_db_resource_mapping k where k.seq_id * 2 + 1 > $1 order by k.seq_id limit $2)
    order by seq limit $2)
  select p.*, case p.relation
    when 'ManagedEnvironment' then not exists (select from managed_environment t where t.id = p."relationKey")
    when 'SyncOperation' then not exists (select from sync_operation t where t.id = p."relationKey")
    when 'RepositoryCredential' then not exists (select from repository_credentials t where t.id = p."relationKey")
    when 'GitopsEngineCluster' then not exists (select from gitops_engine_cluster t where t.id = p."relationKey")
    when 'GitopsEngineInstance' then not exists (select from gitops_engine_instance t where t.id = p."relationKey")
    else true end as dangles
  from pointing p order by p.seq`;
