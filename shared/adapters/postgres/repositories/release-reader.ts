import type { Sql } from 'postgres';
import type { Release, ReleaseReader, SnapshotUse, WrittenRepository } from '../../../ports/release-reader.ts';
import { asked } from '../translate.ts';

type ReleaseRow = Omit<Release, 'at'> & { readonly at: Date };

interface RepositoryRow extends Pick<WrittenRepository, 'namespace' | 'url' | 'branch' | 'isMade'> {
  readonly bindings: readonly string[];
  readonly waiting: readonly string[];
  readonly waitingSince: Date | null;
  readonly reason: string | null;
  readonly message: string | null;
  readonly since: Date | null;
  readonly commit: string | null;
  readonly committedAt: Date | null;
}

/** Reads what migrations/0006_repositories.sql keeps, and writes nothing. */
export function openReleaseReader(sql: Sql): ReleaseReader {
  const releaseColumns = sql`
    commit_id as commit, url, branch, namespace, snapshot, application, environment, generation::float8, promotion,
    committed_at as at`;
  const isWaiting = sql`rendered_digest is distinct from wanted_digest`;

  return {
    // While a Binding waits, its environment holds what the commit was made of that was rendered before.
    usesIn: (namespace) =>
      asked('read', async () => [
        ...(await sql<SnapshotUse[]>`
          with made as (
            select snapshot, count(distinct commit_id)::integer as commits
            from snapshot_commit where namespace = ${namespace} group by snapshot),
          bound as (
            select snapshot, environment, not (${isWaiting}) as stands
            from binding_overlay where namespace = ${namespace} and not gone
            union all
            select s.snapshot, o.environment, true
            from binding_overlay o join snapshot_commit s on s.commit_id = o.commit_id and s.binding_id = o.id
            where o.namespace = ${namespace} and not gone and ${isWaiting}),
          placed as (select snapshot, environment, bool_or(stands) as stands from bound group by snapshot, environment)
          select snapshot, coalesce(commits, 0) as commits,
            coalesce(array_agg(environment order by environment) filter (where stands), '{}') as "runsIn",
            coalesce(array_agg(environment order by environment) filter (where not stands), '{}') as "awaitedIn"
          from made full join placed using (snapshot) group by snapshot, commits order by snapshot`),
      ]),

    commitsOf: ({ namespace, name }) =>
      asked('read', async () => {
        const rows = await sql<ReleaseRow[]>`
          select ${releaseColumns} from snapshot_commit where namespace = ${namespace} and snapshot = ${name}
          order by committed_at desc, commit_id, application, environment`;
        return rows.map(toRelease);
      }),

    // Hex digits go before "g" in every collation: the index finds the range, whatever the database sorts by.
    madeInto: (commit) =>
      asked('read', async () => {
        const rows = await sql<ReleaseRow[]>`
          select ${releaseColumns} from snapshot_commit
          where commit_id >= ${commit} and commit_id < ${`${commit}g`} and starts_with(commit_id, ${commit})
          order by commit_id, namespace, application, environment, snapshot`;
        return rows.map(toRelease);
      }),

    // A comparison that is refused tells all Bindings. Something that one of them had written since then takes it back.
    repositories: (namespace) =>
      asked('read', async () => {
        const rows = await sql<RepositoryRow[]>`
          select r.namespace, r.url, r.branch, r.made as "isMade", kept.bindings, kept.waiting, kept."waitingSince",
            trouble.reason, trouble.message, trouble.since, last.commit, last."committedAt"
          from gitops_repository r
          cross join lateral (
            select coalesce(array_agg(distinct name order by name), '{}') as bindings,
              coalesce(array_agg(distinct name order by name) filter (where ${isWaiting}), '{}') as waiting,
              min(requested_at) filter (where ${isWaiting}) as "waitingSince", max(rendered_at) as "renderedAt"
            from binding_overlay where repository_id = r.id) kept
          left join lateral (
            select trouble_reason as reason, trouble_message as message, trouble_since as since
            from binding_overlay
            where repository_id = r.id and trouble_reason is not null
              and (${isWaiting} or trouble_at > kept."renderedAt")
            order by trouble_at desc, trouble_since, id limit 1) trouble on true
          left join lateral (
            select commit_id as commit, committed_at as "committedAt" from snapshot_commit where repository_id = r.id
            order by committed_at desc, commit_id limit 1) last on true
          ${namespace === undefined ? sql`` : sql`where r.namespace = ${namespace}`}
          order by r.namespace, r.url, r.branch, r.made`;
        return rows.map(toRepository);
      }),
  };
}

function toRelease(row: ReleaseRow): Release {
  return { ...row, at: row.at.toISOString() };
}

function toRepository(row: RepositoryRow): WrittenRepository {
  const { waitingSince, reason, message, since, commit, committedAt, ...repository } = row;
  return {
    ...repository,
    ...(waitingSince !== null && { waitingSince: waitingSince.toISOString() }),
    ...(reason !== null &&
      since !== null && { trouble: { reason, message: message ?? '', since: since.toISOString() } }),
    ...(commit !== null && committedAt !== null && { lastCommit: { commit, at: committedAt.toISOString() } }),
  };
}
