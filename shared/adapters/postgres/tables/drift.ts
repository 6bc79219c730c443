import { sql } from 'drizzle-orm';
import {
  bigint,
  doublePrecision,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { limited, required } from './columns.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });

/** A pass over everything, in parts that take turns. */
export const driftPass = pgTable(
  'drift_pass',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    beganAt: instant('began_at').notNull().default(sql`clock_timestamp()`),
    endedAt: instant('ended_at'),
    askedBy: text('asked_by'),
    parts: jsonb().notNull().default({}),
    workedSeconds: doublePrecision('worked_seconds').notNull().default(0),
    holder: text(),
    heldUntil: instant('held_until'),
  },
  (table) => [
    limited('drift_pass', table.askedBy, 256),
    uniqueIndex('drift_pass_under_way').on(sql`(true)`).where(sql`${table.endedAt} is null`),
  ],
);

/** One line of the report: what was wrong, and whom it was told to. */
export const driftFinding = pgTable(
  'drift_finding',
  {
    pass: bigint({ mode: 'number' })
      .notNull()
      .references(() => driftPass.id),
    finding: text().notNull(),
    subject: text().notNull(),
    foundAt: instant('found_at').notNull().default(sql`clock_timestamp()`),
    part: text().notNull(),
    what: text().notNull(),
    knockType: text('knock_type'),
    knockSubject: jsonb('knock_subject'),
    knockedAt: instant('knocked_at'),
  },
  (table) => [
    primaryKey({ columns: [table.pass, table.finding, table.subject] }),
    required('drift_finding', table.finding, 64),
    required('drift_finding', table.subject, 512),
    required('drift_finding', table.part, 64),
    limited('drift_finding', table.what, 1_024),
    index('drift_finding_unsent')
      .on(table.pass)
      .where(sql`${table.knockedAt} is null and ${table.knockType} is not null`),
  ],
);
