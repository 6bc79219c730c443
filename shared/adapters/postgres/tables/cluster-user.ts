import { index, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { gitopsEngineInstance, managedEnvironment } from './cluster.ts';
import { createdOn, id, limited, required, seqId } from './columns.ts';

/** One row per namespace of the API: the user name is the namespace's UID, the display name its name. */
export const clusterUser = pgTable(
  'cluster_user',
  {
    id: id(),
    seqId: seqId(),
    createdOn: createdOn(),
    userName: text('user_name').notNull(),
    displayName: text('display_name'),
    /** The Argo CD that the tenant was placed on. */
    engineInstanceId: text('engine_instance_id').references(() => gitopsEngineInstance.id),
  },
  (table) => [
    required('cluster_user', table.id, 48),
    required('cluster_user', table.userName, 256),
    limited('cluster_user', table.displayName, 128),
    unique('cluster_user_user_name').on(table.userName),
    index('cluster_user_engine_instance').on(table.engineInstanceId),
    index('cluster_user_display_name').on(table.displayName),
  ],
);

/** This user may use this environment through this Argo CD. */
export const clusterAccess = pgTable(
  'cluster_access',
  {
    userId: text('user_id')
      .notNull()
      .references(() => clusterUser.id),
    managedEnvironmentId: text('managed_environment_id')
      .notNull()
      .references(() => managedEnvironment.id),
    gitopsEngineInstanceId: text('gitops_engine_instance_id')
      .notNull()
      .references(() => gitopsEngineInstance.id),
    seqId: seqId(),
    createdOn: createdOn(),
    /** The credentials that the cluster Secret was last written from. */
    appliedCredentialsId: text('applied_credentials_id'),
  },
  (table) => [
    limited('cluster_access', table.appliedCredentialsId, 48),
    primaryKey({ columns: [table.userId, table.managedEnvironmentId, table.gitopsEngineInstanceId] }),
    index('cluster_access_user_instance').on(table.userId, table.gitopsEngineInstanceId),
    index('cluster_access_managed_environment').on(table.managedEnvironmentId),
    index('cluster_access_instance').on(table.gitopsEngineInstanceId),
  ],
);
