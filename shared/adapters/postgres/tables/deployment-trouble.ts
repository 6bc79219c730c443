import { sql } from 'drizzle-orm';
import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { id, required } from './columns.ts';

/** A GitOpsDeployment, whose UID is the id, that something is wrong with. */
export const deploymentTrouble = pgTable(
  'deployment_trouble',
  {
    id: id(),
    namespace: text().notNull(),
    name: text().notNull(),
    since: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    required('deployment_trouble', table.id, 48),
    required('deployment_trouble', table.namespace, 96),
    required('deployment_trouble', table.name, 256),
    index('deployment_trouble_deployment').on(table.name, table.namespace),
    index('deployment_trouble_place').on(sql`((namespace || '/' || name || ' ' || id) collate "C")`),
  ],
);
