import type { Sql } from 'postgres';
import type { OverlayInput } from '../../../domain/overlay/overlay.ts';
import type { LeavingComponent, OverlayRows, RepositoryRow, RepositoryWork } from '../../../ports/overlay-rows.ts';
import type { Cipher } from '../cipher.ts';
import { asJson, asParameter } from '../keepable.ts';
import { sqlWrite } from '../row-write.ts';
import { asked } from '../translate.ts';
import { columns, milliseconds, type Opener, pendingOf, type Row, storedOf } from './overlay-row.ts';

const table = 'binding_overlay';

/** A drift pass asks for every repository, and knocks that came too late ask as well: once in a while is enough. */
const checkMinutes = 10;

/** Who asks how much was written lately wants to know whether many write now. */
const latelySeconds = 10;

type LatelyRow = Omit<RepositoryWork['lately'], 'lastAt'> & { readonly lastAt: number | null };

const noTrouble = 'trouble_reason = null, trouble_message = null, trouble_since = null, trouble_at = null';

/** What stands in one repository does not stand in another one. */
const kept = (column: string, otherwise = 'null', unless = ''): string =>
  `case when o.repository_id = excluded.repository_id ${unless} then ${column} else ${otherwise} end`;

const certainResults = `(select coalesce(jsonb_agg(r.one order by r.place), '[]')
  from jsonb_array_elements(o.results) with ordinality r (one, place) where $15::text::jsonb ? (r.one->>'component'))`;

export function openOverlayRows(sql: Sql, cipher: Cipher): OverlayRows {
  function seal(id: string, column: 'wanted' | 'rendered', inputs: readonly OverlayInput[]): Uint8Array {
    return cipher.seal(JSON.stringify(inputs), { table, column, id });
  }
  const open: Opener = (id, column, sealed) =>
    sealed === null ? [] : (JSON.parse(cipher.open(sealed, { table, column, id })) as OverlayInput[]);

  function read<Answer extends object>(text: string, parameters: readonly (string | boolean)[]): Promise<Answer[]> {
    return asked('read', async () => [
      ...(await sql.unsafe<Answer[]>(text, parameters.map(asParameter), { prepare: true })),
    ]);
  }

  return {
    async observe({ namespace, name }) {
      const rows = await read<Row>(
        `select ${columns} from ${table} where namespace = $1 and name = $2 order by requested_at, id`,
        [namespace, name],
      );
      return rows.map((row) => storedOf(row, open));
    },

    async rivals({ namespace, application, environment }) {
      const rows = await read<{ name: string }>(
        `select distinct name from ${table}
         where namespace = $1 and application = $2 and environment = $3 and not gone order by name`,
        [namespace, application, environment],
      );
      return rows.map(({ name }) => name);
    },

    want(overlay) {
      const { uid, namespace, name, application, environment, repositoryId, context, standing = [] } = overlay;
      return sqlWrite(
        // Whoever writes what was wanted before this may be at it, or have died of it: nobody can tell then what stands.
        `insert into ${table} as o (id, namespace, name, application, environment, repository_id, context, snapshot, generation,
           promotion, wanted, wanted_digest, cause, rendered, promotion_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $16)
         on conflict (id) do update set repository_id = excluded.repository_id, context = excluded.context,
           snapshot = excluded.snapshot, generation = excluded.generation, promotion = excluded.promotion,
           promotion_id = excluded.promotion_id,
           wanted = excluded.wanted, wanted_digest = excluded.wanted_digest, cause = excluded.cause, gone = false,
           rendered = excluded.rendered, rendered_context = ${kept('o.rendered_context')}, commit_id = ${kept('o.commit_id')},
           rendered_digest = ${kept('o.rendered_digest', 'null', 'and not o.gone and o.rendered_digest = o.wanted_digest')},
           results = ${kept(certainResults, "'[]'", 'and not o.gone')}, requested_at = clock_timestamp(), ${noTrouble}
         where (o.repository_id, o.context, o.snapshot, o.generation, o.promotion, o.promotion_id, o.wanted_digest, o.cause,
             o.gone) is distinct from
           (excluded.repository_id, excluded.context, excluded.snapshot, excluded.generation, excluded.promotion,
            excluded.promotion_id, excluded.wanted_digest, excluded.cause, false)`,
        [
          uid,
          namespace,
          name,
          application,
          environment,
          repositoryId,
          context,
          overlay.snapshot,
          overlay.generation,
          overlay.promotion,
          seal(uid, 'wanted', overlay.inputs),
          overlay.digest,
          overlay.cause,
          standing.length === 0 ? null : seal(uid, 'rendered', standing),
          asJson(overlay.certain ?? []),
          overlay.promotionUid,
        ],
      );
    },

    leave: (uid) =>
      sqlWrite(
        `update ${table} set gone = true, wanted_digest = '', requested_at = clock_timestamp(), ${noTrouble}
         where id = $1 and not gone`,
        [uid],
      ),

    forget: (uid) => sqlWrite(`delete from ${table} where id = $1`, [uid]),

    async work(repositoryId, { whole }) {
      const [[found], rows, leaving] = await Promise.all([
        read<RepositoryRow & { readonly isCheckDue: boolean; readonly lately: LatelyRow }>(
          `select id, namespace, url, branch, made as "isMade", checked_at < clock_timestamp() - interval '${checkMinutes} minutes' as "isCheckDue",
             (select jsonb_build_object('now', ${milliseconds('clock_timestamp()')}, 'commits', count(distinct o.commit_id),
               'lastAt', ${milliseconds('max(o.rendered_at)')}) from ${table} o where o.repository_id = r.id
               and o.rendered_at > clock_timestamp() - interval '${latelySeconds} seconds') as lately
           from gitops_repository r where id = $1`,
          [repositoryId],
        ),
        // Where one leaves a directory that another one has, the other is looked at again behind it: a Binding of the same
        // name or pair after one that is gone, or the one of the application that a component has moved to.
        read<Row>(
          `select ${columns} from ${table} o
           where repository_id = $1 and (rendered_digest is distinct from wanted_digest or $2 or exists (
             select from ${table} g where g.repository_id = $1 and g.environment = o.environment
               and (g.gone or (g.application <> o.application and g.rendered_digest is distinct from g.wanted_digest))))
           order by namespace, name, id`,
          [repositoryId, whole],
        ),
        // One that came back under its name has the directory again. One that somebody holds who wants nothing else is no
        // work: it may be held for months, and the repository is to be looked at as a whole meanwhile.
        read<LeavingComponent>(
          `select c.id as uid, c.name, c.context, h.holders from component_place c cross join lateral (
             select coalesce(array_agg(o.id order by o.id), '{}') as holders,
               coalesce(bool_or(not o.gone and o.rendered_digest is not distinct from o.wanted_digest), false) as held
             from ${table} o where o.repository_id = c.repository_id and coalesce(o.rendered_context, o.context) = c.context
               and o.results @> jsonb_build_array(jsonb_build_object('component', c.name))) h
           where c.repository_id = $1 and c.gone and not h.held and not exists (
             select from component_place k where k.repository_id = c.repository_id and k.context = c.context
               and k.name = c.name and not k.gone) order by c.name, c.id`,
          [repositoryId],
        ),
      ]);
      if (found === undefined) return undefined;
      const { isCheckDue, lately, ...repository } = found;
      return {
        repository,
        leaving,
        isCheckDue,
        lately: { ...lately, lastAt: lately.lastAt ?? undefined },
        overlays: rows.map((row) => pendingOf(row, open)),
      };
    },

    rendered({ url, branch }, { overlay, results, commit }) {
      const { uid, repositoryId, context, digest } = overlay;
      if (overlay.isGone) return [sqlWrite(`delete from ${table} where id = $1 and gone`, [uid])];
      const written = sqlWrite(
        `update ${table} set rendered = $2, rendered_digest = $3, rendered_context = $4, results = $5::text::jsonb, commit_id = $6,
           rendered_at = clock_timestamp(), ${noTrouble}
         where id = $1 and repository_id = $7 and (trouble_reason is not null
           or (rendered_digest, rendered_context, results, commit_id) is distinct from ($3, $4, $5::text::jsonb, $6))`,
        [uid, seal(uid, 'rendered', overlay.inputs), digest, context, asJson(results), commit ?? null, repositoryId],
      );
      if (commit === undefined) return [written];
      return [
        written,
        sqlWrite(
          `insert into snapshot_commit (repository_id, commit_id, binding_id, namespace, application, environment, snapshot,
             generation, promotion, url, branch, promotion_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing`,
          [
            repositoryId,
            commit,
            uid,
            overlay.namespace,
            overlay.application,
            overlay.environment,
            overlay.snapshot,
            overlay.generation,
            overlay.promotion,
            url,
            branch,
            overlay.promotionUid,
          ],
        ),
      ];
    },

    // Where the parent is not the last of a line, somebody else has moved the branch, or we died after a push.
    pushed: (repositoryId, { commit, parent }) =>
      sqlWrite(
        `insert into pushed_commit (repository_id, commit_id, line, position)
         select $1, $2, coalesce(p.line, $2), coalesce(p.position + 1, 0)
         from (values (true)) one left join pushed_commit p on p.repository_id = $1 and p.commit_id = $3
           and not exists (select from pushed_commit n where n.repository_id = $1 and n.line = p.line and n.position = p.position + 1)
         on conflict do nothing`,
        [repositoryId, commit, parent ?? null],
      ),

    pruned: ({ uid }) => sqlWrite('delete from component_place where id = $1 and gone', [uid]),

    refused: ({ uid, digest }, { reason, message }) =>
      sqlWrite(
        `update ${table} set trouble_reason = $2, trouble_message = $3, trouble_at = statement_timestamp(),
           trouble_since = case when trouble_reason = $2 then trouble_since else statement_timestamp() end
         where id = $1 and wanted_digest = $4`,
        [uid, reason, message, digest],
      ),

    checked: (repositoryId) =>
      sqlWrite('update gitops_repository set checked_at = clock_timestamp() where id = $1', [repositoryId]),
  };
}
