import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { id, limited, oneOf, required } from './columns.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });
const inOrderOfTheApi = sql`((namespace || '/' || name || ' ' || id) collate "C")`;
const empty = (name: string) => text(name).notNull().default('');

/** A PromotionRun, and how it came to its end. */
export const promotion = pgTable(
  'promotion',
  {
    id: id(),
    namespace: text().notNull(),
    name: text().notNull(),
    application: text().notNull(),
    snapshot: text().notNull(),
    automated: boolean().notNull(),
    beginsIn: text('begins_in').array().notNull().default(sql`'{}'`),
    cause: empty('cause'),
    createdAt: instant('created_at').notNull(),
    state: text().notNull(),
    result: empty('result'),
    reason: empty('reason'),
    message: empty('message'),
    waiting: jsonb(),
    startedAt: instant('started_at'),
    completedAt: instant('completed_at'),
  },
  (table) => [
    required('promotion', table.id, 48),
    required('promotion', table.namespace, 96),
    required('promotion', table.name, 256),
    oneOf('promotion', table.state, ['Waiting', 'Active', 'Completed']),
    oneOf('promotion', table.result, ['', 'Success', 'Failure', 'Deleted']),
    uniqueIndex('promotion_turn').on(table.namespace, table.application).where(sql`${table.state} = 'Active'`),
    index('promotion_line').on(table.namespace, table.application, table.createdAt.desc().nullsFirst(), table.name),
    index('promotion_open').on(table.namespace, table.application).where(sql`${table.state} <> 'Completed'`),
    index('promotion_place').on(table.namespace, table.name),
    index('promotion_listed').on(inOrderOfTheApi).where(sql`${table.state} <> 'Completed'`),
    index('promotion_failed').on(table.namespace, table.application).where(sql`${table.result} = 'Failure'`),
    index('promotion_completed').on(table.completedAt).where(sql`${table.state} = 'Completed'`),
  ],
);

/** One environment on the way of a promotion. */
export const promotionStep = pgTable(
  'promotion_step',
  {
    promotionId: text('promotion_id')
      .notNull()
      .references(() => promotion.id, { onDelete: 'cascade' }),
    environment: text().notNull(),
    step: integer().notNull(),
    binding: text().notNull(),
    status: text().notNull(),
    reason: empty('reason'),
    message: empty('message'),
    beganAt: instant('began_at').notNull(),
    readyAt: instant('ready_at'),
    endedAt: instant('ended_at'),
    commitId: empty('commit_id'),
    commitsBefore: empty('commits_before'),
    extendedTo: instant('extended_to'),
    snapshotId: empty('snapshot_id'),
  },
  (table) => [
    primaryKey({ columns: [table.promotionId, table.environment] }),
    oneOf('promotion_step', table.status, ['in-progress', 'success', 'failed']),
    limited('promotion_step', table.snapshotId, 48),
  ],
);

/** What Argo CD said of one component in one environment, when it was as it should be. */
export const promotionEvidence = pgTable(
  'promotion_evidence',
  {
    promotionId: text('promotion_id').notNull(),
    environment: text().notNull(),
    component: text().notNull(),
    namespace: text().notNull(),
    deployment: text().notNull(),
    applicationId: text('application_id'),
    revision: empty('revision'),
    syncStatus: empty('sync_status'),
    health: empty('health'),
    operation: empty('operation'),
    observedAt: instant('observed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.promotionId, table.environment, table.component] }),
    foreignKey({
      columns: [table.promotionId, table.environment],
      foreignColumns: [promotionStep.promotionId, promotionStep.environment],
    }).onDelete('cascade'),
    index('promotion_evidence_awaited').on(table.namespace, table.deployment).where(sql`${table.observedAt} is null`),
  ],
);

/** The Snapshots that were considered for a promotion of their own, once each. */
export const promotionStart = pgTable(
  'promotion_start',
  {
    id: id(),
    namespace: text().notNull(),
    name: text().notNull(),
    application: text().notNull(),
    createdAt: instant('created_at').notNull(),
    run: empty('run'),
    sequence: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [
    required('promotion_start', table.id, 48),
    index('promotion_start_place').on(table.namespace, table.name),
    index('promotion_start_listed').on(inOrderOfTheApi),
    index('promotion_start_line').on(table.namespace, table.application, table.createdAt.desc().nullsFirst()),
  ],
);
