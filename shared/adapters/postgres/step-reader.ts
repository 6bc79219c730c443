import type { Sql } from 'postgres';
import type {
  HeldLease,
  LedgerLine,
  LoggedStep,
  PendingKnock,
  StepReader,
  WaitingSubject,
} from '../../ports/step-reader.ts';
import { asked } from './translate.ts';

type Row = Readonly<Record<string, unknown>>;

/** Reads what migrations/0002_machine.sql keeps, and writes nothing. */
export function openStepReader(sql: Sql): StepReader {
  const stepColumns = sql`
    id as step, at, function, subject, type, data, message_id as message, cause, correlation, trace as traceparent, attempt,
    outcome, reason, next, effects, emitted, covered, waited_ms as "waitedMs", ms`;

  async function ask<T>(question: () => Promise<readonly Row[]>): Promise<readonly T[]> {
    return asked('read', async () => {
      return (await question()).map((row) => toPlain(row) as T);
    });
  }

  return {
    ofMessages: (messages) =>
      ask<LoggedStep>(
        () => sql<Row[]>`select ${stepColumns} from step_log where message_id = any (${[...messages]}) order by at, id`,
      ),

    ofSubject: (subject, most, functionName) =>
      ask<LoggedStep>(
        () => sql<Row[]>`
          select ${stepColumns} from step_log
          where subject = ${subject} ${functionName === undefined ? sql`` : sql`and function = ${functionName}`}
          order by at desc, id limit ${most}`,
      ),

    async storiesOfSubject(subject, most) {
      const rows = await ask<{ story: string }>(
        () => sql<Row[]>`
          select coalesce(correlation, message_id) as story from step_log where subject = ${subject}
          group by 1 order by max(at) desc, 1 limit ${most}`,
      );
      return rows.map(({ story }) => story);
    },

    async storiesOfMessage(id) {
      const rows = await ask<{ story: string }>(
        () => sql<Row[]>`
          select coalesce(correlation, message_id) as story from step_log where message_id = ${id} or correlation = ${id}
          union select coalesce(correlation, id) from knock where id = ${id} or correlation = ${id}
          union select correlation from wakeup where correlation = ${id}`,
      );
      return rows.map(({ story }) => story);
    },

    async ofStories(stories, most) {
      const steps = await ask<LoggedStep>(
        () => sql<Row[]>`
          select ${stepColumns} from step_log where correlation = any (${[...stories]}) or message_id = any (${[...stories]})
          order by at desc, id limit ${most + 1}`,
      );
      return { steps: steps.slice(0, most).reverse(), more: steps.length > most };
    },

    async latestOfSubjects({ function: functionName, since, until, most }) {
      const steps = await ask<LoggedStep>(
        () => sql<Row[]>`
          select * from (
            select distinct on (subject) ${stepColumns} from step_log
            where function = ${functionName} and at >= ${new Date(since).toISOString()} and at < ${new Date(until).toISOString()}
            order by subject, at desc, id) latest
          order by at desc, subject limit ${most + 1}`,
      );
      return { steps: steps.slice(0, most), more: steps.length > most };
    },

    // The lines of a message without a correlation have none either: their step finds them.
    ledgerOf: (stories, steps) =>
      ask<LedgerLine>(
        () => sql<Row[]>`
          select at, step, actor, subject, action, details, cause, correlation from ledger
          where correlation = any (${[...stories]})
             or (correlation is null and cause = any (${[...stories]}) and step = any (${[...steps]}))
          order by at, id`,
      ),

    async pendingOf(subjects, stories = []) {
      const [knocks, waiting] = await Promise.all([
        ask<PendingKnock>(
          () => sql<Row[]>`
            select function, subject, id, state, type, data, serial_key as "serialKey", cause, correlation,
                   created_at as since, due_at as due, sends
            from knock where subject = any (${[...subjects]}) or correlation = any (${[...stories]})
            order by created_at, function, subject`,
        ),
        ask<WaitingSubject>(
          () => sql<Row[]>`
            select function, subject, type, data, serial_key as "serialKey", reason, message, blocked_on as "blockedOn",
                   since, due_at as due, deadline, cause, correlation
            from wakeup where subject = any (${[...subjects]}) or correlation = any (${[...stories]})
            order by since, function, subject`,
        ),
      ]);
      return { knocks, waiting };
    },

    leasesOf: (keys) =>
      ask<HeldLease>(
        () =>
          sql<Row[]>`select key, holder, until from lease where key = any (${[...keys]}) and until > clock_timestamp()`,
      ),
  };
}

/** What is absent is absent, and a moment is text: the same in the port, on the screen and in JSON. */
function toPlain(row: Row): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      if (value === null) return [];
      return [[name, value instanceof Date ? value.toISOString() : value] as const];
    }),
  );
}
