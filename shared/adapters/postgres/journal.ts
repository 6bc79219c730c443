import type { Sql } from 'postgres';
import { type Waiting, wakesAfterSeconds } from '../../domain/core/step.ts';
import { inWords, type Subject } from '../../domain/core/subject.ts';
import type { Begin, Begun, Journal, Message, RowWrite, StepRecord } from '../../ports/journal.ts';
import { gather } from './gather.ts';
import { asJson } from './keepable.ts';
import { asOneStatement } from './row-write.ts';
import { asked } from './translate.ts';

/** A row of the knock table, as Postgres gives it. */
export interface KnockRow {
  readonly id: string;
  readonly function: string;
  readonly type: string;
  readonly data: Subject;
  readonly tenant: string;
  readonly serial_key: string;
  readonly cause: string | null;
  readonly correlation: string | null;
  readonly traceparent: string | null;
}

interface BegunRow {
  readonly state: Begun['state'];
  readonly pending: string | null;
  readonly waiting: Waiting | null;
}

/** Steps that begin in one round trip, where more than one wants to. */
const mostAtOnce = 32;

/** The journal in Postgres; migrations/0002_machine.sql is the other half of it. */
export function openJournal(sql: Sql, { resendSeconds }: { readonly resendSeconds: number }): Journal {
  return {
    begin: gather(mostAtOnce, async (begins: readonly Begin[]): Promise<readonly Begun[]> => {
      return asked('read', async () => {
        const rows = await sql<BegunRow[]>`
          select * from begin_steps(${asJson(begins.map(toRequest))}::text::jsonb) order by place`;
        return rows.map(toBegun);
      });
    }),

    async finish(record: StepRecord, rows: readonly RowWrite[] = []): Promise<readonly Message[]> {
      const { text, parameters } = finishStatement(asJson(inRows(record)), resendSeconds, rows);
      return asked('write', async () => {
        const [row] = await sql.unsafe<[{ messages: (KnockRow | Pick<KnockRow, 'id'>)[] }]>(
          text,
          parameters as never[],
          { prepare: true },
        );
        return row.messages.flatMap((sent) =>
          'function' in sent ? toMessage(sent) : record.knocks.filter(({ id }) => id === sent.id),
        );
      });
    },

    async forget(functionName, messageId) {
      return asked('write', async () => {
        await sql`delete from knock where function = ${functionName} and id = ${messageId}`;
      });
    },

    async renew(step, serialKey, leaseSeconds) {
      return asked('write', async () => {
        const { count } =
          await sql`update lease set until = clock_timestamp() + make_interval(secs => ${leaseSeconds}) where key = ${serialKey} and holder = ${step}`;
        return count === 1;
      });
    },
  };
}

function toRequest({ step, message, pending, leaseSeconds }: Begin): Record<string, unknown> {
  return {
    step,
    function: message.function,
    subject: inWords(message.subject),
    key: message.serialKey,
    lease_seconds: leaseSeconds,
    // A message with a row behind it is judged by the row: others may have knocked there without a version.
    version: pending ? undefined : message.subject.version,
    from_row: pending,
    message: toRow(message),
  };
}

function toBegun({ state, pending, waiting }: BegunRow): Begun {
  if (state !== 'go') return { state };
  return { state, ...(pending !== null && { pending }), ...(waiting !== null && { waiting }) };
}

/** One statement: the store's own writes as common table expressions, the machine's through its function. */
function finishStatement(
  record: string,
  resendSeconds: number,
  rows: readonly RowWrite[],
): { text: string; parameters: unknown[] } {
  const { ahead, checks, parameters } = asOneStatement(rows, [record, resendSeconds]);
  return { text: `${ahead}select finish_step($1::text::jsonb, $2) as messages${checks}`, parameters };
}

function inRows(record: StepRecord): Record<string, unknown> {
  const { message, begun, next } = record;
  const after = next === undefined ? undefined : wakesAfterSeconds(next);
  return {
    id: record.step,
    function: message.function,
    subject: inWords(message.subject),
    tenant: message.tenant,
    type: message.type,
    data: message.subject,
    serial_key: message.serialKey,
    message_id: message.id,
    cause: message.cause,
    correlation: message.correlation,
    traceparent: message.traceparent,
    attempt: record.attempt,
    outcome: record.outcome,
    reason: record.reason,
    next,
    effects: record.effects,
    emitted: record.knocks.map(({ id, function: name, type, subject }) => ({
      id,
      function: name,
      type,
      subject: inWords(subject),
    })),
    covered: record.covered,
    waited_ms: record.waitedMs,
    ms: record.ms,
    done: record.done,
    buried: record.buried ?? false,
    retry_seconds: record.retrySeconds,
    knocks: record.knocks.map(toRow),
    ...(begun !== undefined && { key: message.serialKey }),
    ...(begun?.pending !== undefined && { pending: begun.pending }),
    ...(record.version !== undefined && { version: record.version }),
    ...(next !== undefined &&
      next.kind !== 'settled' && {
        wakeup: {
          reason: next.wait.reason,
          message: next.wait.message,
          blocked_on: next.kind === 'blocked' ? next.on : undefined,
          after_seconds: after,
          deadline_seconds: next.wait.deadlineSeconds,
        },
      }),
  };
}

export function toRow(message: Message): Record<string, unknown> {
  const { id, function: name, type, subject, tenant, serialKey, cause, correlation, traceparent } = message;
  return {
    id,
    function: name,
    type,
    subject: inWords(subject),
    data: subject,
    tenant,
    serial_key: serialKey,
    cause,
    correlation,
    traceparent,
  };
}

export function toMessage(row: KnockRow): Message {
  return {
    id: row.id,
    function: row.function,
    type: row.type,
    subject: row.data,
    tenant: row.tenant,
    serialKey: row.serial_key,
    ...(row.cause !== null && { cause: row.cause }),
    ...(row.correlation !== null && { correlation: row.correlation }),
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
  };
}
