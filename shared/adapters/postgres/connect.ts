import postgres from 'postgres';
import { addArrayTypes } from './array-types.ts';
import { GuardedSocket } from './guarded-socket.ts';
import type { TlsMode, Transport } from './open-transport.ts';

export type ConnectOptions = {
  /** `sslmode` in its query chooses TLS with the meaning it has in libpq, `sslrootcert` names a PEM file. */
  readonly url: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  /** How long a new session may take to be ready. */
  readonly connectTimeoutMs: number;
  readonly idleTimeoutSeconds?: number;
  /** Shown in pg_stat_activity, so that an operator sees which process holds a lock. */
  readonly applicationName: string;
};

/**
 * Opens a pool; each connection is made when it is first needed, and made again when it is lost.
 *
 * Close it with `sql.end({ timeout })`. Do not use `sql.reserve()`: the driver gives a reserved connection that was
 * lost to others while its holder still writes to it; `sql.begin` is guarded against that.
 */
export function connect(options: ConnectOptions): postgres.Sql {
  const { url, transport } = readUrl(options.url);
  const settings = {
    max: options.poolSize,
    connect_timeout: options.connectTimeoutMs / 1000,
    ...(options.idleTimeoutSeconds === undefined ? {} : { idle_timeout: options.idleTimeoutSeconds }),
    // The driver waits up to 20 s between attempts, and our statements wait with it. An outage must end when the
    // server is back, and the callers have a back-off of their own.
    backoff: (retries: number) => Math.min(3 ** retries / 100, 1) * (0.5 + Math.random() / 2),
    // Notices such as "table exists, skipping" are printed on standard output by default.
    onnotice: () => {},
    fetch_types: false,
    ssl: false as const,
    socket: () => new GuardedSocket(transport),
    connection: {
      application_name: options.applicationName,
      statement_timeout: options.statementTimeoutMs,
      // A process that hangs between two statements must not keep its locks for ever.
      idle_in_transaction_session_timeout: 2 * options.statementTimeoutMs,
    },
  };
  const sql = postgres(url, settings);
  addArrayTypes(sql);
  return sql;
}

const tlsModes: readonly string[] = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** Takes out of the address what we handle ourselves; the driver would send the rest of it to the server as settings. */
function readUrl(text: string): { url: string; transport: Transport } {
  const url = URL.parse(text);
  // The address holds a password, so a complaint about it quotes nothing.
  if (url === null || url.hostname === '' || url.hostname.includes(',')) {
    throw new Error('the database address must look like postgres://user:password@host:5432/name, with one host');
  }
  const tls = url.searchParams.get('sslmode') ?? 'disable';
  if (!tlsModes.includes(tls)) {
    throw new Error(`the database address asks for sslmode=${tls}: use one of ${tlsModes.join(', ')}`);
  }
  const rootCertificate = url.searchParams.get('sslrootcert') ?? undefined;
  url.searchParams.delete('sslmode');
  url.searchParams.delete('sslrootcert');
  return {
    url: url.href,
    transport: {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? 5432 : Number(url.port),
      tls: tls as TlsMode,
      rootCertificate,
    },
  };
}
