import type { Sql } from 'postgres';
import type { Message } from '../../ports/journal.ts';
import type { Retention, Swept, Upkeep } from '../../ports/upkeep.ts';
import { type KnockRow, toMessage, toRow } from './journal.ts';
import { asJson } from './keepable.ts';
import { asked } from './translate.ts';

/** A week ahead: the sweep may fail for some days before rows land in the default partition. */
const partitionsAheadDays = 7;

export function openUpkeep(sql: Sql, { resendSeconds }: { readonly resendSeconds: number }): Upkeep {
  return {
    takeDue: (most) =>
      asked('write', async () => {
        const rows = await sql<KnockRow[]>`select * from take_due(${most}, ${resendSeconds})`;
        return rows.map(toMessage);
      }),

    overdueSeconds: () =>
      asked('read', async () => {
        const [row] = await sql<[{ seconds: number | null }]>`
          select extract(epoch from clock_timestamp() - least(
            (select min(due_at) from knock), (select min(due_at) from wakeup)))::float8 as seconds`;
        return Math.max(0, row.seconds ?? 0);
      }),

    putAside: (messages: readonly Message[]) =>
      asked('write', async () => {
        await sql`select put_aside(${asJson(messages.map(toRow))}::text::jsonb)`;
      }),

    tenantsAside: (functions) =>
      asked('read', async () => {
        const rows = await sql<
          { tenant: string }[]
        >`select distinct tenant from knock where state = 'aside' and function = any (${[...functions]}::text[])`;
        return rows.map(({ tenant }) => tenant);
      }),

    takeAside: (tenant, functions, most) =>
      asked('write', async () => {
        const rows = await sql<
          KnockRow[]
        >`select * from take_aside(${tenant}, ${[...functions]}::text[], ${most}, ${resendSeconds})`;
        return rows.map(toMessage);
      }),

    claimTick: (schedule, slot) =>
      asked('write', async () => {
        const { count } =
          await sql`insert into tick (schedule, slot) values (${schedule}, ${new Date(slot).toISOString()}) on conflict do nothing`;
        return count === 1;
      }),

    sweep: (retention: Retention) =>
      asked('write', async (): Promise<Swept> => {
        const dropped = await sql<{ name: string }[]>`
          select keep_partitions('step_log', ${retention.stepLogDays}, ${partitionsAheadDays}) as name
          union all select keep_partitions('ledger', ${retention.ledgerDays}, ${partitionsAheadDays})`;
        const gone = await Promise.all([
          sql`delete from step_log_default where at < now() - make_interval(days => ${retention.stepLogDays})`,
          sql`delete from served where at < now() - make_interval(days => ${retention.servedDays})`,
          // What became of promotions is kept as long as the ledger that tells of it.
          sql`delete from promotion where state = 'Completed' and completed_at < now() - make_interval(days => ${retention.ledgerDays})`,
          sql`delete from tick where slot < now() - interval '2 days'`,
        ]);
        return { partitions: dropped.map(({ name }) => name), rows: gone.reduce((sum, { count }) => sum + count, 0) };
      }),
  };
}
