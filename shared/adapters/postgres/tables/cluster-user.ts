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
  },
  (table) => [
    required('cluster_user', table.id, 48),
    required('cluster_user', table.userName, 256),
    limited('cluster_user', table.displayName, 128),
    unique('cluster_user_user_name').on(table.userName),
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
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.managedEnvironmentId, table.gitopsEngineInstanceId] }),
    index('cluster_access_user_instance').on(table.userId, table.gitopsEngineInstanceId),
    index('cluster_access_managed_environment').on(table.managedEnvironmentId),
    index('cluster_access_instance').on(table.gitopsEngineInstanceId),
  ],
);
