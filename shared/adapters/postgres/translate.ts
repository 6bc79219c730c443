import { Conflict, isTrouble, Transient, Uncertain } from '../../ports/trouble.ts';

/** What the failed call was: a lost answer to a read costs nothing, a lost answer to a write may hide a success. */
type Sent = { readonly sent: 'read' | 'write' };

type Meaning = 'conflict' | 'transient' | 'lost';

/**
 * Every code that is not a defect of ours, and where it comes from. `lost` means that the statement went out and no
 * answer came back. SQLSTATE names are those of appendix A of the PostgreSQL manual.
 */
const meanings: Readonly<Record<string, Meaning>> = {
  // Conflicts: somebody else was faster, or may have been.
  '40001': 'conflict', // serialization_failure
  '40P01': 'conflict', // deadlock_detected: we were the one chosen to give way
  '23505': 'conflict', // unique_violation: two steps made the same row, the next run finds it
  '23503': 'conflict', // foreign_key_violation: a row that ours points to went in between, or one came that points to ours
  '23P01': 'conflict', // exclusion_violation: the same, for ranges
  '55P03': 'conflict', // lock_not_available: a NOWAIT or lock_timeout of ours
  SC409: 'conflict', // raised by migrations/0002_machine.sql: the lease or the row version has moved

  // The server did not take the connection, or took the statement and undid it: nothing happened.
  '08001': 'transient', // guarded-socket.ts: the connection was never made
  '08003': 'transient', // guarded-socket.ts: the connection was lost before this statement was sent
  '08004': 'transient', // sqlserver_rejected_establishment_of_sqlconnection: proxies say so while they fail over
  '25006': 'transient', // read_only_sql_transaction: we still talk to the old primary after a failover
  '25P03': 'transient', // idle_in_transaction_session_timeout: the transaction is undone
  '25P04': 'transient', // transaction_timeout: the same
  '53000': 'transient', // insufficient_resources
  '53100': 'transient', // disk_full
  '53200': 'transient', // out_of_memory
  '53300': 'transient', // too_many_connections
  '57014': 'transient', // query_canceled: statement_timeout, or an operator
  '57P01': 'transient', // admin_shutdown: sent while a transaction runs, which is undone
  '57P03': 'transient', // cannot_connect_now: starting up or shutting down
  '57P05': 'transient', // idle_session_timeout
  '58000': 'transient', // system_error: outside of PostgreSQL
  '58030': 'transient', // io_error
  ECONNREFUSED: 'transient', // nobody listens
  EHOSTUNREACH: 'transient',
  ENETUNREACH: 'transient',
  ENOTFOUND: 'transient', // the name is not known (yet)
  EAI_AGAIN: 'transient', // the name server is away
  CONNECT_TIMEOUT: 'transient', // postgres.js: no session within connect_timeout
  CONNECTION_ENDED: 'transient', // postgres.js: our own pool is closing, the statement was not sent

  // The statement went out; whether it took effect is not known.
  '08000': 'lost', // connection_exception
  '08006': 'lost', // guarded-socket.ts: connection_failure
  '08007': 'lost', // transaction_resolution_unknown
  '40003': 'lost', // statement_completion_unknown
  '57P02': 'lost', // crash_shutdown: may come between the commit and its answer
  CONNECTION_CLOSED: 'lost', // postgres.js
  CONNECTION_DESTROYED: 'lost', // postgres.js: our own pool was closed by force
  ECONNRESET: 'lost',
  EPIPE: 'lost',
  ETIMEDOUT: 'lost', // keep-alive found the other side dead
};

/**
 * Turns an error of the driver into trouble. What is not in the table stays as it is: bad data (class 22), checks and
 * foreign keys (class 23), syntax and permissions (class 42) are defects, and repeating them does not help.
 */
export function translatePostgres(error: unknown, { sent }: Sent): Error {
  if (isTrouble(error)) return error;
  if (!(error instanceof Error)) return new Error(`the database driver threw ${typeof error}`, { cause: error });

  const code = codeOf(error);
  const meaning = code === undefined ? undefined : meanings[code];
  if (meaning === undefined) return error;

  // The message of a driver's error names hosts, tables and constraints but no values; those stay in the cause.
  const options = { cause: error };
  if (meaning === 'conflict') return new Conflict(`the database refused a concurrent change (${code})`, options);
  if (meaning === 'lost' && sent === 'write') {
    return new Uncertain('database', `the database did not say whether the write took effect (${code})`, options);
  }
  return new Transient('database', `the database is away (${code}): ${error.message}`, options);
}

/** Asks the database, and says what went wrong in the words of the ports. */
export async function asked<T>(sent: Sent['sent'], question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    throw translatePostgres(error, { sent });
  }
}

/** drizzle wraps the driver's error and keeps it as the cause. */
function codeOf(error: Error): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string') return code;
  }
  return undefined;
}
