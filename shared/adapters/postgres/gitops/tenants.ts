import type { Sql } from 'postgres';
import type { Engine } from '../../../domain/gitops/placement.ts';
import type { Tenants } from '../../../ports/tenants.ts';
import { sqlWrite } from '../row-write.ts';
import { asked } from '../translate.ts';

/** The one row of credentials for the cluster that Argo CD itself runs in: it needs none. */
const localCredentialsId = 'local';

/** An engine as Postgres gives it, for queries of others that name one. `e` is the instance, `c` the credentials of its cluster. */
export const engineJson = `jsonb_build_object(
  'instanceId', e.id, 'namespace', e.namespace_name, 'clusterId', e.engine_cluster_id, 'local', c.local,
  'transport', e.transport, 'acceptsTenants', e.accepts_tenants,
  'tenants', (select count(*) from cluster_user t where t.engine_instance_id = e.id))`;

/** From an instance `e` to the credentials `c` of its cluster. */
export const engineJoin = `
  join gitops_engine_cluster k on k.id = e.engine_cluster_id
  join cluster_credentials c on c.id = k.cluster_credentials_id`;

export function openTenants(sql: Sql): Tenants {
  async function engines(): Promise<readonly Engine[]> {
    return asked('read', async () => {
      const rows = await sql.unsafe<{ engine: Engine }[]>(
        `select ${engineJson} as engine from gitops_engine_instance e ${engineJoin} order by e.id`,
        [],
        { prepare: true },
      );
      return rows.map(({ engine }) => engine);
    });
  }

  return {
    engines,
    async observe({ name, uid }) {
      return asked('read', async () => {
        const [row] = await sql.unsafe<{ engine: Engine }[]>(
          `select ${engineJson} as engine from cluster_user u
           join gitops_engine_instance e on e.id = u.engine_instance_id ${engineJoin} where u.user_name = $1`,
          [uid],
          { prepare: true },
        );
        const tenant = { namespace: name, namespaceUid: uid };
        return row === undefined
          ? { ...tenant, placed: undefined, engines: await engines() }
          : { ...tenant, placed: row.engine, engines: [] };
      });
    },

    place({ namespace, namespaceUid }, engine) {
      const { instanceId, clusterId } = engine;
      return [
        sqlWrite(
          `insert into cluster_credentials (id, local) values ('${localCredentialsId}', true) on conflict (id) do nothing`,
          [],
        ),
        // An engine of another cluster is registered by an operator, with its credentials; only a local one comes up by itself.
        ...(engine.local
          ? [
              sqlWrite(
                `insert into gitops_engine_cluster (id, cluster_credentials_id) values ($1, '${localCredentialsId}') on conflict (id) do nothing`,
                [clusterId],
              ),
              sqlWrite(
                `insert into gitops_engine_instance (id, namespace_name, namespace_uid, engine_cluster_id) values ($1, $2, $1, $3)
                 on conflict (id) do nothing`,
                [instanceId, engine.namespace, clusterId],
              ),
              mapping(clusterId, 'GitopsEngineCluster', clusterId),
              mapping(instanceId, 'GitopsEngineInstance', instanceId),
            ]
          : []),
        sqlWrite(
          `insert into cluster_user as u (id, user_name, display_name, engine_instance_id) values ($1, $1, $2, $3)
           on conflict (id) do update set display_name = excluded.display_name,
             engine_instance_id = coalesce(u.engine_instance_id, excluded.engine_instance_id)`,
          [namespaceUid, namespace, instanceId],
        ),
        sqlWrite(
          `insert into managed_environment (id, name, cluster_credentials_id) values ($1, $2, '${localCredentialsId}') on conflict (id) do nothing`,
          [namespaceUid, `Managed Environment for ${namespace}`],
        ),
        mapping(namespaceUid, 'ManagedEnvironment', namespaceUid),
        sqlWrite(
          `insert into cluster_access (user_id, managed_environment_id, gitops_engine_instance_id) values ($1, $1, $2) on conflict do nothing`,
          [namespaceUid, instanceId],
        ),
      ];
    },
  };
}

function mapping(uid: string, type: string, key: string) {
  return sqlWrite(
    `insert into kubernetes_to_db_resource_mapping (kubernetes_resource_type, kubernetes_resource_uid, db_relation_type, db_relation_key)
     values ('Namespace', $1, $2, $3) on conflict do nothing`,
    [uid, type, key],
  );
}
