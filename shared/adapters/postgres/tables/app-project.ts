import { index, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { gitopsEngineInstance, managedEnvironment } from './cluster.ts';
import { clusterUser } from './cluster-user.ts';
import { createdOn, id, limited, required, seqId } from './columns.ts';

/** A repository that a user may deploy from. */
export const appProjectRepository = pgTable(
  'app_project_repository',
  {
    id: id(),
    seqId: seqId(),
    createdOn: createdOn(),
    clusterUserId: text('cluster_user_id')
      .notNull()
      .references(() => clusterUser.id),
    repoUrl: text('repo_url').notNull(),
  },
  (table) => [
    required('app_project_repository', table.id, 48),
    required('app_project_repository', table.repoUrl, 512),
    unique('app_project_repository_user_url').on(table.clusterUserId, table.repoUrl),
  ],
);

/** An environment that a user may deploy to; an environment has one owner. */
export const appProjectManagedEnvironment = pgTable(
  'app_project_managed_environment',
  {
    id: id(),
    seqId: seqId(),
    createdOn: createdOn(),
    clusterUserId: text('cluster_user_id')
      .notNull()
      .references(() => clusterUser.id),
    managedEnvironmentId: text('managed_environment_id')
      .notNull()
      .references(() => managedEnvironment.id),
  },
  (table) => [
    required('app_project_managed_environment', table.id, 48),
    unique('app_project_managed_environment_environment').on(table.managedEnvironmentId),
    index('app_project_managed_environment_user').on(table.clusterUserId),
  ],
);

/** An environment that is gone, beside an Argo CD where Applications may still be deployed to it. */
export const leftEnvironment = pgTable(
  'left_environment',
  {
    id: text().notNull(),
    engineInstanceId: text('engine_instance_id')
      .notNull()
      .references(() => gitopsEngineInstance.id),
    clusterUserId: text('cluster_user_id')
      .notNull()
      .references(() => clusterUser.id),
    createdOn: createdOn(),
    /** Separated by commas; empty means all. */
    namespaces: text().notNull().default(''),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.engineInstanceId] }),
    required('left_environment', table.id, 48),
    limited('left_environment', table.namespaces, 4_096),
    index('left_environment_engine_instance').on(table.engineInstanceId),
    index('left_environment_user').on(table.clusterUserId),
  ],
);

/** The fence around a tenant's applications, as it was last written beside that Argo CD. */
export const argoProject = pgTable(
  'argo_project',
  {
    clusterUserId: text('cluster_user_id')
      .notNull()
      .references(() => clusterUser.id),
    engineInstanceId: text('engine_instance_id')
      .notNull()
      .references(() => gitopsEngineInstance.id),
    digest: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clusterUserId, table.engineInstanceId] }),
    required('argo_project', table.digest, 64),
    index('argo_project_engine_instance').on(table.engineInstanceId),
  ],
);
