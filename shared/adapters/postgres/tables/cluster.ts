import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, timestamp, unique } from 'drizzle-orm/pg-core';
import { createdOn, id, limited, oneOf, required, sealed, seqId } from './columns.ts';

export const clusterCredentials = pgTable(
  'cluster_credentials',
  {
    id: id(),
    seqId: seqId(),
    createdOn: createdOn(),
    host: text(),
    kubeConfig: sealed('kube_config'),
    kubeConfigContext: text('kube_config_context'),
    serviceAccountBearerToken: sealed('service_account_bearer_token'),
    serviceAccountNamespace: text('service_account_namespace'),
    allowInsecureSkipTlsVerify: boolean('allow_insecure_skip_tls_verify').notNull().default(false),
    /** Separated by commas; empty means all. */
    namespaces: text().notNull().default(''),
    clusterResources: boolean('cluster_resources').notNull().default(false),
    /** The cluster that Argo CD runs in: no credentials are needed. */
    local: boolean().notNull().default(false),
    /** PEM; no secret. */
    certificateAuthority: text('certificate_authority'),
  },
  (table) => [
    required('cluster_credentials', table.id, 48),
    limited('cluster_credentials', table.host, 512),
    limited('cluster_credentials', table.kubeConfig, 65_064),
    limited('cluster_credentials', table.kubeConfigContext, 64),
    limited('cluster_credentials', table.serviceAccountBearerToken, 8_256),
    limited('cluster_credentials', table.serviceAccountNamespace, 128),
    limited('cluster_credentials', table.namespaces, 4_096),
    limited('cluster_credentials', table.certificateAuthority, 65_536),
    check(
      'cluster_credentials_local_has_no_secrets',
      sql`not ${table.local} or (${table.kubeConfig} is null and ${table.serviceAccountBearerToken} is null)`,
    ),
  ],
);

/** A cluster that runs Argo CD. */
export const gitopsEngineCluster = pgTable(
  'gitops_engine_cluster',
  {
    id: id(),
    seqId: seqId(),
    clusterCredentialsId: text('cluster_credentials_id')
      .notNull()
      .references(() => clusterCredentials.id),
  },
  (table) => [
    required('gitops_engine_cluster', table.id, 48),
    index('gitops_engine_cluster_credentials').on(table.clusterCredentialsId),
  ],
);

const transports = ['queue', 'agent'] as const;

/** One installation of Argo CD. */
export const gitopsEngineInstance = pgTable(
  'gitops_engine_instance',
  {
    id: id(),
    seqId: seqId(),
    namespaceName: text('namespace_name').notNull(),
    namespaceUid: text('namespace_uid').notNull(),
    engineClusterId: text('engine_cluster_id')
      .notNull()
      .references(() => gitopsEngineCluster.id),
    /** By whom it is told: by us, or by its own agent. */
    transport: text({ enum: transports }).notNull().default('queue'),
    acceptsTenants: boolean('accepts_tenants').notNull().default(true),
  },
  (table) => [
    required('gitops_engine_instance', table.id, 48),
    required('gitops_engine_instance', table.namespaceName, 63),
    required('gitops_engine_instance', table.namespaceUid, 48),
    oneOf('gitops_engine_instance', table.transport, transports),
    unique('gitops_engine_instance_namespace').on(table.namespaceName, table.namespaceUid, table.engineClusterId),
    index('gitops_engine_instance_cluster').on(table.engineClusterId),
  ],
);

/** Where a tenant deploys to. */
export const managedEnvironment = pgTable(
  'managed_environment',
  {
    id: id(),
    seqId: seqId(),
    createdOn: createdOn(),
    name: text().notNull(),
    clusterCredentialsId: text('cluster_credentials_id')
      .notNull()
      .references(() => clusterCredentials.id),
  },
  (table) => [
    required('managed_environment', table.id, 48),
    required('managed_environment', table.name, 256),
    index('managed_environment_credentials').on(table.clusterCredentialsId),
  ],
);

/** A ServiceAccount that was made on a tenant's cluster; the row stays until the account is gone again. */
export const targetServiceAccount = pgTable(
  'target_service_account',
  {
    id: id(),
    seqId: seqId(),
    createdOn: createdOn(),
    namespace: text().notNull(),
    name: text().notNull(),
    host: text().notNull(),
    certificateAuthority: text('certificate_authority'),
    allowInsecureSkipTlsVerify: boolean('allow_insecure_skip_tls_verify').notNull().default(false),
    bearerToken: sealed('bearer_token'),
    /** Set when the environment is gone and the account has to go, too. */
    unwantedSince: timestamp('unwanted_since', { withTimezone: true }),
  },
  (table) => [
    required('target_service_account', table.id, 48),
    required('target_service_account', table.namespace, 63),
    required('target_service_account', table.name, 253),
    required('target_service_account', table.host, 512),
    limited('target_service_account', table.certificateAuthority, 65_536),
    limited('target_service_account', table.bearerToken, 8_256),
  ],
);
