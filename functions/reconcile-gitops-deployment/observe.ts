import type { GitOpsDeployment } from '../../shared/contracts/kubernetes/gitops-deployment.ts';
import { gitOpsDeployments, managedEnvironments, namespaces } from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations, readAnnotation } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import type { Deployment, NamedEnvironment, ObservedDeployment } from '../../shared/domain/gitops/deployment.ts';
import { environmentNameOf } from '../../shared/domain/gitops/deployment-problem.ts';
import type { Tenant } from '../../shared/domain/gitops/placement.ts';
import type { DeploymentAnswer } from '../../shared/ports/deployment-rows.ts';
import { seeTenant } from '../../shared/runtime/see-tenant.ts';
import type { World } from '../../shared/runtime/world.ts';

export interface Seen extends ObservedDeployment {
  /** The revision of the object that was looked at. */
  readonly version: string | undefined;
  /** The rows of the tenant are not all there. */
  readonly placesTenant: boolean;
}

/** Reads the object, its rows, and of the rest only what the rows cannot prove. */
export async function observe(subject: Subject, world: World, signal: AbortSignal): Promise<Seen> {
  const { namespace, name, version } = subject;
  const { local } = world.clusters;
  const object = await local.read(gitOpsDeployments, { namespace, name }, { signal, atLeast: version });
  const deployment = object === undefined ? undefined : toDeployment(object);
  const wanted = deployment !== undefined && !deployment.deleting ? deployment : undefined;
  const readNamespace = () => local.read(namespaces, { namespace: '', name: namespace }, { signal });

  // The watch has brought an object that looks brand new: the question that only a new one needs is asked along.
  const looksNew = version !== undefined && object?.metadata.generation === 1 && object.status === undefined;
  const [rows, early] = await Promise.all([
    world.deployments.observe({
      namespace,
      name,
      uid: deployment?.uid,
      environment: wanted === undefined ? undefined : environmentNameOf(wanted.spec),
    }),
    wanted !== undefined && looksNew ? readNamespace() : undefined,
  ]);
  const seen = {
    namespace,
    name,
    deployment,
    applications: rows.applications,
    progress: rows.progress,
    waitingSyncRuns: rows.waitingSyncRuns,
    troubled: rows.troubled,
    version: object?.metadata.resourceVersion,
    isEngineNamespace: world.argoCdNamespaces.includes(namespace),
  };
  const nobody = { tenant: undefined, namespaceEnding: false, environment: undefined, placesTenant: false };
  if (wanted === undefined) return { ...seen, ...nobody };

  // The row of the object's own UID was written when the namespace was looked at: a namespace never changes its UID.
  const known = rows.applications.find(({ uid }) => uid === wanted.uid)?.namespaceUid;
  const found = known === undefined ? (early ?? (await readNamespace())) : undefined;
  const namespaceUid = known ?? found?.metadata.uid;
  if (namespaceUid === undefined) return { ...seen, ...nobody };
  return {
    ...seen,
    ...(await findTenant({ name: namespace, uid: namespaceUid }, rows, world, signal)),
    namespaceEnding: found?.metadata.deletionTimestamp !== undefined,
    environment: await findEnvironment(wanted, { namespace, namespaceUid }, rows, world, signal),
  };
}

async function findTenant(
  { name, uid }: { readonly name: string; readonly uid: string },
  { tenants }: DeploymentAnswer,
  world: World,
  signal: AbortSignal,
): Promise<{ tenant: Tenant; placesTenant: boolean }> {
  const placed = tenants.find(({ namespaceUid }) => namespaceUid === uid)?.engine;
  if (placed !== undefined)
    return { tenant: { namespace: name, namespaceUid: uid, placed, engines: [] }, placesTenant: false };
  return { tenant: await seeTenant(world, { name, uid }, signal), placesTenant: true };
}

async function findEnvironment(
  { spec }: Deployment,
  { namespace, namespaceUid }: { readonly namespace: string; readonly namespaceUid: string },
  { environments }: DeploymentAnswer,
  { clusters }: World,
  signal: AbortSignal,
): Promise<NamedEnvironment | undefined> {
  if (spec.destination.environment === '') return undefined;
  const name = environmentNameOf(spec);
  if (name === undefined) return { state: 'missing' };
  const row = environments.find((environment) => environment.namespaceUid === namespaceUid);
  if (row !== undefined) return { state: 'ready', id: row.id, namespaces: row.namespaces };

  const object = await clusters.local.read(managedEnvironments, { namespace, name }, { signal });
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return { state: 'missing' };
  const failed = object.status?.conditions.some(
    ({ type, status }) => type === 'ConnectionInitializationSucceeded' && status !== 'True',
  );
  return { state: failed === true ? 'failed' : 'unseen' };
}

function toDeployment({ metadata, spec, status }: GitOpsDeployment): Deployment {
  return {
    uid: metadata.uid,
    deleting: metadata.deletionTimestamp !== undefined,
    finalizers: metadata.finalizers,
    conditions: status?.conditions ?? [],
    spec: {
      source: spec.source,
      destination: spec.destination,
      type: spec.type,
      syncOptions: spec.syncPolicy?.syncOptions ?? [],
      commit: commitOf(readAnnotation(metadata.annotations, annotations.commit)),
    },
    reconcileAt: shortened(readAnnotation(metadata.annotations, annotations.reconcileAt) ?? ''),
  };
}

/** Anybody may write an annotation. */
function commitOf(written: string | undefined): string | undefined {
  return written !== undefined && /^[\da-f]{40,64}$/.test(written) ? written : undefined;
}

/** As much of a text as its row holds: characters of at most four bytes each, and none that Postgres cannot keep. */
function shortened(text: string): string {
  return Array.from(text.replace(/\p{Cc}/gu, ''))
    .slice(0, 64)
    .join('');
}
