import type { Sql } from 'postgres';

/** A setting of the embedded server, which this world throws away in the end; needs a superuser's connection. */
export async function setServer(sql: Sql, name: 'autovacuum' | 'log_statement', value: string): Promise<void> {
  await sql.unsafe(`alter system set ${name} = '${value}'`);
  await sql`select pg_reload_conf()`;
}
