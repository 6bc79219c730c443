import { randomBytes, randomUUID } from 'node:crypto';
import type { TargetAccess } from '../../../domain/gitops/managed-environment.ts';
import type { EnvironmentOwner, EnvironmentRows } from '../../../ports/environment-rows.ts';
import type { RowWrite } from '../../../ports/journal.ts';
import type { Cipher } from '../cipher.ts';
import { sqlWrite } from '../row-write.ts';

/** How the rows of environments are written. All writes of one step see the rows as they were before it. */
export function openEnvironmentWrites(cipher: Cipher): Omit<EnvironmentRows, 'observe'> {
  function sealToken(id: string, token: string) {
    return cipher.seal(token, { table: 'target_service_account', column: 'bearer_token', id });
  }

  return {
    write(owner, credentials, before) {
      const { server, token, certificateAuthority, insecure, namespaces, clusterResources } = credentials;
      const id = randomUUID();
      const sealed = cipher.seal(token, { table: 'cluster_credentials', column: 'service_account_bearer_token', id });
      const replaced = before?.credentials?.id;
      return [
        sqlWrite(
          `insert into cluster_credentials (id, host, service_account_bearer_token, service_account_namespace, certificate_authority,
             allow_insecure_skip_tls_verify, namespaces, cluster_resources) values ($1, $2, $3, 'kube-system', $4, $5, $6, $7)`,
          [id, server, sealed, certificateAuthority ?? null, insecure, namespaces, clusterResources],
          1,
        ),
        replaced === undefined
          ? sqlWrite(
              'insert into managed_environment (id, name, cluster_credentials_id) values ($1, $2, $3)',
              [owner.id, owner.name, id],
              1,
            )
          : sqlWrite(
              'update managed_environment set cluster_credentials_id = $3, name = $2 where id = $1 and cluster_credentials_id = $4',
              [owner.id, owner.name, id, replaced],
              1,
            ),
        ...(replaced === undefined
          ? []
          : [sqlWrite('delete from cluster_credentials where id = $1 and not local', [replaced])]),
        ...around(owner),
      ];
    },

    complete: around,

    remove({ id, credentials, applications }) {
      const instances = `select a.gitops_engine_instance_id from cluster_access a where a.managed_environment_id = $1
           union select a.engine_instance_id from application a where a.managed_environment_id = $1
           union select u.engine_instance_id from app_project_managed_environment p join cluster_user u on u.id = p.cluster_user_id
             where p.managed_environment_id = $1 and u.engine_instance_id is not null`;
      return [
        sqlWrite(
          `insert into operation (id, instance_id, resource_id, resource_type, owner_user_id)
           select gen_random_uuid()::text, a.engine_instance_id, a.id, 'Application',
             (select w.user_id from application_owner w where w.application_id = a.id limit 1)
           from application a where a.managed_environment_id = $1 and not exists (select from operation o where o.resource_id = a.id
             and o.resource_type = 'Application' and o.state = 'Waiting' and o.instance_id = a.engine_instance_id)`,
          [id],
        ),
        requestOperations(
          id,
          instances,
          '(select p.cluster_user_id from app_project_managed_environment p where p.managed_environment_id = $1)',
          [id],
        ),
        // It keeps its place in the fence until what was deployed to it is gone.
        sqlWrite(
          `insert into left_environment (id, engine_instance_id, cluster_user_id, namespaces)
           select v.id, i.id, w.user_id, c.namespaces
           from managed_environment v join cluster_credentials c on c.id = v.cluster_credentials_id and not c.local,
             (${instances}) as i (id),
             (select a.user_id from cluster_access a where a.managed_environment_id = $1
              union select p.cluster_user_id from app_project_managed_environment p where p.managed_environment_id = $1) as w (user_id)
           where v.id = $1 on conflict do nothing`,
          [id],
        ),
        // Another number than was seen: somebody was told nothing.
        sqlWrite(
          'update application set managed_environment_id = null, revision = revision + 1 where managed_environment_id = $1',
          [id],
          applications.length,
        ),
        sqlWrite('delete from cluster_access where managed_environment_id = $1', [id]),
        sqlWrite('delete from app_project_managed_environment where managed_environment_id = $1', [id]),
        sqlWrite(
          `delete from api_cr_to_database_mapping where api_resource_type = 'GitOpsDeploymentManagedEnvironment' and api_resource_uid = $1`,
          [id],
        ),
        sqlWrite('delete from managed_environment where id = $1', [id], credentials === undefined ? 0 : 1),
        ...(credentials === undefined
          ? []
          : [sqlWrite('delete from cluster_credentials where id = $1 and not local', [credentials.id])]),
      ];
    },

    recordAccount({ id, namespace, name }, access, before) {
      const moved = before !== undefined && before.server !== access.server;
      const left = `${id}@${randomBytes(4).toString('hex')}`;
      return [
        ...(moved ? [insertAccount(left, namespace, name, before, sealToken(left, before.token), true)] : []),
        insertAccount(id, namespace, name, access, sealToken(id, access.token), false),
      ];
    },

    keepAccountToken: (id, token) =>
      sqlWrite('update target_service_account set bearer_token = $2 where id = $1', [id, sealToken(id, token)], 1),

    discardAccount: (id) =>
      sqlWrite(
        'update target_service_account set unwanted_since = coalesce(unwanted_since, clock_timestamp()) where id = $1',
        [id],
        1,
      ),

    forgetAccount: (id) => sqlWrite('delete from target_service_account where id = $1', [id]),
  };
}

function insertAccount(
  id: string,
  namespace: string,
  name: string,
  { server, certificateAuthority, insecure }: TargetAccess,
  sealed: Uint8Array,
  isUnwanted: boolean,
): RowWrite {
  return sqlWrite(
    `insert into target_service_account (id, namespace, name, host, certificate_authority, allow_insecure_skip_tls_verify, bearer_token, unwanted_since)
     values ($1, $2, $3, $4, $5, $6, $7, case when $8::boolean then clock_timestamp() end)
     on conflict (id) do update set host = excluded.host, certificate_authority = excluded.certificate_authority,
       allow_insecure_skip_tls_verify = excluded.allow_insecure_skip_tls_verify, bearer_token = excluded.bearer_token,
       unwanted_since = excluded.unwanted_since`,
    [id, namespace, name, server, certificateAuthority ?? null, insecure, sealed, isUnwanted],
    1,
  );
}

/** The mapping, the project and the access of an environment, and the word to its Argo CDs. What is there stays. */
function around({ id, namespace, namespaceUid, name, instanceId }: EnvironmentOwner): readonly RowWrite[] {
  return [
    sqlWrite(
      `insert into api_cr_to_database_mapping (api_resource_type, api_resource_uid, api_resource_name, api_resource_namespace,
         api_resource_namespace_uid, db_relation_type, db_relation_key)
       values ('GitOpsDeploymentManagedEnvironment', $1, $2, $3, $4, 'ManagedEnvironment', $1) on conflict do nothing`,
      [id, name, namespace, namespaceUid],
    ),
    sqlWrite(
      `insert into app_project_managed_environment (id, cluster_user_id, managed_environment_id) values ($1, $2, $3)
       on conflict (managed_environment_id) do nothing`,
      [randomUUID(), namespaceUid, id],
    ),
    sqlWrite(
      `insert into cluster_access (user_id, managed_environment_id, gitops_engine_instance_id) values ($1, $2, $3) on conflict do nothing`,
      [namespaceUid, id, instanceId],
    ),
    requestOperations(
      id,
      `select a.gitops_engine_instance_id from cluster_access a where a.managed_environment_id = $1 union select $3`,
      '$2',
      [id, namespaceUid, instanceId],
    ),
  ];
}

/** One operation for each Argo CD that `instances` selects. One that waits already says the same. */
function requestOperations(
  id: string,
  instances: string,
  owner: string,
  parameters: readonly [typeof id, ...string[]],
): RowWrite {
  return sqlWrite(
    `insert into operation (id, instance_id, resource_id, resource_type, owner_user_id)
     select gen_random_uuid()::text, i.id, $1, 'ManagedEnvironment', ${owner} from (${instances}) as i (id)
     where not exists (select from operation o where o.resource_id = $1 and o.resource_type = 'ManagedEnvironment'
       and o.state = 'Waiting' and o.instance_id = i.id)`,
    parameters,
  );
}
