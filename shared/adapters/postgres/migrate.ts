import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type postgres from 'postgres';

type Migration = { readonly version: number; readonly name: string; readonly text: string; readonly checksum: string };
type Applied = { readonly version: number; readonly name: string; readonly checksum: string };

const ourFolder = fileURLToPath(new URL('migrations/', import.meta.url));

/** Any number will do, as long as it is always the same: every starting host queues on it. */
const lockKey = 7_305_112_026;

/**
 * Brings the database to the schema of this code: numbered SQL files, forward only, each in a transaction of its own.
 * Several hosts may start at once; the first applies, the others wait and find it done. Answers the names it applied.
 */
export async function migrate(sql: postgres.Sql, folder: string = ourFolder): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const known = await inTurn(sql, async (transaction) => {
    await transaction`
      create table if not exists schema_migrations (
        version integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`;
    return readApplied(transaction);
  });
  checkHistory(migrations, known);

  const done: string[] = [];
  for (const migration of migrations) {
    if (known.some(({ version }) => version === migration.version)) continue;
    if (await inTurn(sql, (transaction) => apply(transaction, migration))) done.push(migration.name);
  }
  return done;
}

async function apply(transaction: postgres.TransactionSql, migration: Migration): Promise<boolean> {
  const { version, name, text, checksum } = migration;
  const applied = await readApplied(transaction);
  // Another host applied it while we waited for our turn.
  if (applied.some((row) => row.version === version)) {
    checkHistory([migration], applied);
    return false;
  }
  try {
    await transaction.unsafe(text).simple();
  } catch (cause) {
    throw new Error(`migration ${name} failed and was undone: ${(cause as Error).message}`, { cause });
  }
  await transaction`insert into schema_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`;
  return true;
}

/** The lock goes with the transaction, so a host that dies in the middle holds up nobody. */
function inTurn<Result>(
  sql: postgres.Sql,
  work: (transaction: postgres.TransactionSql) => Promise<Result>,
): Promise<Result> {
  return sql.begin(async (transaction) => {
    // Waiting for a turn and building an index may both take longer than any statement of the service should.
    await transaction`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`;
    await transaction`select pg_advisory_xact_lock(${lockKey})`;
    return work(transaction);
  }) as Promise<Result>;
}

async function readApplied(transaction: postgres.TransactionSql): Promise<Applied[]> {
  return transaction<Applied[]>`select version, name, checksum from schema_migrations order by version`;
}

/** A newer host may have applied files that this code does not know: an older host goes on beside it. */
function checkHistory(migrations: readonly Migration[], applied: readonly Applied[]): void {
  const latest = Math.max(0, ...applied.map(({ version }) => version));
  for (const { version, name, checksum } of migrations) {
    const row = applied.find((candidate) => candidate.version === version);
    if (row === undefined && version < latest) {
      throw new Error(
        `migration ${name} is older than migration ${latest}, which this database already has: give it the next free number`,
      );
    }
    if (row !== undefined && row.checksum !== checksum) {
      throw new Error(
        `migration ${name} was changed after it was applied as ${row.name}: restore the file and write the change as a new migration; ` +
          'a development database may be removed instead (the folder .stagecoach/postgres)',
      );
    }
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    names.map(async (name) => {
      const digits = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
      if (digits === undefined) throw new Error(`migration file ${name} is not named like 0001_what_it_does.sql`);
      const text = await readFile(`${folder}/${name}`, 'utf8');
      // A checkout with other line ends is the same migration.
      const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
      return { version: Number(digits), name: name.slice(0, -'.sql'.length), text, checksum };
    }),
  );
  for (const [index, { version, name }] of migrations.entries()) {
    if (migrations[index - 1]?.version === version) throw new Error(`two migrations have the number of ${name}`);
  }
  return migrations;
}
