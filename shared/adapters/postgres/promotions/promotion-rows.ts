import { createHash } from 'node:crypto';
import type { Sql } from 'postgres';
import { keptMessage } from '../../../domain/promotion/kept-message.ts';
import type { RowWrite } from '../../../ports/journal.ts';
import type { KeptRun, PromotionRows } from '../../../ports/promotion-rows.ts';
import { asJson, asParameter } from '../keepable.ts';
import { sqlWrite, writeNow } from '../row-write.ts';
import { asked } from '../translate.ts';
import {
  type PromotionAnswer,
  promotionQuestion,
  sightQuestion,
  toSighting,
  toStoredEnd,
  toStoredRun,
  toStoredStep,
} from './promotion-question.ts';

const at = (number: number): string => `to_timestamp($${number}::float8 / 1000)`;

export function openPromotionRows(sql: Sql): PromotionRows {
  const rows: PromotionRows = {
    digest: (text) => createHash('sha256').update(text).digest('hex'),

    observe: ({ namespace, name, uid, application }) =>
      asked('read', async () => {
        const parameters = [namespace, name, uid ?? null, application ?? null].map(asParameter);
        const [answer] = await sql.unsafe<[PromotionAnswer]>(promotionQuestion, parameters, { prepare: true });
        return {
          named: answer.named.map(toStoredRun),
          ended: answer.ended.map(toStoredEnd),
          open: answer.open.map(toStoredRun),
          steps: answer.steps.map(toStoredStep),
        };
      }),

    sight: ({ namespace, name }, deployments) =>
      asked('read', async () => {
        const parameters = [namespace, name, deployments as string[]];
        const found = await sql.unsafe<{ name: string; sighting: unknown }[]>(sightQuestion, parameters, {
          prepare: true,
        });
        return new Map(found.map((row) => [row.name, toSighting(row.sighting)]));
      }),

    keep: (run) =>
      sqlWrite(
        `insert into promotion as p (${columns}, state) values (${values}, 'Waiting')
         on conflict (id) do update set waiting = excluded.waiting where p.state <> 'Completed'`,
        valuesOf(run),
        1,
      ),

    takeTurn: (run, now) =>
      sqlWrite(
        `insert into promotion as p (${columns}, state, started_at) values (${values}, 'Active', ${at(11)})
         on conflict (id) do update set state = 'Active', started_at = excluded.started_at, waiting = null where p.state = 'Waiting'`,
        [...valuesOf({ ...run, waiting: undefined }), now],
        1,
      ),

    end: (uid, { result, reason, message, at: now }) => [
      sqlWrite(
        `update promotion set state = 'Completed', result = $2, reason = $3, message = $4, waiting = null, completed_at = ${at(5)}
         where id = $1 and state <> 'Completed'`,
        [uid, result, reason, keptMessage(message), now],
      ),
      sqlWrite(
        `update promotion_step set status = 'failed', reason = $2, message = '', ended_at = ${at(3)}
         where promotion_id = $1 and status = 'in-progress'`,
        [uid, reason, now],
      ),
    ],

    keepStep({ namespace, uid }, step) {
      const kept = sqlWrite(
        `insert into promotion_step as s (promotion_id, environment, step, binding, status, reason, message, began_at,
           ready_at, ended_at, commit_id, commits_before, extended_to, snapshot_id)
         values ($1, $2, $3, $4, $5, $6, $7, ${at(8)}, ${at(9)}, ${at(10)}, $11, $12, ${at(13)}, $14)
         on conflict (promotion_id, environment) do update set status = excluded.status, reason = excluded.reason,
           message = excluded.message, ready_at = excluded.ready_at, ended_at = excluded.ended_at, commit_id = excluded.commit_id,
           extended_to = excluded.extended_to
         where s.status = 'in-progress'`,
        [
          uid,
          step.environment,
          step.step,
          step.binding,
          step.status,
          step.reason,
          keptMessage(step.message),
          step.began,
          step.ready ?? null,
          step.ended ?? null,
          step.commit,
          step.before,
          step.extended ?? null,
          step.snapshotUid,
        ],
        1,
      );
      const evidence = step.evidence.map(({ component, deployment, seen, report }): RowWrite => {
        // Of a step that has failed, what was said last is kept as well. It is no proof: nothing was observed that would be.
        const said = seen ?? (step.status === 'failed' ? report : undefined);
        return sqlWrite(
          `insert into promotion_evidence as e (promotion_id, environment, component, namespace, deployment, application_id,
             revision, sync_status, health, operation, observed_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${at(11)})
           on conflict (promotion_id, environment, component) do update set application_id = excluded.application_id,
             revision = excluded.revision, sync_status = excluded.sync_status, health = excluded.health,
             operation = excluded.operation, observed_at = excluded.observed_at
           where e.observed_at is null and (excluded.observed_at is not null or excluded.sync_status <> '')`,
          [
            uid,
            step.environment,
            component,
            namespace,
            deployment,
            said?.applicationId ?? null,
            said?.revision ?? '',
            said?.sync ?? '',
            said?.health ?? '',
            said?.operation ?? '',
            seen?.observed ?? null,
          ],
        );
      });
      return [kept, ...evidence];
    },

    settle: (run, steps) =>
      asked('write', () =>
        writeNow(
          sql,
          steps.flatMap((step) => rows.keepStep(run, step)),
        ),
      ),

    considered: ({ namespace, name, application }) =>
      asked('read', async () => {
        const [row] = await sql<[ConsideredRow]>`
          select coalesce((select jsonb_agg(jsonb_build_object('uid', id, 'sequence', sequence))
              from promotion_start where namespace = ${namespace} and name = ${name}), '[]') as named,
            (select jsonb_build_object('snapshot', snapshot, 'sequence', sequence) from application_place
              where namespace = ${namespace} and name = ${asParameter(application)} order by sequence desc limit 1) as state,
            (select jsonb_build_object('created', round(extract(epoch from created_at) * 1000)::float8, 'sequence', sequence)
              from promotion_start where namespace = ${namespace} and application = ${asParameter(application)}
              order by created_at desc, sequence desc limit 1) as newest`;
        return { named: row.named, newest: row.newest ?? undefined, state: row.state ?? undefined };
      }),

    consider: ({ uid, namespace, name, application, created, sequence, run }) =>
      sqlWrite(
        `insert into promotion_start (id, namespace, application, name, created_at, run, sequence)
         values ($1, $2, $3, $4, ${at(5)}, $6, $7) on conflict (id) do update
         set created_at = excluded.created_at, run = excluded.run, sequence = excluded.sequence
         where promotion_start.sequence < excluded.sequence`,
        [uid, namespace, application, name, created, run, sequence],
      ),

    forgetSnapshot: (uid) => sqlWrite('delete from promotion_start where id = $1', [uid]),
  };
  return rows;
}

interface ConsideredRow {
  readonly named: readonly { readonly uid: string; readonly sequence: number }[];
  readonly state: { readonly snapshot: string; readonly sequence: number } | null;
  readonly newest: { readonly created: number; readonly sequence: number } | null;
}

const columns = 'id, namespace, name, application, snapshot, automated, cause, created_at, waiting, begins_in';
const values = `$1, $2, $3, $4, $5, $6, $7, ${at(8)}, $9::text::jsonb, array(select jsonb_array_elements_text($10::text::jsonb))`;

function valuesOf(run: KeptRun): unknown[] {
  const { uid, namespace, name, application, snapshot, isAutomated, beginsIn, cause, created, waiting } = run;
  return [
    uid,
    namespace,
    name,
    application,
    snapshot,
    isAutomated,
    cause,
    created,
    waiting === undefined ? null : asJson(waiting),
    asJson(beginsIn),
  ];
}
