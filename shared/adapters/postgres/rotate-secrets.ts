import type postgres from 'postgres';
import type { Cipher } from './cipher.ts';

/** Every column that holds a sealed value. A test compares the list with the database. */
export const secretColumns = [
  { table: 'cluster_credentials', column: 'kube_config' },
  { table: 'cluster_credentials', column: 'service_account_bearer_token' },
  { table: 'repository_credentials', column: 'auth_username' },
  { table: 'repository_credentials', column: 'auth_password' },
  { table: 'repository_credentials', column: 'auth_ssh_key' },
  { table: 'target_service_account', column: 'bearer_token' },
  { table: 'binding_overlay', column: 'wanted' },
  { table: 'binding_overlay', column: 'rendered' },
] as const;

type RotateOptions = { readonly batchSize?: number; readonly signal?: AbortSignal };

export type Rotation = {
  /** How many values are now sealed with the active key that were not before. */
  readonly resealed: number;
  /** What could not be opened, and stays as it was. */
  readonly failed: readonly { table: string; column: string; id: string; reason: string }[];
};

/**
 * Seals every credential anew that is not sealed with the active key.
 *
 * It may be stopped and started again at any time, run twice at once, and run while others read and write: each value
 * is replaced only if it still is what was read, and a reader that has both keys can open it before and after.
 */
export async function rotateSecrets(sql: postgres.Sql, cipher: Cipher, options: RotateOptions = {}): Promise<Rotation> {
  const { batchSize = 100, signal } = options;
  const failed: Rotation['failed'][number][] = [];
  let resealed = 0;
  for (const { table, column } of secretColumns) {
    for (let after = ''; ; ) {
      signal?.throwIfAborted();
      const rows = await readBatch(sql, table, column, cipher.activeKeyId, after, batchSize);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;

      const changes: { id: string; before: Uint8Array; sealed: Uint8Array }[] = [];
      for (const { id, before } of rows) {
        const context = { table, column, id };
        try {
          changes.push({ id, before, sealed: cipher.seal(cipher.open(before, context), context) });
        } catch (error) {
          failed.push({ ...context, reason: (error as Error).message });
        }
      }
      resealed += await replace(sql, table, column, changes);
    }
  }
  return { resealed, failed };
}

/** The id of the key stands behind a version and its own length; see cipher.ts. */
async function readBatch(
  sql: postgres.Sql,
  table: string,
  column: string,
  activeKeyId: string,
  after: string,
  limit: number,
): Promise<{ id: string; before: Uint8Array }[]> {
  return sql`
    select id, ${sql(column)} as before from ${sql(table)}
    where id > ${after} and ${sql(column)} is not null
      and substring(${sql(column)} from 3 for get_byte(${sql(column)}, 1)) is distinct from ${Buffer.from(activeKeyId)}
    order by id limit ${limit}`;
}

async function replace(
  sql: postgres.Sql,
  table: string,
  column: string,
  changes: readonly { id: string; before: Uint8Array; sealed: Uint8Array }[],
): Promise<number> {
  if (changes.length === 0) return 0;
  const bytea = 17;
  const ids = sql.array(changes.map(({ id }) => id));
  const before = sql.array(changes.map((change) => change.before) as never[], bytea);
  const sealed = sql.array(changes.map((change) => change.sealed) as never[], bytea);
  const { count } = await sql`
    update ${sql(table)} as stored set ${sql(column)} = changed.sealed
    from unnest(${ids}, ${before}, ${sealed}) as changed (id, before, sealed)
    where stored.id = changed.id and stored.${sql(column)} = changed.before`;
  return count;
}
