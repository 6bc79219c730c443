import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { gitopsEngineInstance } from './cluster.ts';
import { clusterUser } from './cluster-user.ts';
import { createdOn, id, limited, oneOf, required, seqId } from './columns.ts';

const resourceTypes = [
  'ManagedEnvironment',
  'SyncOperation',
  'Application',
  'RepositoryCredentials',
  'GitOpsEngineInstance',
] as const;
const states = ['Waiting', 'In_Progress', 'Completed', 'Failed'] as const;

/** What the side of Argo CD is asked to do. */
export const operation = pgTable(
  'operation',
  {
    id: id(),
    seqId: seqId(),
    instanceId: text('instance_id')
      .notNull()
      .references(() => gitopsEngineInstance.id),
    resourceId: text('resource_id').notNull(),
    resourceType: text('resource_type', { enum: resourceTypes }).notNull(),
    ownerUserId: text('owner_user_id').references(() => clusterUser.id),
    createdOn: createdOn(),
    lastStateUpdate: timestamp('last_state_update', { withTimezone: true }).notNull().defaultNow(),
    state: text({ enum: states }).notNull().default('Waiting'),
    humanReadableState: text('human_readable_state').notNull().default(''),
    /** Seconds after the last change of state; 0 means that it is not collected. */
    gcExpirationTime: integer('gc_expiration_time').notNull().default(0),
    /** Who is to be told when it has ended, for when its rows are gone. */
    deploymentName: text('deployment_name'),
  },
  (table) => [
    required('operation', table.id, 48),
    required('operation', table.resourceId, 48),
    oneOf('operation', table.resourceType, resourceTypes),
    oneOf('operation', table.state, states),
    limited('operation', table.humanReadableState, 1_024),
    limited('operation', table.deploymentName, 256),
    check('operation_gc_expiration_time_value', sql`${table.gcExpirationTime} >= 0`),
    index('operation_resource').on(table.resourceId, table.resourceType, table.ownerUserId),
    index('operation_instance').on(table.instanceId),
    index('operation_owner').on(table.ownerUserId),
    index('operation_open').on(table.ownerUserId).where(sql`${table.state} in ('Waiting', 'In_Progress')`),
  ],
);
