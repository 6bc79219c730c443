import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

// The machine's own tables, for reading; they are written by the functions of migrations/0002_machine.sql.

const instant = (name: string) => timestamp(name, { withTimezone: true });

export const lease = pgTable('lease', {
  key: text().primaryKey(),
  holder: text().notNull(),
  until: instant('until').notNull(),
});

export const knock = pgTable(
  'knock',
  {
    function: text().notNull(),
    subject: text().notNull(),
    id: text().notNull(),
    seq: bigint({ mode: 'bigint' }).notNull().default(sql`1`),
    state: text({ enum: ['sent', 'marked', 'aside'] }).notNull(),
    type: text().notNull(),
    data: jsonb().notNull(),
    tenant: text().notNull(),
    serialKey: text('serial_key').notNull(),
    cause: text(),
    correlation: text(),
    traceparent: text(),
    createdAt: instant('created_at').notNull().default(sql`clock_timestamp()`),
    dueAt: instant('due_at').notNull(),
    sends: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.function, table.subject] }),
    check('knock_state_check', sql`${table.state} in ('sent', 'marked', 'aside')`),
    index('knock_due').on(table.dueAt),
    index('knock_marked').on(table.serialKey).where(sql`${table.state} = 'marked'`),
    index('knock_aside').on(table.tenant, table.createdAt).where(sql`${table.state} = 'aside'`),
  ],
);

export const wakeup = pgTable(
  'wakeup',
  {
    function: text().notNull(),
    subject: text().notNull(),
    type: text().notNull(),
    data: jsonb().notNull(),
    tenant: text().notNull(),
    serialKey: text('serial_key').notNull(),
    reason: text().notNull(),
    message: text().notNull(),
    blockedOn: text('blocked_on'),
    since: instant('since').notNull(),
    dueAt: instant('due_at').notNull(),
    deadline: instant('deadline').notNull(),
    cause: text(),
    correlation: text(),
    traceparent: text(),
  },
  (table) => [
    primaryKey({ columns: [table.function, table.subject] }),
    index('wakeup_due').on(table.dueAt),
    index('wakeup_tenant').on(table.tenant, table.subject),
  ],
);

export const served = pgTable(
  'served',
  {
    function: text().notNull(),
    subject: text().notNull(),
    version: bigint({ mode: 'bigint' }).notNull(),
    at: instant('at').notNull().default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.function, table.subject] })],
);

export const stepLog = pgTable(
  'step_log',
  {
    id: text().notNull(),
    at: instant('at').notNull().default(sql`clock_timestamp()`),
    function: text().notNull(),
    subject: text().notNull(),
    tenant: text().notNull(),
    type: text().notNull(),
    data: jsonb().notNull(),
    messageId: text('message_id').notNull(),
    cause: text(),
    correlation: text(),
    trace: text(),
    attempt: integer().notNull(),
    outcome: text().notNull(),
    reason: text(),
    next: jsonb(),
    effects: jsonb().notNull(),
    emitted: jsonb().notNull(),
    covered: integer().notNull(),
    waitedMs: integer('waited_ms'),
    ms: integer().notNull(),
  },
  (table) => [
    index('step_log_subject').on(table.subject, table.at),
    index('step_log_correlation').on(table.correlation, table.at),
    index('step_log_message').on(table.messageId),
    index('step_log_at').using('brin', table.at),
  ],
);

export const ledger = pgTable(
  'ledger',
  {
    id: bigint({ mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    at: instant('at').notNull().default(sql`clock_timestamp()`),
    step: text(),
    actor: text().notNull(),
    subject: text().notNull(),
    tenant: text().notNull(),
    action: text().notNull(),
    details: jsonb().notNull(),
    cause: text(),
    correlation: text(),
  },
  (table) => [
    index('ledger_subject').on(table.subject, table.at),
    index('ledger_correlation').on(table.correlation, table.at),
  ],
);

export const tick = pgTable('tick', { schedule: text().notNull(), slot: instant('slot').notNull() }, (table) => [
  primaryKey({ columns: [table.schedule, table.slot] }),
]);
