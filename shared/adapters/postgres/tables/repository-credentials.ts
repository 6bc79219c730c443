import { bigint, index, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { gitopsEngineInstance } from './cluster.ts';
import { clusterUser } from './cluster-user.ts';
import { createdOn, id, limited, required, sealed, seqId } from './columns.ts';

/** What opens a private repository. */
export const repositoryCredentials = pgTable(
  'repository_credentials',
  {
    id: id(),
    seqId: seqId(),
    createdOn: createdOn(),
    userId: text('user_id')
      .notNull()
      .references(() => clusterUser.id),
    url: text().notNull(),
    authUsername: sealed('auth_username'),
    authPassword: sealed('auth_password'),
    authSshKey: sealed('auth_ssh_key'),
    secretName: text('secret_name').notNull(),
    engineInstanceId: text('engine_instance_id')
      .notNull()
      .references(() => gitopsEngineInstance.id),
    revision: bigint({ mode: 'number' }).notNull().default(1),
    appliedRevision: bigint('applied_revision', { mode: 'number' }).notNull().default(0),
    /** When it last opened its repository. */
    validatedAt: timestamp('validated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    required('repository_credentials', table.id, 48),
    required('repository_credentials', table.url, 512),
    limited('repository_credentials', table.authUsername, 320),
    limited('repository_credentials', table.authPassword, 8_256),
    limited('repository_credentials', table.authSshKey, 16_448),
    required('repository_credentials', table.secretName, 253),
    index('repository_credentials_user').on(table.userId),
    index('repository_credentials_engine_instance').on(table.engineInstanceId),
  ],
);
