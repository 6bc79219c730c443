import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
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
  },
  (table) => [
    required('application', table.id, 48),
    required('application', table.name, 256),
    required('application', table.specField, 65_536),
    index('application_engine_instance').on(table.engineInstanceId),
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
  },
  (table) => [limited('application_state', table.argocdApplicationStatus, 262_144)],
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
  },
  (table) => [
    required('sync_operation', table.id, 48),
    required('sync_operation', table.deploymentName, 256),
    required('sync_operation', table.revision, 256),
    oneOf('sync_operation', table.desiredState, desiredStates),
    index('sync_operation_application').on(table.applicationId),
  ],
);
