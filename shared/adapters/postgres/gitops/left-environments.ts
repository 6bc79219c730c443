import { clusterSecretName } from '../../../domain/gitops/names.ts';

// Why an environment that is gone is still needed beside its Argo CD. Both are conditions of a query.

/** An application of the tenant has it as its destination. */
export function isDeployedTo(environmentId: string, userId: string): string {
  return `exists (
    select from application_owner w join application a on a.id = w.application_id
    where w.user_id = ${userId} and a.spec_field is json object
      and a.spec_field::jsonb #>> '{destination,name}' = '${clusterSecretName('')}' || ${environmentId})`;
}

/** An Application of the tenant is on its way out. The one that is looked at itself may not count. */
export function hasLeaving(userId: string, other = 'null'): string {
  return `exists (
    select from operation o where o.owner_user_id = ${userId} and o.state in ('Waiting', 'In_Progress')
      and o.resource_type = 'Application' and o.resource_id is distinct from ${other}
      and not exists (select from application a where a.id = o.resource_id))`;
}
