import type { Sql } from 'postgres';
import type { EnvironmentUses } from '../../../ports/environment-uses.ts';
import { sqlWrite } from '../row-write.ts';
import { asked } from '../translate.ts';

export function openEnvironmentUses(sql: Sql): EnvironmentUses {
  return {
    openedBy({ namespace, name }) {
      return asked('read', async () => {
        const rows = await sql.unsafe<{ name: string }[]>(
          // One that was made again has a row of its own beside that of the first.
          'select distinct name from environment_use where namespace = $1 and secret_name = $2 order by name',
          [namespace, name],
          { prepare: true },
        );
        return rows.map((row) => row.name);
      });
    },

    remember: ({ namespace, name, uid, claimName, secretName }) =>
      sqlWrite(
        `insert into environment_use as e (id, namespace, name, claim_name, secret_name) values ($1, $2, $3, $4, $5)
         on conflict (id) do update set claim_name = excluded.claim_name, secret_name = excluded.secret_name
         where (e.claim_name, e.secret_name) is distinct from (excluded.claim_name, excluded.secret_name)`,
        [uid, namespace, name, claimName ?? null, secretName ?? null],
      ),

    forget: ({ namespace, name }) =>
      sqlWrite('delete from environment_use where namespace = $1 and name = $2', [namespace, name]),
  };
}
