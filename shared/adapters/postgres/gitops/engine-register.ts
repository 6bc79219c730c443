import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import type {
  EngineRegister,
  EngineToRegister,
  PlacedTenant,
  RegisteredEngine,
} from '../../../ports/engine-register.ts';
import type { OperatorLine } from '../../../ports/operator-ledger.ts';
import type { Cipher } from '../cipher.ts';
import { openOperatorLedger } from '../operator-ledger.ts';
import { asked } from '../translate.ts';
import { tokenOf } from './engine-clusters.ts';
import { engineJoin, engineJson } from './tenants.ts';

const engines = `
  select ${engineJson} || jsonb_build_object('host', coalesce(c.host, ''),
    'applications', (select count(*) from application a where a.engine_instance_id = e.id)) as engine
  from gitops_engine_instance e ${engineJoin} order by e.namespace_name, e.id`;

/** What a tenant `u` has beside the Argo CD that it is placed on. */
const inUse = `
  (select array_agg(a.name order by a.name) from application_owner w join application a on a.id = w.application_id
     where w.user_id = u.id and a.engine_instance_id = u.engine_instance_id) as applications,
  (select array_agg(r.url order by r.url) from repository_credentials r
     where r.user_id = u.id and r.engine_instance_id = u.engine_instance_id) as credentials,
  (select array_agg(v.name order by v.name) from cluster_access x join managed_environment v on v.id = x.managed_environment_id
     where x.user_id = u.id and x.gitops_engine_instance_id = u.engine_instance_id and x.applied_credentials_id is not null) as environments,
  (select count(*)::integer from operation o where o.owner_user_id = u.id and o.instance_id = u.engine_instance_id
     and o.state in ('Waiting', 'In_Progress')) as operations,
  exists (select from argo_project p where p.cluster_user_id = u.id and p.engine_instance_id = u.engine_instance_id) as "hasProject"`;

type TenantRow = Omit<PlacedTenant, 'applications' | 'credentials' | 'environments'> &
  Readonly<Record<'applications' | 'credentials' | 'environments', string[] | null>>;

export function openEngineRegister(sql: Sql, cipher: () => Cipher): EngineRegister {
  /** All of it and the line of the ledger, or none. */
  async function write<Done>(
    line: OperatorLine,
    work: (transaction: TransactionSql) => Promise<Done | undefined>,
  ): Promise<Done | undefined> {
    return asked('write', async () => {
      return (await sql.begin(async (transaction) => {
        const done = await work(transaction);
        if (done !== undefined) await openOperatorLedger(transaction as unknown as Sql).record([line]);
        return done;
      })) as Done | undefined;
    });
  }

  return {
    async list() {
      return asked('read', async () => {
        const rows = await sql.unsafe<{ engine: RegisteredEngine }[]>(engines);
        return rows.map(({ engine }) => engine);
      });
    },

    async add(engine, line) {
      return (await write(line, (transaction) => register(transaction, engine, cipher()))) ?? 'renewed';
    },

    async setAccepting(instanceId, accepts, line) {
      const done = await write(line, async (transaction) => {
        const { count } =
          await transaction`update gitops_engine_instance set accepts_tenants = ${accepts} where id = ${instanceId}`;
        return count === 1 ? true : undefined;
      });
      return done ?? false;
    },

    async tenants(namespace) {
      return asked('read', async () => {
        const rows = await sql.unsafe<TenantRow[]>(
          `select u.display_name as namespace, u.user_name as "namespaceUid", u.engine_instance_id as "instanceId", ${inUse}
           from cluster_user u where u.engine_instance_id is not null and (u.display_name = $1 or u.user_name = $1) order by u.seq_id`,
          [namespace],
        );
        return rows.map(({ applications, credentials, environments, ...row }) => ({
          ...row,
          applications: applications ?? [],
          credentials: credentials ?? [],
          environments: environments ?? [],
        }));
      });
    },

    async move({ namespaceUid, instanceId: from }, to, line) {
      const done = await write(line, async (transaction) => {
        // Nobody can give it an application or a credential while we look.
        const [still] = await transaction.unsafe<TenantRow[]>(
          `select ${inUse} from cluster_user u where u.id = $1 and u.engine_instance_id = $2 for update of u`,
          [namespaceUid, from],
        );
        const has = still?.applications ?? still?.credentials ?? still?.environments;
        if (still === undefined || has || still.operations > 0 || still.hasProject) return undefined;
        await transaction`update cluster_user set engine_instance_id = ${to} where id = ${namespaceUid}`;
        await transaction`
          update cluster_access x set gitops_engine_instance_id = ${to} where x.user_id = ${namespaceUid}
            and x.gitops_engine_instance_id = ${from} and not exists (select from cluster_access y where y.user_id = x.user_id
              and y.managed_environment_id = x.managed_environment_id and y.gitops_engine_instance_id = ${to})`;
        return true;
      });
      return done ?? false;
    },
  };
}

async function register(
  sql: TransactionSql,
  { clusterId, instanceId, namespace, transport, access }: EngineToRegister,
  cipher: Cipher,
): Promise<'added' | 'renewed'> {
  const [known] = await sql<{ credentials: string }[]>`
    select cluster_credentials_id as credentials from gitops_engine_cluster where id = ${clusterId} for update`;
  const credentials = known?.credentials ?? randomUUID();
  const token = cipher.seal(access.token, tokenOf(credentials));
  await sql`
    insert into cluster_credentials (id, host, service_account_bearer_token, certificate_authority, allow_insecure_skip_tls_verify)
    values (${credentials}, ${access.server}, ${token}, ${access.certificateAuthority ?? null}, ${access.insecure})
    on conflict (id) do update set host = excluded.host, service_account_bearer_token = excluded.service_account_bearer_token,
      certificate_authority = excluded.certificate_authority, allow_insecure_skip_tls_verify = excluded.allow_insecure_skip_tls_verify`;
  await sql`insert into gitops_engine_cluster (id, cluster_credentials_id) values (${clusterId}, ${credentials}) on conflict (id) do nothing`;
  const [instance] = await sql<{ fresh: boolean }[]>`
    insert into gitops_engine_instance (id, namespace_name, namespace_uid, engine_cluster_id, transport)
    values (${instanceId}, ${namespace}, ${instanceId}, ${clusterId}, ${transport})
    on conflict (id) do update set transport = excluded.transport returning xmax = 0 as fresh`;
  for (const [uid, type] of [
    [clusterId, 'GitopsEngineCluster'],
    [instanceId, 'GitopsEngineInstance'],
  ] as const)
    await sql`
      insert into kubernetes_to_db_resource_mapping (kubernetes_resource_type, kubernetes_resource_uid, db_relation_type, db_relation_key)
      values ('Namespace', ${uid}, ${type}, ${uid}) on conflict do nothing`;
  return instance?.fresh === true ? 'added' : 'renewed';
}
