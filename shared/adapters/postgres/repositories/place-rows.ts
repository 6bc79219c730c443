import { createHash } from 'node:crypto';
import type { Sql } from 'postgres';
import type { StoredApplication } from '../../../domain/application/application.ts';
import type { StoredComponent } from '../../../domain/snapshot/component.ts';
import type { ObjectKey } from '../../../ports/cluster.ts';
import type { PlaceRows } from '../../../ports/place-rows.ts';
import { asJson, asParameter } from '../keepable.ts';
import { sqlWrite } from '../row-write.ts';
import { asked } from '../translate.ts';

interface ApplicationRow {
  readonly uid: string;
  readonly context: string;
  /** A bigint comes as text. */
  readonly sequence: string;
  readonly snapshot: string;
  readonly digest: string;
  readonly frozen: StoredApplication['frozen'];
  readonly repositoryId: string | null;
  readonly url: string;
  readonly branch: string;
  readonly isMade: boolean;
}

type ComponentRow = Omit<StoredComponent, 'repositoryId'> & { readonly repositoryId: string | null };

export function openPlaceRows(sql: Sql): PlaceRows {
  function read<Row extends object>(text: string, { namespace, name }: ObjectKey): Promise<Row[]> {
    return asked('read', async () => [
      ...(await sql.unsafe<Row[]>(text, [namespace, asParameter(name)], { prepare: true })),
    ]);
  }
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

  return {
    digest,

    async observe(application) {
      const rows = await read<ApplicationRow>(
        `select a.id as uid, a.context, a.sequence, a.snapshot, a.digest, a.frozen, r.id as "repositoryId", r.url, r.branch, r.made as "isMade"
         from application_place a left join gitops_repository r on r.id = a.repository_id
         where a.namespace = $1 and a.name = $2 order by a.id`,
        application,
      );
      return rows.map(
        ({ uid, sequence, snapshot, digest: of, frozen, repositoryId, url, branch, context, isMade }) => ({
          uid,
          sequence: Number(sequence),
          snapshot,
          digest: of,
          frozen,
          repository: repositoryId === null ? undefined : { repositoryId, url, branch, context, isMade },
        }),
      );
    },

    keep({ uid, namespace, name }, place) {
      const repositoryId = place && digest(JSON.stringify([namespace, place.url, place.branch, place.isMade]));
      const repository =
        place &&
        sqlWrite(
          `insert into gitops_repository (id, namespace, url, branch, made) values ($1, $2, $3, $4, $5) on conflict (id) do nothing`,
          [repositoryId, namespace, place.url, place.branch, place.isMade],
        );
      const application = sqlWrite(
        `insert into application_place as a (id, namespace, name, repository_id, context) values ($1, $2, $3, $4, $5)
         on conflict (id) do update set repository_id = excluded.repository_id, context = excluded.context
         where (a.repository_id, a.context) is distinct from (excluded.repository_id, excluded.context)`,
        [uid, namespace, name, repositoryId ?? null, place?.context ?? ''],
      );
      return repository === undefined ? [application] : [repository, application];
    },

    forget: (uid) => sqlWrite('delete from application_place where id = $1', [uid]),

    freeze: ({ uid, namespace, name }, { sequence, snapshot, digest: of, frozen }) =>
      sqlWrite(
        // A later state than the first has a row: where it is gone, so is the Application.
        `insert into application_place as a (id, namespace, name, sequence, snapshot, digest, frozen)
         select $1, $2, $3, $4::bigint, $5, $6, $7::text::jsonb where $4::bigint = 1 or exists (select from application_place where id = $1)
         on conflict (id) do update set sequence = excluded.sequence, snapshot = excluded.snapshot, digest = excluded.digest,
           frozen = excluded.frozen
         where a.sequence = excluded.sequence - 1`,
        [uid, namespace, name, sequence, snapshot, of, asJson(frozen)],
        1,
      ),

    async observeComponent(component) {
      const rows = await read<ComponentRow>(
        `select id as uid, application, repository_id as "repositoryId", context, gone as "isGone"
         from component_place where namespace = $1 and name = $2 order by id`,
        component,
      );
      return rows.map((row) => ({ ...row, repositoryId: row.repositoryId ?? undefined }));
    },

    keepComponent: ({ uid, namespace, name, application, repositoryId, context }) =>
      sqlWrite(
        `insert into component_place as c (id, namespace, name, application, repository_id, context) values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update set application = excluded.application, repository_id = excluded.repository_id, context = excluded.context
         where (c.application, c.repository_id, c.context) is distinct from (excluded.application, excluded.repository_id, excluded.context)`,
        [uid, namespace, name, application, repositoryId ?? null, context],
      ),

    endComponent: ({ uid, repositoryId }) =>
      repositoryId === undefined
        ? sqlWrite('delete from component_place where id = $1', [uid])
        : sqlWrite('update component_place set gone = true where id = $1 and not gone', [uid]),
  };
}
