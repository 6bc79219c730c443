import type { Sql } from 'postgres';
import type { ReportedApplication } from '../../../domain/status/decide-report.ts';
import type { ClusterAccess } from '../../../ports/cluster.ts';
import type { ReportRows } from '../../../ports/report-rows.ts';
import type { Cipher } from '../cipher.ts';
import { asJson } from '../keepable.ts';
import { sqlWrite } from '../row-write.ts';
import { asked } from '../translate.ts';
import { tokenOf } from './engine-clusters.ts';
import { fitsPacked, packStatus, unpackStatus } from './packed-status.ts';
import { requestOperation } from './request-operation.ts';

interface Row {
  readonly application: string | null;
  readonly instance: string | null;
  readonly engine_namespace: string | null;
  readonly local_instance: string | null;
  readonly credentials: string | null;
  readonly local: boolean | null;
  readonly host: string | null;
  readonly token: Uint8Array | null;
  readonly authority: string | null;
  readonly insecure: boolean | null;
  readonly deployment_name: string | null;
  readonly deployment_namespace: string | null;
  readonly owner: string | null;
  readonly environment: string | null;
  readonly environment_name: string | null;
  readonly packed: Uint8Array | null;
  /** The tenant's namespace of an operation that has not ended; empty where nobody asked for it. */
  readonly pending: string | null;
  readonly known_before: boolean;
  readonly sync_runs: ReportedApplication['syncRuns'];
  readonly promotions: ReportedApplication['promotions'];
}

/** One round trip for all that a change of an Application asks of the rows; there need not be an application. */
const question = `
  select a.id as application, e.id as instance, e.namespace_name as engine_namespace,
    c.id as credentials, c.local, c.host, c.service_account_bearer_token as token, c.certificate_authority as authority,
    c.allow_insecure_skip_tls_verify as insecure,
    d.name as deployment_name, d.namespace as deployment_namespace,
    a.managed_environment_id as environment, n.api_resource_name as environment_name,
    s.argocd_application_status as packed,
    (select o.user_id from application_owner o where o.application_id = a.id order by o.seq_id limit 1) as owner,
    (select i.id from gitops_engine_instance i
       join gitops_engine_cluster ik on ik.id = i.engine_cluster_id
       join cluster_credentials ic on ic.id = ik.cluster_credentials_id
      where i.namespace_name = $2 and ic.local order by i.seq_id desc limit 1) as local_instance,
    (select coalesce(u.display_name, '') from operation p left join cluster_user u on u.id = p.owner_user_id
      where p.resource_id = $1 and p.resource_type = 'Application' and p.state in ('Waiting', 'In_Progress')
      order by p.seq_id desc limit 1) as pending,
    exists (select from operation p where p.resource_id = $1 and p.resource_type = 'Application') as known_before,
    (select coalesce(jsonb_agg(jsonb_build_object('namespace', m.api_resource_namespace, 'name', m.api_resource_name)), '[]')
       from sync_operation y
       join api_cr_to_database_mapping m on m.db_relation_type = 'SyncOperation' and m.db_relation_key = y.id
      where y.application_id = $1 and y.requested_at is not null and y.finished_at is null) as sync_runs,
    (select coalesce(jsonb_agg(jsonb_build_object('namespace', p.namespace, 'name', p.name, 'application', p.application)), '[]')
       from promotion_evidence v
       join promotion p on p.id = v.promotion_id and p.state = 'Active'
       join promotion_step t on t.promotion_id = v.promotion_id and t.environment = v.environment and t.status = 'in-progress'
      where v.namespace = d.namespace and v.deployment = d.name and v.observed_at is null) as promotions
  from (select) q
  left join application a on a.id = $1
  left join gitops_engine_instance e on e.id = a.engine_instance_id
  left join gitops_engine_cluster k on k.id = e.engine_cluster_id
  left join cluster_credentials c on c.id = k.cluster_credentials_id
  left join deployment_to_application_mapping d on d.application_id = a.id
  left join application_state s on s.application_id = a.id
  left join api_cr_to_database_mapping n on n.db_relation_type = 'ManagedEnvironment'
    and n.db_relation_key = a.managed_environment_id and n.api_resource_type = 'GitOpsDeploymentManagedEnvironment'`;

export function openReportRows(sql: Sql, cipher: Cipher): ReportRows {
  return {
    async observe(engineNamespace, applicationId) {
      const row = await ask(sql, applicationId, engineNamespace);
      const known = row.application !== null;
      if (known && (row.engine_namespace !== engineNamespace || isOutOfReach(row))) return undefined;
      return {
        rows: {
          applicationId,
          engineNamespace,
          instanceId: (known ? row.instance : row.local_instance) ?? undefined,
          tenantNamespace: row.deployment_namespace ?? (row.pending || undefined),
          operationPending: row.pending !== null,
          wasKnown: row.known_before,
          application: known ? applicationOf(row) : undefined,
        },
        access: known ? accessOf(row, cipher) : undefined,
      };
    },

    fits: fitsPacked,

    keep(applicationId, text, at, { sync, revision, health, operation, trouble, compared }) {
      return sqlWrite(
        // The lock keeps the application from going in this very moment, and finds nothing where it has gone.
        `insert into application_state as s (application_id, argocd_application_status, observed_at, sync_status, revision,
           health, operation, trouble, compared)
         select a.id, $2::bytea, $3::timestamptz, $4, $5, $6, $7, $8, $9::text::jsonb from application a where a.id = $1 for key share
         on conflict (application_id) do update
           set argocd_application_status = excluded.argocd_application_status, observed_at = excluded.observed_at,
             sync_status = excluded.sync_status, revision = excluded.revision, health = excluded.health,
             operation = excluded.operation, trouble = excluded.trouble, compared = excluded.compared`,
        [
          applicationId,
          packStatus(text),
          at,
          sync,
          revision,
          health,
          operation,
          trouble,
          compared === undefined ? null : asJson(compared),
        ],
      );
    },

    request: (resourceId, instanceId, ownerUserId) =>
      requestOperation({ type: 'Application', resourceId, instanceId, ownerUserId }),
  };
}

async function ask(sql: Sql, applicationId: string, engineNamespace: string): Promise<Row> {
  return asked('read', async () => {
    const [row] = await sql.unsafe<[Row]>(question, [applicationId, engineNamespace], { prepare: true });
    return row;
  });
}

function applicationOf(row: Row): ReportedApplication {
  const { deployment_name: name, deployment_namespace: namespace, environment } = row;
  return {
    ownerUserId: row.owner ?? undefined,
    deployment: name === null || namespace === null ? undefined : { namespace, name },
    destination:
      environment === null
        ? undefined
        : { environmentId: environment, environmentName: row.environment_name ?? undefined },
    kept: unpackStatus(row.packed),
    syncRuns: row.sync_runs,
    promotions: row.promotions,
  };
}

/** Only an agent of that cluster's own sees its Argo CD. */
function isOutOfReach({ local, host }: Row): boolean {
  return local !== true && host === null;
}

/** Undefined for the cluster that the tenants use themselves. */
function accessOf(
  { local, credentials, host, token, authority, insecure }: Row,
  cipher: Cipher,
): ClusterAccess | undefined {
  if (local === true || credentials === null) return undefined;
  return {
    server: host ?? '',
    token: token === null ? '' : cipher.open(token, tokenOf(credentials)),
    certificateAuthority: authority ?? undefined,
    insecure: insecure ?? false,
  };
}
