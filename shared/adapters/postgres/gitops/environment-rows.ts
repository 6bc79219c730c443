import type { Sql } from 'postgres';
import type { Subject } from '../../../domain/core/subject.ts';
import type { StoredEnvironment, TargetAccess, TargetAccount } from '../../../domain/gitops/managed-environment.ts';
import type { EnvironmentRows } from '../../../ports/environment-rows.ts';
import type { Cipher } from '../cipher.ts';
import { asked } from '../translate.ts';
import { openEnvironmentWrites } from './environment-writes.ts';
import { hasLeaving, isDeployedTo } from './left-environments.ts';

/** Bytes come as base64, as JSON has none. */
interface AccessRow {
  readonly id: string;
  readonly server: string | null;
  readonly token: string | null;
  readonly certificateAuthority: string | null;
  readonly insecure: boolean;
}

interface StoredRow extends Omit<StoredEnvironment, 'credentials' | 'applications'> {
  readonly credentials: (AccessRow & { readonly namespaces: string; readonly clusterResources: boolean }) | null;
  readonly applications: readonly { readonly id: string; readonly deployment: Subject | null }[];
}

interface Row {
  readonly stored: readonly StoredRow[];
  readonly accounts: readonly (AccessRow & { readonly unwantedSince: number | null; readonly needed: boolean })[];
  readonly waiting: readonly Subject[];
}

/** Everything at one moment, in one round trip. $1 namespace, $2 name, $3 the UID of the object that bears the name now. */
const observeStatement = `
  with named as (
    select m.api_resource_uid as id from api_cr_to_database_mapping m
    where m.api_resource_type = 'GitOpsDeploymentManagedEnvironment' and m.api_resource_name = $2 and m.api_resource_namespace = $1
    union select e.id from managed_environment e where e.id = $3)
  select
    (select coalesce(jsonb_agg(jsonb_build_object(
      'id', n.id,
      'credentials', case when c.id is null then null else jsonb_build_object(
        'id', c.id, 'server', c.host, 'token', encode(c.service_account_bearer_token, 'base64'),
        'certificateAuthority', c.certificate_authority, 'insecure', c.allow_insecure_skip_tls_verify,
        'namespaces', c.namespaces, 'clusterResources', c.cluster_resources) end,
      'hasMapping', exists (select from api_cr_to_database_mapping m
        where m.api_resource_type = 'GitOpsDeploymentManagedEnvironment' and m.api_resource_uid = n.id),
      'hasProject', exists (select from app_project_managed_environment p where p.managed_environment_id = n.id),
      'instances', (select coalesce(jsonb_agg(a.gitops_engine_instance_id order by a.gitops_engine_instance_id), '[]')
        from cluster_access a where a.managed_environment_id = n.id),
      'applications', (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'deployment',
          case when d.id is null then null else jsonb_build_object('namespace', d.namespace, 'name', d.name) end) order by a.id), '[]')
        from application a left join deployment_to_application_mapping d on d.application_id = a.id
        where a.managed_environment_id = n.id)
    ) order by n.id), '[]')
    from named n left join managed_environment e on e.id = n.id left join cluster_credentials c on c.id = e.cluster_credentials_id) as stored,
    (select coalesce(jsonb_agg(jsonb_build_object(
      'id', t.id, 'server', t.host, 'token', encode(t.bearer_token, 'base64'), 'certificateAuthority', t.certificate_authority,
      'insecure', t.allow_insecure_skip_tls_verify, 'unwantedSince', extract(epoch from t.unwanted_since) * 1000,
      'needed', exists (select from left_environment l where l.id = t.id
        and (${isDeployedTo('l.id', 'l.cluster_user_id')} or ${hasLeaving('l.cluster_user_id')}))) order by t.id), '[]')
    from target_service_account t where t.namespace = $1 and t.name = $2) as accounts,
    (select coalesce(jsonb_agg(w.data - 'version' order by w.subject), '[]') from wakeup w
    where w.function = 'reconcile-gitops-deployment' and w.tenant = $1
      and w.blocked_on = 'GitOpsDeploymentManagedEnvironment ' || $2) as waiting`;

export function openEnvironmentRows(sql: Sql, cipher: Cipher): EnvironmentRows {
  function open(table: string, column: string, row: AccessRow): TargetAccess {
    return {
      server: row.server ?? '',
      token: row.token === null ? '' : cipher.open(Buffer.from(row.token, 'base64'), { table, column, id: row.id }),
      certificateAuthority: row.certificateAuthority ?? undefined,
      insecure: row.insecure,
    };
  }

  function openStored({ credentials, applications, ...stored }: StoredRow): StoredEnvironment {
    return {
      ...stored,
      credentials:
        credentials === null
          ? undefined
          : {
              ...open('cluster_credentials', 'service_account_bearer_token', credentials),
              id: credentials.id,
              namespaces: credentials.namespaces,
              clusterResources: credentials.clusterResources,
            },
      applications: applications.map(({ id, deployment }) => ({ id, deployment: deployment ?? undefined })),
    };
  }

  function openAccount(row: Row['accounts'][number]): TargetAccount {
    const { id, unwantedSince, needed } = row;
    const access = open('target_service_account', 'bearer_token', row);
    return { ...access, id, needed, unwantedSince: unwantedSince === null ? undefined : Number(unwantedSince) };
  }

  return {
    async observe({ namespace, name }, uid) {
      const [found] = await asked('read', () =>
        sql.unsafe<Row[]>(observeStatement, [namespace, name, uid ?? ''], { prepare: true }),
      );
      const { stored = [], accounts = [], waiting = [] } = found ?? {};
      return { stored: stored.map(openStored), accounts: accounts.map(openAccount), waiting };
    },
    ...openEnvironmentWrites(cipher),
  };
}
