import { sql } from 'drizzle-orm';
import { bigint, boolean, index, jsonb, numeric, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { id, required } from './columns.ts';

const amounts = () => ({
  requestsCpu: numeric('requests_cpu').notNull(),
  requestsMemory: numeric('requests_memory').notNull(),
  limitsCpu: numeric('limits_cpu').notNull(),
  limitsMemory: numeric('limits_memory').notNull(),
  otherAmounts: jsonb('other_amounts').notNull(),
});

/** A DeploymentTarget as it was last seen. */
export const deploymentTarget = pgTable(
  'deployment_target',
  {
    id: id(),
    namespace: text().notNull(),
    name: text().notNull(),
    version: bigint({ mode: 'number' }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    className: text('class_name').notNull(),
    arch: text().notNull(),
    claimName: text('claim_name'),
    claimUid: text('claim_uid'),
    free: boolean().notNull(),
    ...amounts(),
  },
  (table) => [
    required('deployment_target', table.id, 48),
    required('deployment_target', table.namespace, 96),
    required('deployment_target', table.name, 256),
    index('deployment_target_place').on(table.namespace, table.name),
    index('deployment_target_listed').on(sql`((namespace || '/' || name || ' ' || id) collate "C")`),
    index('deployment_target_claim').on(table.namespace, table.claimName).where(sql`${table.claimName} is not null`),
    index('deployment_target_free')
      .on(
        table.namespace,
        table.className,
        table.requestsCpu,
        table.requestsMemory,
        table.limitsCpu,
        table.limitsMemory,
        table.createdAt,
        table.name,
      )
      .where(sql`${table.free}`),
  ],
);

/** A DeploymentTargetClaim that would take a target as soon as one is there. */
export const waitingClaim = pgTable(
  'waiting_claim',
  {
    id: id(),
    namespace: text().notNull(),
    name: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    className: text('class_name').notNull(),
    targetName: text('target_name').notNull(),
    arch: text().notNull(),
    ...amounts(),
  },
  (table) => [
    required('waiting_claim', table.id, 48),
    required('waiting_claim', table.namespace, 96),
    required('waiting_claim', table.name, 256),
    index('waiting_claim_place').on(table.namespace, table.name),
    index('waiting_claim_line').on(table.namespace, table.className, table.createdAt, table.name),
    index('waiting_claim_named').on(table.namespace, table.targetName).where(sql`${table.targetName} <> ''`),
  ],
);

/** What an Environment looks at. */
export const environmentUse = pgTable(
  'environment_use',
  {
    id: id(),
    namespace: text().notNull(),
    name: text().notNull(),
    claimName: text('claim_name'),
    secretName: text('secret_name'),
  },
  (table) => [
    required('environment_use', table.id, 48),
    required('environment_use', table.namespace, 96),
    required('environment_use', table.name, 256),
    index('environment_use_place').on(table.namespace, table.name),
    index('environment_use_listed').on(sql`((namespace || '/' || name || ' ' || id) collate "C")`),
    index('environment_use_claim').on(table.namespace, table.claimName).where(sql`${table.claimName} is not null`),
    index('environment_use_secret').on(table.namespace, table.secretName).where(sql`${table.secretName} is not null`),
  ],
);
