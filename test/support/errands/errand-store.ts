import { eq, sql as raw } from 'drizzle-orm';
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import { drizzle } from 'drizzle-orm/postgres-js';
import { connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { connect } from '../../../shared/adapters/postgres/connect.ts';
import { rowWrite } from '../../../shared/adapters/postgres/row-write.ts';
import { translatePostgres } from '../../../shared/adapters/postgres/translate.ts';
import { inWords, type Subject } from '../../../shared/domain/core/subject.ts';
import type { RowWrite } from '../../../shared/ports/journal.ts';
import { Transient } from '../../../shared/ports/trouble.ts';
import type { Errand } from './decide-errand.ts';

const errands = pgTable('errand', {
  subject: text().primaryKey(),
  ranVersion: bigint('ran_version', { mode: 'bigint' }),
  runs: integer().notNull().default(0),
  reports: integer().notNull().default(0),
});

/** The table of the stand-in, and a row for each time an errand was run: two for one version would be a defect. */
export const errandTables = `
  create table if not exists errand (subject text primary key, ran_version bigint, runs integer not null default 0, reports integer not null default 0);
  create table if not exists errand_run (subject text not null, version bigint not null, primary key (subject, version));
  create table if not exists errand_inside (subject text primary key, inside boolean not null, meetings integer not null default 0);`;

export interface ErrandStore {
  observe(subject: Subject, signal: AbortSignal): Promise<Errand | undefined>;
  /** Notes that a step is inside, and whether another one is already. It leaves with its commit. */
  enter(subject: Subject): Promise<void>;
  ran(subject: Subject, version: string): readonly RowWrite[];
  left(subject: Subject): readonly RowWrite[];
  reported(subject: Subject): readonly RowWrite[];
  close(): Promise<void>;
}

/** `cluster` is an API server with claims, or its kubeconfig; without one, the knock's own version is the truth. */
function openErrandStore(url: string, cluster: string | undefined): ErrandStore {
  const connection =
    cluster === undefined
      ? undefined
      : connectCluster({
          ...(cluster.startsWith('http') ? { server: cluster } : { kubeconfigPath: cluster }),
          now: Date.now,
        });
  const client = connect({
    url,
    poolSize: 8,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 2_000,
    applicationName: 'errands',
  });
  const db: PostgresJsDatabase = drizzle(client);
  // The bare client is a second one, because drizzle changes the serialisers of its own.
  const bare = connect({
    url,
    poolSize: 8,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 2_000,
    applicationName: 'errands',
  });

  async function versionOf(
    { namespace, name, version = '1' }: Subject,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (connection === undefined) return version;
    const path = `/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/deploymenttargetclaims/${name}`;
    const { status, body } = await connection.request(path, { signal, timeoutMs: 2_000 });
    return status === 404 ? undefined : (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
  }

  return {
    async observe(subject, signal) {
      try {
        const [[row], version] = await Promise.all([
          bare<{ ran_version: string | null }[]>`select ran_version from errand where subject = ${inWords(subject)}`,
          versionOf(subject, signal),
        ]);
        return version === undefined ? undefined : { subject, version, ranVersion: row?.ran_version ?? undefined };
      } catch (error) {
        throw error instanceof Transient ? error : translatePostgres(error, { sent: 'read' });
      }
    },
    async enter(subject) {
      await bare`
        insert into errand_inside (subject, inside) values (${inWords(subject)}, true)
        on conflict (subject) do update set meetings = errand_inside.meetings + errand_inside.inside::integer, inside = true`;
    },
    ran(subject, version) {
      const key = inWords(subject);
      const upsert = db
        .insert(errands)
        .values({ subject: key, ranVersion: BigInt(version), runs: 1 })
        .onConflictDoUpdate({
          target: errands.subject,
          set: { ranVersion: BigInt(version), runs: raw`${errands.runs} + 1` },
        });
      return [
        rowWrite(upsert, 1),
        rowWrite(
          {
            toSQL: () => ({ sql: 'insert into errand_run (subject, version) values ($1, $2)', params: [key, version] }),
          },
          1,
        ),
      ];
    },
    left(subject) {
      const text = 'update errand_inside set inside = false where subject = $1';
      return [rowWrite({ toSQL: () => ({ sql: text, params: [inWords(subject)] }) })];
    },
    reported(subject) {
      return [
        rowWrite(
          db
            .update(errands)
            .set({ reports: raw`${errands.reports} + 1` })
            .where(eq(errands.subject, inWords(subject))),
        ),
      ];
    },
    async close() {
      await Promise.all([client.end({ timeout: 1 }), bare.end({ timeout: 1 }), connection?.close()]);
    },
  };
}

const opened = new Map<string, ErrandStore>();

/** The store of the world that the environment names. */
export function theErrandStore(): ErrandStore {
  const url = process.env['DATABASE_URL'] ?? '';
  const cluster = process.env['ERRAND_CLUSTER'] || undefined;
  const store = opened.get(`${url} ${cluster}`) ?? openErrandStore(url, cluster);
  opened.set(`${url} ${cluster}`, store);
  return store;
}

export async function closeErrandStores(): Promise<void> {
  await Promise.all([...opened.values()].map((store) => store.close()));
  opened.clear();
}
