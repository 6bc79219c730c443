import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import { gitopsEngineInstance, managedEnvironment } from './cluster.ts';
import { clusterUser } from './cluster-user.ts';
import { bytea, createdOn, id, limited, oneOf, required, seqId } from './columns.ts';

/** An Argo CD Application as it should be. */
export const application = pgTable(
  'application',
  {
    id: id(),
    seqId: seqId(),
    createdOn: createdOn(),
    name: text().notNull(),
    specField: text('spec_field').notNull(),
    engineInstanceId: text('engine_instance_id')
      .notNull()
      .references(() => gitopsEngineInstance.id),
    /** Null when the environment was deleted: the application is then not valid. */
    managedEnvironmentId: text('managed_environment_id').references(() => managedEnvironment.id),
    /** Counts what was decided about it. */
    revision: bigint({ mode: 'number' }).notNull().default(1),
    /** The revision that Argo CD was told last; 0: none. */
    appliedRevision: bigint('applied_revision', { mode: 'number' }).notNull().default(0),
  },
  (table) => [
    required('application', table.id, 48),
    required('application', table.name, 256),
    required('application', table.specField, 65_536),
    index('application_engine_instance').on(table.engineInstanceId),
    index('application_engine_instance_id').on(table.engineInstanceId, sql`(id collate "C")`),
    index('application_managed_environment').on(table.managedEnvironmentId),
  ],
);

/** What Argo CD last said: its whole status as YAML, compressed with gzip. */
export const applicationState = pgTable(
  'application_state',
  {
    applicationId: text('application_id')
      .primaryKey()
      .references(() => application.id),
    argocdApplicationStatus: bytea('argocd_application_status'),
    /** When Argo CD was last heard with anything new. */
    observedAt: timestamp('observed_at', { withTimezone: true }).notNull().defaultNow(),
    /** The gist of it, for whoever waits for a deployment. */
    syncStatus: text('sync_status').notNull().default(''),
    health: text().notNull().default(''),
    revision: text().notNull().default(''),
    operation: text().notNull().default(''),
    trouble: text().notNull().default(''),
    /** What it has compared with what. */
    compared: jsonb(),
  },
  (table) => [
    limited('application_state', table.argocdApplicationStatus, 262_144),
    limited('application_state', table.syncStatus, 512),
    limited('application_state', table.health, 512),
    limited('application_state', table.revision, 1_024),
    limited('application_state', table.operation, 512),
    limited('application_state', table.trouble, 8_192),
  ],
);

export const applicationOwner = pgTable(
  'application_owner',
  {
    applicationId: text('application_id')
      .notNull()
      .references(() => application.id),
    userId: text('user_id')
      .notNull()
      .references(() => clusterUser.id),
    seqId: seqId(),
    createdOn: createdOn(),
  },
  (table) => [
    primaryKey({ columns: [table.applicationId, table.userId] }),
    index('application_owner_user').on(table.userId),
  ],
);

const desiredStates = ['Running', 'Terminated'] as const;
const phases = ['', 'Running', 'Terminating', 'Succeeded', 'Failed', 'Error'] as const;

/** A sync that a user asked for. */
export const syncOperation = pgTable(
  'sync_operation',
  {
    id: id(),
    seqId: seqId(),
    createdOn: createdOn(),
    /** Null when the application is gone. */
    applicationId: text('application_id').references(() => application.id),
    deploymentName: text('deployment_name').notNull(),
    revision: text().notNull(),
    desiredState: text('desired_state', { enum: desiredStates }).notNull(),
    phase: text({ enum: phases }).notNull().default(''),
    message: text().notNull().default(''),
    requestedAt: timestamp('requested_at', { withTimezone: true }),
    finishedAt: timestamp('finished_at', { withTimezone: true }),
    /** What the user asked for, word for word; empty: whatever the deployment says. */
    revisionId: text('revision_id').notNull().default(''),
  },
  (table) => [
    required('sync_operation', table.id, 48),
    required('sync_operation', table.deploymentName, 256),
    required('sync_operation', table.revision, 256),
    oneOf('sync_operation', table.desiredState, desiredStates),
    oneOf('sync_operation', table.phase, phases),
    limited('sync_operation', table.message, 4_096),
    limited('sync_operation', table.revisionId, 256),
    index('sync_operation_application').on(table.applicationId),
    uniqueIndex('sync_operation_under_way')
      .on(table.applicationId)
      .where(sql`${table.requestedAt} is not null and ${table.finishedAt} is null`),
  ],
);
