import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { application } from './application.ts';
import { id, limited, oneOf, required, seqId } from './columns.ts';

/** From a GitOpsDeployment, whose UID is the id, to its application. */
export const deploymentToApplicationMapping = pgTable(
  'deployment_to_application_mapping',
  {
    id: id(),
    seqId: seqId(),
    name: text().notNull(),
    namespace: text().notNull(),
    namespaceUid: text('namespace_uid').notNull(),
    applicationId: text('application_id')
      .notNull()
      .references(() => application.id),
    /** The value of the annotation stagecoach.dev/reconcile-at that was last acted upon. */
    reconcileAt: text('reconcile_at').notNull().default(''),
  },
  (table) => [
    limited('deployment_mapping', table.reconcileAt, 256),
    required('deployment_mapping', table.id, 48),
    required('deployment_mapping', table.name, 256),
    required('deployment_mapping', table.namespace, 96),
    required('deployment_mapping', table.namespaceUid, 48),
    unique('deployment_to_application_mapping_application').on(table.applicationId),
    index('deployment_to_application_mapping_namespace').on(table.namespaceUid),
    index('deployment_to_application_mapping_name').on(table.name, table.namespace, table.namespaceUid),
    index('deployment_to_application_mapping_place').on(sql`((namespace || '/' || name || ' ' || id) collate "C")`),
  ],
);

const kubernetesTypes = ['Namespace'] as const;
const kubernetesRelations = ['ManagedEnvironment', 'GitopsEngineCluster', 'GitopsEngineInstance'] as const;

/** From the UID of a namespace to a row. For a cluster the namespace is kube-system. */
export const kubernetesToDbResourceMapping = pgTable(
  'kubernetes_to_db_resource_mapping',
  {
    kubernetesResourceType: text('kubernetes_resource_type', { enum: kubernetesTypes }).notNull(),
    kubernetesResourceUid: text('kubernetes_resource_uid').notNull(),
    dbRelationType: text('db_relation_type', { enum: kubernetesRelations }).notNull(),
    dbRelationKey: text('db_relation_key').notNull(),
    seqId: seqId(),
  },
  (table) => {
    const { kubernetesResourceType: type, kubernetesResourceUid: uid, dbRelationType, dbRelationKey } = table;
    return [
      primaryKey({ columns: [type, uid, dbRelationType, dbRelationKey] }),
      unique('kubernetes_to_db_resource_mapping_relation').on(dbRelationType, dbRelationKey, type),
      unique('kubernetes_to_db_resource_mapping_resource').on(type, uid, dbRelationType),
      oneOf('kubernetes_mapping', type, kubernetesTypes),
      required('kubernetes_mapping', uid, 64),
      oneOf('kubernetes_mapping', dbRelationType, kubernetesRelations),
      required('kubernetes_mapping', dbRelationKey, 64),
    ];
  },
);

const apiTypes = [
  'GitOpsDeploymentManagedEnvironment',
  'GitOpsDeploymentSyncRun',
  'GitOpsDeploymentRepositoryCredential',
  'Application',
] as const;
const apiRelations = ['ManagedEnvironment', 'SyncOperation', 'RepositoryCredential'] as const;

/** From a resource of the API to a row. */
export const apiCrToDatabaseMapping = pgTable(
  'api_cr_to_database_mapping',
  {
    apiResourceType: text('api_resource_type', { enum: apiTypes }).notNull(),
    apiResourceUid: text('api_resource_uid').notNull(),
    apiResourceName: text('api_resource_name').notNull(),
    apiResourceNamespace: text('api_resource_namespace').notNull(),
    apiResourceNamespaceUid: text('api_resource_namespace_uid').notNull(),
    dbRelationType: text('db_relation_type', { enum: apiRelations }).notNull(),
    dbRelationKey: text('db_relation_key').notNull(),
    seqId: seqId(),
  },
  (table) => {
    const { apiResourceType: type, apiResourceUid: uid, dbRelationType, dbRelationKey } = table;
    const { apiResourceName: name, apiResourceNamespace: namespace, apiResourceNamespaceUid: namespaceUid } = table;
    return [
      primaryKey({ columns: [type, uid, dbRelationType, dbRelationKey] }),
      unique('api_cr_to_database_mapping_resource').on(type, uid, dbRelationType),
      unique('api_cr_to_database_mapping_relation').on(dbRelationType, dbRelationKey, type),
      index('api_cr_to_database_mapping_name').on(type, name, namespace, namespaceUid, dbRelationType),
      index('api_cr_to_database_mapping_namespace').on(namespaceUid),
      index('api_cr_to_database_mapping_place').on(
        type,
        sql`((api_resource_namespace || '/' || api_resource_name || ' ' || api_resource_uid) collate "C")`,
      ),
      oneOf('api_cr_mapping', type, apiTypes),
      required('api_cr_mapping', uid, 64),
      required('api_cr_mapping', name, 256),
      required('api_cr_mapping', namespace, 256),
      required('api_cr_mapping', namespaceUid, 64),
      oneOf('api_cr_mapping', dbRelationType, apiRelations),
      required('api_cr_mapping', dbRelationKey, 64),
    ];
  },
);
