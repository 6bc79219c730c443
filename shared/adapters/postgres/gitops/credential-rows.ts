import type { Sql } from 'postgres';
import type { StoredCredential } from '../../../domain/gitops/decide-repo-credential.ts';
import { userIdOf } from '../../../domain/gitops/placement.ts';
import { normalizedRepositoryUrl } from '../../../domain/gitops/repository-url.ts';
import type { CredentialOwner, CredentialRows } from '../../../ports/credential-rows.ts';
import type { Cipher } from '../cipher.ts';
import { sqlWrite } from '../row-write.ts';
import { asked } from '../translate.ts';
import { requestOperation } from './request-operation.ts';

const table = 'repository_credentials';
const relationType = 'RepositoryCredential';
const ofTenants: CredentialOwner = 'GitOpsDeploymentRepositoryCredential';

interface Row extends Omit<StoredCredential, 'username' | 'password' | 'sshPrivateKey' | 'revision'> {
  readonly username: Uint8Array | null;
  readonly password: Uint8Array | null;
  readonly sshPrivateKey: Uint8Array | null;
  /** A bigint comes as text. */
  readonly revision: string;
}

export function openCredentialRows(sql: Sql, cipher: Cipher): CredentialRows {
  /** What is empty is not stored at all. */
  function seal(id: string, column: string, value: string): Uint8Array | null {
    return value === '' ? null : cipher.seal(value, { table, column, id });
  }
  function open(id: string, column: string, value: Uint8Array | null): string {
    return value === null ? '' : cipher.open(value, { table, column, id });
  }

  return {
    async observe(owner, { namespace, name }) {
      const rows = await asked('read', () =>
        sql.unsafe<Row[]>(
          `select c.id, c.user_id as "userId", c.engine_instance_id as "instanceId", c.url, c.secret_name as "secretName", c.revision,
             c.auth_username as username, c.auth_password as password, c.auth_ssh_key as "sshPrivateKey",
             extract(epoch from clock_timestamp() - c.validated_at)::double precision as "validatedSecondsAgo",
             coalesce((select case when o.state = 'Failed' then o.human_readable_state end from operation o
               where o.resource_type = 'RepositoryCredentials' and o.resource_id = c.id
               order by o.last_state_update desc, o.seq_id desc limit 1), '') as failure
           from api_cr_to_database_mapping m join ${table} c on c.id = m.db_relation_key
           where m.api_resource_type = $1 and m.db_relation_type = '${relationType}'
             and m.api_resource_name = $2 and m.api_resource_namespace = $3
           order by c.seq_id`,
          [owner, name, namespace],
          { prepare: true },
        ),
      );
      return rows.map((row) => ({
        ...row,
        revision: Number(row.revision),
        username: open(row.id, 'auth_username', row.username),
        password: open(row.id, 'auth_password', row.password),
        sshPrivateKey: open(row.id, 'auth_ssh_key', row.sshPrivateKey),
      }));
    },

    async opening({ namespace, url }) {
      const rows = await asked('read', () =>
        sql.unsafe<Pick<Row, 'id' | 'url' | 'username' | 'password' | 'sshPrivateKey'>[]>(
          `select c.id, c.url, c.auth_username as username, c.auth_password as password, c.auth_ssh_key as "sshPrivateKey"
           from api_cr_to_database_mapping m join ${table} c on c.id = m.db_relation_key
           where m.api_resource_type = '${ofTenants}' and m.db_relation_type = '${relationType}' and m.api_resource_namespace = $1
           order by c.seq_id`,
          [namespace],
          { prepare: true },
        ),
      );
      const wanted = normalizedRepositoryUrl(url);
      const found = rows.find((row) => normalizedRepositoryUrl(row.url) === wanted);
      return (
        found && {
          username: open(found.id, 'auth_username', found.username),
          password: open(found.id, 'auth_password', found.password),
          sshPrivateKey: open(found.id, 'auth_ssh_key', found.sshPrivateKey),
        }
      );
    },

    async openedBy({ namespace, url }) {
      const rows = await asked('read', () =>
        sql.unsafe<{ readonly id: string; readonly url: string }[]>(
          'select id, url from gitops_repository where namespace = $1 and not made order by id',
          [namespace],
          { prepare: true },
        ),
      );
      const wanted = normalizedRepositoryUrl(url);
      return rows.filter((row) => normalizedRepositoryUrl(row.url) === wanted).map(({ id }) => id);
    },

    store(credential, tenant, engine, over) {
      const { id, url, secretName } = credential;
      const sealed = [
        seal(id, 'auth_username', credential.username),
        seal(id, 'auth_password', credential.password),
        seal(id, 'auth_ssh_key', credential.sshPrivateKey),
      ];
      const operation = requestOperation({
        type: 'RepositoryCredentials',
        resourceId: id,
        instanceId: over?.instanceId ?? engine.instanceId,
        ownerUserId: userIdOf(tenant),
      });
      if (over !== undefined) {
        return [
          sqlWrite(
            `update ${table} set url = $2, secret_name = $3, auth_username = $4, auth_password = $5, auth_ssh_key = $6,
               revision = revision + 1, validated_at = clock_timestamp()
             where id = $1 and revision = $7`,
            [id, url, secretName, ...sealed, over.revision],
            1,
          ),
          operation,
        ];
      }
      return [
        // A row without its mapping is one that somebody lost: it becomes this one.
        sqlWrite(
          `insert into ${table} as c (id, user_id, url, secret_name, auth_username, auth_password, auth_ssh_key, engine_instance_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (id) do update set url = excluded.url, secret_name = excluded.secret_name,
             auth_username = excluded.auth_username, auth_password = excluded.auth_password, auth_ssh_key = excluded.auth_ssh_key,
             engine_instance_id = excluded.engine_instance_id, revision = c.revision + 1, validated_at = clock_timestamp()`,
          [id, userIdOf(tenant), url, secretName, ...sealed, engine.instanceId],
        ),
        sqlWrite(
          `insert into api_cr_to_database_mapping (api_resource_type, api_resource_uid, api_resource_name, api_resource_namespace,
             api_resource_namespace_uid, db_relation_type, db_relation_key)
           values ($5, $1, $2, $3, $4, '${relationType}', $1) on conflict do nothing`,
          [id, credential.name, tenant.namespace, tenant.namespaceUid, credential.owner],
        ),
        operation,
      ];
    },

    confirm: ({ id, revision }) => [
      sqlWrite(`update ${table} set validated_at = clock_timestamp() where id = $1 and revision = $2`, [id, revision]),
    ],

    remove: ({ id, userId, instanceId }) => [
      sqlWrite(
        `delete from api_cr_to_database_mapping where db_relation_type = '${relationType}' and db_relation_key = $1`,
        [id],
      ),
      sqlWrite(`delete from ${table} where id = $1`, [id]),
      requestOperation({ type: 'RepositoryCredentials', resourceId: id, instanceId, ownerUserId: userId }),
    ],
  };
}
