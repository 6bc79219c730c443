import { randomUUID } from 'node:crypto';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import { argoApplications, namespaces, type ObjectKind } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { applicationName, projectName } from '../../../../shared/domain/gitops/names.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';

/** A tenant whose rows were made by hand, without any function. */
export interface HandMadeTenant {
  readonly namespace: string;
  readonly uid: string;
  readonly instanceId: string;
}

/** An API namespace with the rows of a tenant that was placed. */
export async function makeTenant(world: GitOpsWorld): Promise<HandMadeTenant> {
  const { sql } = world;
  const { name: namespace, uid } = await world.namespace('drift');
  const local = openCluster({ connection: world.bare });
  const read = async (name: string) => {
    const found = await local.read(namespaces, { namespace: '', name });
    if (found === undefined) throw new Error(`there is no namespace ${name}`);
    return found.metadata.uid;
  };
  const [clusterId, instanceId] = [await read('kube-system'), await read(argoNamespace)];
  await sql`insert into cluster_credentials (id, local) values ('local', true) on conflict do nothing`;
  await sql`insert into gitops_engine_cluster (id, cluster_credentials_id) values (${clusterId}, 'local') on conflict do nothing`;
  await sql`insert into gitops_engine_instance (id, namespace_name, namespace_uid, engine_cluster_id)
    values (${instanceId}, ${argoNamespace}, ${instanceId}, ${clusterId}) on conflict do nothing`;
  await sql`insert into cluster_user (id, user_name, display_name, engine_instance_id) values (${uid}, ${uid}, ${namespace}, ${instanceId})`;
  await sql`insert into managed_environment (id, name, cluster_credentials_id) values (${uid}, ${`Managed Environment for ${namespace}`}, 'local')`;
  await sql`insert into cluster_access (user_id, managed_environment_id, gitops_engine_instance_id) values (${uid}, ${uid}, ${instanceId})`;
  await sql`insert into kubernetes_to_db_resource_mapping values ('Namespace', ${uid}, 'ManagedEnvironment', ${uid})`;
  return { namespace, uid, instanceId };
}

/** The spec that the row of a hand-made application has. */
export function aSpec({ namespace, uid }: HandMadeTenant): object {
  return {
    source: { repoURL: 'https://git.example.test/team/app', path: 'deploy', targetRevision: 'main' },
    destination: { name: 'in-cluster', namespace },
    project: projectName(uid),
  };
}

/** The rows of a deployment; without an id, of one that does not exist. */
export async function makeApplicationRows(
  { sql }: GitOpsWorld,
  tenant: HandMadeTenant,
  { id = randomUUID(), name = 'web', mapped = true }: { id?: string; name?: string; mapped?: boolean } = {},
): Promise<string> {
  await sql`insert into application (id, name, spec_field, engine_instance_id, managed_environment_id, applied_revision)
    values (${id}, ${applicationName(id)}, ${JSON.stringify(aSpec(tenant))}, ${tenant.instanceId}, ${tenant.uid}, 1)`;
  await sql`insert into application_owner (application_id, user_id) values (${id}, ${tenant.uid})`;
  await sql`insert into application_state (application_id) values (${id})`;
  if (mapped)
    await sql`insert into deployment_to_application_mapping (id, name, namespace, namespace_uid, application_id)
      values (${id}, ${name}, ${tenant.namespace}, ${tenant.uid}, ${id})`;
  return id;
}

/** The Argo CD Application of a row, made without anybody noticing. */
export async function makeApplication(
  world: GitOpsWorld,
  tenant: HandMadeTenant,
  id: string,
  spec = aSpec(tenant),
): Promise<void> {
  await makeUnnoticed(world, argoApplications, {
    metadata: { name: applicationName(id), namespace: argoNamespace, labels: { databaseID: id } },
    spec,
  });
}

export async function makeUnnoticed(
  { bare }: GitOpsWorld,
  kind: ObjectKind,
  object: { readonly metadata: Record<string, unknown>; readonly [field: string]: unknown },
): Promise<{ readonly uid: string; readonly resourceVersion: string }> {
  const made = (await openCluster({ connection: bare }).create(kind, object)) as {
    metadata: { uid: string; resourceVersion: string };
  };
  return made.metadata;
}
