import type { Sql } from 'postgres';
import { type WantedApplication, waitsForDeployment } from '../../../domain/gitops/deployment.ts';
import type {
  ApplicationOwner,
  DeploymentAnswer,
  DeploymentQuestion,
  DeploymentRows,
} from '../../../ports/deployment-rows.ts';
import type { RowWrite } from '../../../ports/journal.ts';
import { gather } from '../gather.ts';
import { asJson } from '../keepable.ts';
import { sqlWrite } from '../row-write.ts';
import { asked } from '../translate.ts';
import { deploymentQuery } from './deployment-query.ts';
import { requestOperation } from './request-operation.ts';

/** Deployments that are looked at in one round trip, where more than one wants to. */
const mostAtOnce = 32;

export function openDeploymentRows(sql: Sql): DeploymentRows {
  return {
    observe: gather(
      mostAtOnce,
      async (questions: readonly DeploymentQuestion[]): Promise<readonly DeploymentAnswer[]> => {
        return asked('read', async () => {
          const asked = asJson(
            questions.map((question, place) => ({ ...question, awaited: waitsForDeployment(question.name), place })),
          );
          const rows = await sql.unsafe<{ answer: DeploymentAnswer }[]>(deploymentQuery, [asked], { prepare: true });
          return rows.map(({ answer }) => answer);
        });
      },
    ),

    create: (application, owner) => [
      // A row of the same id can only be a remainder of the very same GitOpsDeployment.
      sqlWrite(
        `insert into application as a (id, name, spec_field, engine_instance_id, managed_environment_id) values ($1, $2, $3, $4, $5)
         on conflict (id) do update set name = excluded.name, spec_field = excluded.spec_field,
           engine_instance_id = excluded.engine_instance_id, managed_environment_id = excluded.managed_environment_id,
           revision = a.revision + 1`,
        [application.id, application.name, application.spec, application.instanceId, application.environmentId],
      ),
      sqlWrite(
        `insert into deployment_to_application_mapping (id, name, namespace, namespace_uid, application_id, reconcile_at)
         values ($1, $2, $3, $4, $1, $5)`,
        [application.id, owner.name, owner.namespace, owner.namespaceUid, application.reconcileAt],
      ),
      ownership(application.id, owner.userId),
      ...access(application, owner),
      operationFor(application, owner),
    ],

    update: (application, over, owner) => [
      sqlWrite(
        `update application set spec_field = $2, managed_environment_id = $3, revision = revision + 1
         where id = $1 and revision = $4::bigint and managed_environment_id is not distinct from $5::text`,
        [application.id, application.spec, application.environmentId, over.revision, over.environmentId],
        1,
      ),
      ownership(application.id, owner.userId),
      ...access(application, owner),
      operationFor(application, owner),
    ],

    own: (applicationId, userId) => [ownership(applicationId, userId)],

    retry: (application, owner) => [operationFor(application, owner)],

    repair: ({ id, instanceId }, reconcileAt, deploymentName) => [
      sqlWrite(
        'update deployment_to_application_mapping set reconcile_at = $2 where application_id = $1',
        [id, reconcileAt],
        1,
      ),
      // Nobody's operation trusts nothing that was noted down.
      requestOperation({ type: 'Application', resourceId: id, instanceId, ownerUserId: undefined, deploymentName }),
    ],

    remove: ({ id, instanceId, ownerId }, deploymentName) => [
      sqlWrite('delete from application_state where application_id = $1', [id]),
      sqlWrite('update sync_operation set application_id = null where application_id = $1', [id]),
      sqlWrite('delete from deployment_to_application_mapping where application_id = $1', [id]),
      sqlWrite('delete from application_owner where application_id = $1', [id]),
      sqlWrite('delete from application where id = $1', [id], 1),
      requestOperation({
        type: 'Application',
        resourceId: id,
        instanceId,
        ownerUserId: ownerId ?? undefined,
        deploymentName,
      }),
    ],

    noteTrouble: ({ id, namespace, name }) => [
      sqlWrite('insert into deployment_trouble (id, namespace, name) values ($1, $2, $3) on conflict do nothing', [
        id,
        namespace,
        name,
      ]),
    ],

    forgetTrouble: (id) => [sqlWrite('delete from deployment_trouble where id = $1', [id])],
  };
}

function ownership(applicationId: string, userId: string): RowWrite {
  return sqlWrite('insert into application_owner (application_id, user_id) values ($1, $2) on conflict do nothing', [
    applicationId,
    userId,
  ]);
}

/** The own namespace is opened with the placement of the tenant; any other environment by the first who goes there. */
function access(
  { environmentId, instanceId }: WantedApplication,
  { userId, namespaceUid }: ApplicationOwner,
): RowWrite[] {
  if (environmentId === null || environmentId === namespaceUid) return [];
  return [
    sqlWrite(
      `insert into cluster_access (user_id, managed_environment_id, gitops_engine_instance_id) values ($1, $2, $3)
       on conflict do nothing`,
      [userId, environmentId, instanceId],
    ),
  ];
}

function operationFor(
  { id, instanceId }: Pick<WantedApplication, 'id' | 'instanceId'>,
  { userId, name }: { readonly name: string; readonly userId: string | undefined },
): RowWrite {
  return requestOperation({
    type: 'Application',
    resourceId: id,
    instanceId,
    ownerUserId: userId,
    deploymentName: name,
  });
}
