import type { Sql } from 'postgres';
import { stepTimes } from './step-times.ts';

/** What the machine has done and what it waits for, for whoever has to find out why a thing did not come. */
export async function tellState(sql: Sql): Promise<string> {
  const knocks = await sql<{ line: string }[]>`
    select concat_ws(' ', 'knock', state, function, subject, 'sent', sends, 'times, due', due_at) as line from knock limit 10`;
  const wakeups = await sql<{ line: string }[]>`
    select concat_ws(' ', 'waits', function, subject, reason, message, 'due', due_at) as line from wakeup limit 10`;
  const leases = await sql<
    { line: string }[]
  >`select concat_ws(' ', 'lease', key, 'until', until) as line from lease limit 10`;
  const troubles = await sql<{ line: string }[]>`
    select concat_ws(' ', 'trouble', at, function, subject, outcome, reason) as line from step_log
    where outcome not in ('stepped', 'skipped', 'coalesced') order by at desc limit 10`;
  const lines = [...knocks, ...wakeups, ...leases, ...troubles].map(({ line }) => line);
  return [...(await stepTimes(sql, new Date(0).toISOString())), ...lines].join('\n');
}
