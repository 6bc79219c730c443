import { randomUUID } from 'node:crypto';
import { truncateToBytes } from '../../../domain/gitops/truncate-to-bytes.ts';
import type { RowWrite } from '../../../ports/journal.ts';
import type { OperationOutcome } from '../../../ports/operation-rows.ts';
import { sqlWrite } from '../row-write.ts';

/** What was done stays in the ledger. The row is kept for those who ask a moment later, and a failure for a day. */
const completedSeconds = 3_600;
const failedSeconds = 86_400;
const longestState = 1_024;

export function recordOperation(outcome: OperationOutcome): readonly RowWrite[] {
  const { application, credentials, environment, leftEnvironment, project, instanceId } = outcome;
  return [
    ...operations(outcome),
    ...(application === undefined
      ? []
      : [
          sqlWrite('update application set applied_revision = $2 where id = $1', [
            application.id,
            application.revision,
          ]),
        ]),
    ...(credentials === undefined
      ? []
      : [
          sqlWrite('update repository_credentials set applied_revision = $2 where id = $1', [
            credentials.id,
            credentials.revision,
          ]),
        ]),
    ...(environment === undefined
      ? []
      : [
          sqlWrite(
            'update cluster_access set applied_credentials_id = $3 where managed_environment_id = $1 and gitops_engine_instance_id = $2',
            [environment.id, instanceId, environment.credentialsId],
          ),
        ]),
    ...(leftEnvironment === undefined
      ? []
      : [
          sqlWrite('delete from left_environment where id = $1 and engine_instance_id = $2', [
            leftEnvironment,
            instanceId,
          ]),
        ]),
    ...(project === undefined ? [] : recordProject(project, instanceId)),
  ];
}

function operations({ begun, completed, failed }: OperationOutcome): RowWrite[] {
  const writes: RowWrite[] = [];
  if (begun.length > 0)
    writes.push(
      sqlWrite(
        `update operation set state = 'In_Progress', last_state_update = now() where id = any($1::text[]) and state = 'Waiting'`,
        [begun],
      ),
    );
  if (completed.length > 0) writes.push(ended(completed, 'Completed', '', completedSeconds));
  for (const [why, ids] of Map.groupBy(failed, (one) => one.why))
    writes.push(
      ended(
        ids.map(({ id }) => id),
        'Failed',
        why,
        failedSeconds,
      ),
    );
  return writes;
}

function ended(ids: readonly string[], state: string, text: string, keptSeconds: number): RowWrite {
  return sqlWrite(
    `update operation set state = $2, human_readable_state = $3, gc_expiration_time = $4, last_state_update = now()
     where id = any($1::text[]) and state in ('Waiting', 'In_Progress')`,
    [ids, state, truncateToBytes(text, longestState), keptSeconds],
  );
}

function recordProject(project: NonNullable<OperationOutcome['project']>, instanceId: string): RowWrite[] {
  const { userId, digest, repositories, recordedRepositories } = project;
  const gone = recordedRepositories.filter((url) => !repositories.includes(url));
  const added = repositories.filter((url) => !recordedRepositories.includes(url));
  return [
    digest === undefined
      ? sqlWrite('delete from argo_project where cluster_user_id = $1 and engine_instance_id = $2', [
          userId,
          instanceId,
        ])
      : sqlWrite(
          `insert into argo_project (cluster_user_id, engine_instance_id, digest) select u.id, $2, $3 from cluster_user u where u.id = $1
           on conflict (cluster_user_id, engine_instance_id) do update set digest = excluded.digest`,
          [userId, instanceId, digest],
        ),
    ...(gone.length === 0
      ? []
      : [
          sqlWrite('delete from app_project_repository where cluster_user_id = $1 and repo_url = any($2::text[])', [
            userId,
            gone,
          ]),
        ]),
    ...added.map((url) =>
      sqlWrite(
        `insert into app_project_repository (id, cluster_user_id, repo_url) select $1, u.id, $3 from cluster_user u where u.id = $2
         on conflict (cluster_user_id, repo_url) do nothing`,
        [randomUUID(), userId, url],
      ),
    ),
  ];
}
