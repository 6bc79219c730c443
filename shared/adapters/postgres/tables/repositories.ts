import { sql } from 'drizzle-orm';
import { bigint, boolean, index, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, limited, required, sealed } from './columns.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });
const inOrderOfTheApi = sql`((namespace || '/' || name || ' ' || id) collate "C")`;

/** A branch of a repository that we write to. */
export const gitopsRepository = pgTable(
  'gitops_repository',
  {
    id: id(),
    namespace: text().notNull(),
    url: text().notNull(),
    branch: text().notNull(),
    made: boolean().notNull(),
    checkedAt: instant('checked_at').notNull().defaultNow(),
  },
  (table) => [
    required('gitops_repository', table.id, 64),
    required('gitops_repository', table.namespace, 96),
    required('gitops_repository', table.url, 512),
    required('gitops_repository', table.branch, 1024),
    index('gitops_repository_namespace').on(table.namespace),
  ],
);

/** An Application: where it is kept, and the state of it that was frozen last. */
export const applicationPlace = pgTable(
  'application_place',
  {
    id: id(),
    namespace: text().notNull(),
    name: text().notNull(),
    repositoryId: text('repository_id').references(() => gitopsRepository.id),
    context: text().notNull().default(''),
    sequence: bigint({ mode: 'number' }).notNull().default(0),
    snapshot: text().notNull().default(''),
    digest: text().notNull().default(''),
    frozen: jsonb().notNull().default([]),
  },
  (table) => [
    required('application_place', table.id, 48),
    required('application_place', table.namespace, 96),
    required('application_place', table.name, 256),
    index('application_place_place').on(table.namespace, table.name),
    index('application_place_repository').on(table.repositoryId).where(sql`${table.repositoryId} is not null`),
    index('application_place_listed').on(inOrderOfTheApi),
  ],
);

/** A Component that has, or had, a directory in a repository. */
export const componentPlace = pgTable(
  'component_place',
  {
    id: id(),
    namespace: text().notNull(),
    name: text().notNull(),
    application: text().notNull(),
    repositoryId: text('repository_id').references(() => gitopsRepository.id),
    context: text().notNull().default(''),
    gone: boolean().notNull().default(false),
  },
  (table) => [
    required('component_place', table.id, 48),
    required('component_place', table.namespace, 96),
    required('component_place', table.name, 256),
    index('component_place_place').on(table.namespace, table.name),
    index('component_place_repository').on(table.repositoryId).where(sql`${table.repositoryId} is not null`),
    index('component_place_listed').on(inOrderOfTheApi),
  ],
);

/** What a Binding wants to stand in the repository, and what stands there. */
export const bindingOverlay = pgTable(
  'binding_overlay',
  {
    id: id(),
    namespace: text().notNull(),
    name: text().notNull(),
    application: text().notNull(),
    environment: text().notNull(),
    repositoryId: text('repository_id')
      .notNull()
      .references(() => gitopsRepository.id),
    context: text().notNull(),
    gone: boolean().notNull().default(false),
    snapshot: text().notNull(),
    generation: bigint({ mode: 'number' }).notNull(),
    promotion: text().notNull().default(''),
    promotionId: text('promotion_id').notNull().default(''),
    wanted: sealed(),
    wantedDigest: text('wanted_digest').notNull(),
    requestedAt: instant('requested_at').notNull().defaultNow(),
    cause: text().notNull().default(''),
    rendered: sealed(),
    renderedDigest: text('rendered_digest'),
    renderedContext: text('rendered_context'),
    results: jsonb().notNull().default([]),
    commitId: text('commit_id'),
    renderedAt: instant('rendered_at'),
    troubleReason: text('trouble_reason'),
    troubleMessage: text('trouble_message'),
    troubleSince: instant('trouble_since'),
    troubleAt: instant('trouble_at'),
  },
  (table) => [
    required('binding_overlay', table.id, 48),
    required('binding_overlay', table.namespace, 96),
    required('binding_overlay', table.name, 256),
    limited('binding_overlay', table.promotionId, 48),
    index('binding_overlay_place').on(table.namespace, table.name),
    index('binding_overlay_pair').on(table.namespace, table.application, table.environment),
    index('binding_overlay_repository').on(table.repositoryId),
    index('binding_overlay_pending')
      .on(table.repositoryId)
      .where(sql`${table.renderedDigest} is distinct from ${table.wantedDigest}`),
    index('binding_overlay_listed').on(inOrderOfTheApi),
  ],
);

/** The commits that we pushed; in a line each one is the parent of the next. */
export const pushedCommit = pgTable(
  'pushed_commit',
  {
    repositoryId: text('repository_id').notNull(),
    commitId: text('commit_id').notNull(),
    line: text().notNull(),
    position: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.repositoryId, table.commitId] }),
    uniqueIndex('pushed_commit_line').on(table.repositoryId, table.line, table.position),
  ],
);

/** Which commit was made of which snapshots, and the other way round. */
export const snapshotCommit = pgTable(
  'snapshot_commit',
  {
    repositoryId: text('repository_id').notNull(),
    commitId: text('commit_id').notNull(),
    bindingId: text('binding_id').notNull(),
    namespace: text().notNull(),
    application: text().notNull(),
    environment: text().notNull(),
    snapshot: text().notNull(),
    generation: bigint({ mode: 'number' }).notNull(),
    promotion: text().notNull().default(''),
    url: text().notNull(),
    branch: text().notNull(),
    committedAt: instant('committed_at').notNull().defaultNow(),
    promotionId: text('promotion_id').notNull().default(''),
  },
  (table) => [
    primaryKey({ columns: [table.repositoryId, table.commitId, table.bindingId, table.snapshot] }),
    limited('snapshot_commit', table.promotionId, 48),
    index('snapshot_commit_snapshot').on(table.namespace, table.snapshot),
    index('snapshot_commit_commit').on(table.commitId),
    index('snapshot_commit_environment').on(
      table.namespace,
      table.application,
      table.environment,
      table.committedAt.desc().nullsFirst(),
    ),
  ],
);
