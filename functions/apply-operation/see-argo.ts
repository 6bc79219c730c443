import type { ArgoApplication } from '../../shared/contracts/argo/application.ts';
import { appProjects, argoApplications } from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { projectPatch, writtenProject } from '../../shared/domain/gitops/app-project.ts';
import { applicationName, projectName } from '../../shared/domain/gitops/names.ts';
import type { ApplicationRow, OperationSight, Piece } from '../../shared/domain/gitops/operation.ts';
import { applicationPatch, tellsCommit, writtenApplication } from '../../shared/domain/gitops/written-application.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import type { OperationRows } from '../../shared/ports/operation-rows.ts';
import type { Writing } from './sight.ts';

/** One look at the surroundings of one resource. */
export interface Look {
  readonly sight: OperationSight;
  readonly cluster: Cluster;
  readonly rows: Pick<OperationRows, 'digest'>;
  readonly signal: AbortSignal;
  /** What was recorded, or brought by a watch, is not trusted. */
  readonly doubt: boolean;
}

/** One piece, and what it takes to write it. */
export interface Found {
  readonly piece: Piece;
  readonly writing: Writing;
  readonly application?: ArgoApplication | undefined;
}

/** The tenant's fence. One that was never written is not looked for: creating it tells whether it is there. */
export async function seeProject({ sight, cluster, rows, signal, doubt }: Look): Promise<readonly Found[]> {
  const { tenant, engine } = sight;
  if (tenant === undefined) return [];
  const name = projectName(tenant.userId);
  const project = writtenProject(tenant, engine);
  const digest = tenant.inUse ? rows.digest(JSON.stringify(project)) : undefined;
  const as = (state: Piece['state'], writing: Writing = {}): Found[] => [
    { piece: { kind: 'project', name, wanted: tenant.inUse, state }, writing: { project, digest, ...writing } },
  ];
  if (!doubt && tenant.digest === digest) return tenant.inUse ? as('trusted') : [];
  if (!doubt && tenant.digest === undefined) return as('unread');

  const stored = await cluster.read(appProjects, { namespace: engine.namespace, name }, { signal });
  if (stored === undefined) return as('absent');
  const { uid, deletionTimestamp } = stored.metadata;
  if (deletionTimestamp !== undefined) return as('deleting');
  const patch = projectPatch(stored, project);
  return as(patch === undefined ? 'same' : 'differs', { patch, uid });
}

/**
 * The fence of a tenant that is gone. The environment of its own namespace has the same key as the tenant, so that a
 * repair of the one finds the other; the project says itself whose it is.
 */
export async function seeLeftProject(
  { sight, cluster, signal, doubt }: Look,
  userId: string,
): Promise<readonly Found[]> {
  if (!doubt || userId === sight.tenant?.userId) return [];
  const name = projectName(userId);
  const stored = await cluster.read(appProjects, { namespace: sight.engine.namespace, name }, { signal });
  if (stored?.metadata.annotations[annotations.projectUser.key] !== userId) return [];
  return [{ piece: { kind: 'project', name, wanted: false, state: 'same' }, writing: { uid: stored.metadata.uid } }];
}

/** The Application of a row. */
export async function seeApplication(
  look: Look,
  row: ApplicationRow,
): Promise<{ readonly found: readonly Found[]; readonly problem?: string | undefined }> {
  const { tenant, engine } = look.sight;
  if (tenant === undefined) return { found: [] };
  const name = applicationName(row.id);
  const application = writtenApplication(row, tenant.userId, engine.namespace);
  if (application === undefined) return { found: [], problem: 'The stored spec of the application cannot be read' };
  const as = (state: Piece['state'], writing: Writing = {}, hasNewCommit = false): Found => ({
    piece: { kind: 'application', name, wanted: true, state, hasNewCommit },
    writing: { application, ...writing },
  });
  // Never told to Argo CD: nobody asks whether it is there, creating it tells.
  if (!look.doubt && row.appliedRevision === 0 && row.environment !== undefined) return { found: [as('unread')] };

  const stored = await readApplication(look, name);
  // Without its environment it is not valid: what is there is kept in step, and nothing new is made.
  if (stored === undefined) return { found: row.environment === undefined ? [] : [as('absent')] };
  if (stored.metadata.deletionTimestamp !== undefined) return { found: [as('deleting')] };
  const patch = applicationPatch(stored, application);
  return {
    found: [as(patch === undefined ? 'same' : 'differs', { patch }, patch !== undefined && tellsCommit(patch))],
  };
}

/**
 * A copy that the watch has brought does, however old: a write over it says which version it was made for. That it is not
 * there, or goes, is asked of the API server.
 */
export async function readApplication(
  { sight, cluster, signal, doubt }: Look,
  name: string,
): Promise<ArgoApplication | undefined> {
  const key = { namespace: sight.engine.namespace, name };
  const copy = doubt ? undefined : await cluster.read(argoApplications, key, { signal, atLeast: '1' });
  if (copy !== undefined && copy.metadata.deletionTimestamp === undefined) return copy;
  return cluster.read(argoApplications, key, { signal });
}
