import type { Sql } from 'postgres';
import type { SeenSync, SyncEffect } from '../../../domain/gitops/sync.ts';
import type { RowWrite } from '../../../ports/journal.ts';
import type { SyncRows } from '../../../ports/sync-rows.ts';
import { sqlWrite } from '../row-write.ts';
import { asked } from '../translate.ts';
import { requestOperation } from './request-operation.ts';
import { readArgoSync, type SyncAnswer, syncQuestion, toSyncRow, toSyncTarget } from './sync-rows-question.ts';

export function openSyncRows(sql: Sql): SyncRows {
  return {
    async observe({ namespace, name, uid, deploymentName }) {
      return asked('read', async () => {
        const [answer] = await sql.unsafe<[SyncAnswer]>(
          syncQuestion,
          [namespace, name, uid ?? null, deploymentName ?? null],
          { prepare: true },
        );
        return {
          rows: answer.rows.map(toSyncRow),
          targets: answer.targets.map(toSyncTarget),
          argo: readArgoSync(answer.status),
        };
      });
    },

    async known(uids) {
      return asked('read', async () => {
        const rows = await sql<
          { id: string }[]
        >`select id from sync_operation where id = any (${uids as string[]}::text[])`;
        return new Set(rows.map(({ id }) => id));
      });
    },

    write(seen, effect) {
      switch (effect.do) {
        case 'queue-sync':
          return [insert(seen, effect, false), mapping(seen, effect)];
        case 'start-sync':
          return effect.queued
            ? [begin(effect), request(seen, effect.id, effect.applicationId)]
            : [insert(seen, effect, true), mapping(seen, effect), request(seen, effect.id, effect.applicationId)];
        case 'ask-again':
          return [request(seen, effect.id, effect.applicationId)];
        case 'terminate-sync':
          return [
            sqlWrite(`update sync_operation set desired_state = 'Terminated' where id = $1`, [effect.id], 1),
            request(seen, effect.id, effect.applicationId),
          ];
        case 'finish-sync':
          return [
            end(effect),
            ...(effect.stopApplicationId === undefined ? [] : [request(seen, effect.id, effect.stopApplicationId)]),
          ];
        case 'forget-sync':
          return [
            sqlWrite('delete from sync_operation where id = $1', [effect.id]),
            sqlWrite(
              `delete from api_cr_to_database_mapping where api_resource_type = 'GitOpsDeploymentSyncRun'
                 and db_relation_type = 'SyncOperation' and db_relation_key = $1`,
              [effect.id],
            ),
          ];
        default:
          return [];
      }
    },
  };
}

type Of<Name extends SyncEffect['do']> = Extract<SyncEffect, { do: Name }>;

/** The lock keeps the application from going in this very moment; where it has gone already, somebody has to look again. */
function insert(seen: SeenSync, effect: Of<'queue-sync' | 'start-sync'>, isRequested: boolean): RowWrite {
  const { createdAt, deploymentName, revisionId } = runOf(seen);
  return sqlWrite(
    `insert into sync_operation
       (id, created_on, application_id, deployment_name, revision, revision_id, desired_state, phase, requested_at)
     select $1, to_timestamp($2::float8 / 1000), a.id, $4, $5, $6, 'Running', ${isRequested ? "'Running', now()" : "'', null"}
     from application a where a.id = $3 for key share`,
    [effect.id, createdAt, effect.applicationId, deploymentName, effect.revision, revisionId],
    1,
  );
}

function mapping(seen: SeenSync, { id, applicationId }: Of<'queue-sync' | 'start-sync'>): RowWrite {
  return sqlWrite(
    `insert into api_cr_to_database_mapping (api_resource_type, api_resource_uid, api_resource_name,
       api_resource_namespace, api_resource_namespace_uid, db_relation_type, db_relation_key)
     values ('GitOpsDeploymentSyncRun', $1, $2, $3, $4, 'SyncOperation', $1) on conflict do nothing`,
    [id, seen.name, seen.namespace, targetOf(seen, applicationId).namespaceUid],
  );
}

function begin({ id, applicationId }: Of<'start-sync'>): RowWrite {
  return sqlWrite(
    `update sync_operation set phase = 'Running', requested_at = now()
     where id = $1 and application_id = $2 and requested_at is null and finished_at is null`,
    [id, applicationId],
    1,
  );
}

function end({ id, phase, message, stopApplicationId }: Of<'finish-sync'>): RowWrite {
  return sqlWrite(
    `update sync_operation set phase = $2, message = $3, finished_at = now(), desired_state = coalesce($4::text, desired_state)
     where id = $1 and finished_at is null`,
    [id, phase, message, stopApplicationId === undefined ? null : 'Terminated'],
    1,
  );
}

function request(seen: SeenSync, id: string, applicationId: string): RowWrite {
  const { instanceId, ownerUserId } = targetOf(seen, applicationId);
  return requestOperation({ type: 'SyncOperation', resourceId: id, instanceId, ownerUserId });
}

function targetOf({ targets }: SeenSync, id: string) {
  const target = targets.find(({ applicationId }) => applicationId === id);
  if (target === undefined) throw new Error(`a decision about application ${id}, which nobody saw`);
  return target;
}

function runOf({ run }: SeenSync) {
  if (run === undefined) throw new Error('a sync begins without the run that asks for it');
  return run;
}
