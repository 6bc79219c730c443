import type { Sql } from 'postgres';
import type { EngineClusters } from '../../../ports/engine-clusters.ts';
import type { Cipher } from '../cipher.ts';
import { asked } from '../translate.ts';

interface Row {
  readonly id: string;
  readonly namespaces: string[];
  readonly credentials_id: string;
  readonly host: string;
  readonly token: Uint8Array | null;
  readonly certificate_authority: string | null;
  readonly insecure: boolean;
}

export function openEngineClusters(sql: Sql, cipher: Cipher): EngineClusters {
  return {
    async list() {
      return asked('read', async () => {
        const rows = await sql<Row[]>`
          select k.id, array_agg(e.namespace_name order by e.namespace_name) as namespaces, c.id as credentials_id, c.host,
                 c.service_account_bearer_token as token, c.certificate_authority, c.allow_insecure_skip_tls_verify as insecure
          from gitops_engine_cluster k
          join cluster_credentials c on c.id = k.cluster_credentials_id
          join gitops_engine_instance e on e.engine_cluster_id = k.id
          where not c.local and c.host is not null
          group by k.id, c.id order by k.id`;
        return rows.map((row) => ({
          clusterId: row.id,
          namespaces: row.namespaces,
          access: {
            server: row.host,
            token: row.token === null ? '' : cipher.open(row.token, tokenOf(row.credentials_id)),
            certificateAuthority: row.certificate_authority ?? undefined,
            insecure: row.insecure,
          },
        }));
      });
    },
  };
}

/** Where the token of a row of credentials is sealed to. */
export function tokenOf(credentialsId: string) {
  return { table: 'cluster_credentials', column: 'service_account_bearer_token', id: credentialsId };
}
