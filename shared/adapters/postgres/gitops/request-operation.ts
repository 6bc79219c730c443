import { randomUUID } from 'node:crypto';
import type { OperationType } from '../../../domain/gitops/names.ts';
import type { RowWrite } from '../../../ports/journal.ts';
import { sqlWrite } from '../row-write.ts';

/** A word to the side of Argo CD that a row has changed, or is gone. */
export interface OperationRequest {
  readonly type: OperationType;
  readonly resourceId: string;
  readonly instanceId: string;
  /** The tenant; undefined where nobody asked for it, as in a repair. */
  readonly ownerUserId: string | undefined;
  /**
   * The name of the GitOpsDeployment, or of whichever object stands behind the resource. Give it with a deletion: the rows
   * that know it go with the resource, and its owner is to be told when the deletion is complete.
   */
  readonly deploymentName?: string | undefined;
}

/**
 * The row of an operation. One that waits already says the same: it tells that the resource changed, not how. The knock
 * operation.requested.v1 goes with it, in the same transaction.
 */
export function requestOperation(request: OperationRequest): RowWrite {
  const { type, resourceId, instanceId, ownerUserId, deploymentName } = request;
  return sqlWrite(
    `insert into operation (id, instance_id, resource_id, resource_type, owner_user_id, deployment_name)
     select $1, $2, $3, $4, $5::text, $6::text where not exists (
       select from operation o where o.resource_id = $3 and o.resource_type = $4 and o.state = 'Waiting' and o.instance_id = $2
         and o.owner_user_id is not distinct from $5::text and ($6::text is null or o.deployment_name = $6::text))`,
    [randomUUID(), instanceId, resourceId, type, ownerUserId ?? null, deploymentName ?? null],
  );
}
