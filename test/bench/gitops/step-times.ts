import type { Sql } from 'postgres';

/** The database's own clock, which the step log is written by. */
export async function databaseNow(sql: Sql): Promise<string> {
  const [row] = await sql<[{ now: string }]>`select clock_timestamp()::text as now`;
  return row.now;
}

/** Where the time went since then, a line for each function and outcome, from the step log. */
export async function stepTimes(sql: Sql, since: string): Promise<readonly string[]> {
  const rows = await sql<
    { fn: string; outcome: string; steps: number; again: number; waited: number; ms: number; late: number }[]
  >`select function as fn, outcome, count(*)::int as steps, count(*) filter (where attempt > 0)::int as again,
           coalesce(avg(waited_ms), 0)::float8 as waited, avg(ms)::float8 as ms,
           percentile_cont(0.99) within group (order by ms)::float8 as late
    from step_log where at > ${since}::timestamptz group by function, outcome order by function, outcome`;
  return rows.map(
    ({ fn, outcome, steps, again, waited, ms, late }) =>
      `${fn.padEnd(30)} ${outcome.padEnd(10)} ${String(steps).padStart(6)} steps, waited ${waited.toFixed(1)} ms, took ${ms.toFixed(1)} ms (p99 ${late.toFixed(0)} ms)${again > 0 ? `, ${again} tried again` : ''}`,
  );
}
