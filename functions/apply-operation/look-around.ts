import type { ArgoApplication } from '../../shared/contracts/argo/application.ts';
import { argoApplications } from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { environmentProblem } from '../../shared/domain/gitops/cluster-secret.ts';
import { applicationName } from '../../shared/domain/gitops/names.ts';
import type {
  ApplicationRow,
  LeavingApplication,
  ObservedOperation,
  OperationSight,
  Piece,
} from '../../shared/domain/gitops/operation.ts';
import { databaseIdLabel } from '../../shared/domain/gitops/written-object.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { type Found, type Look, readApplication, seeApplication, seeLeftProject, seeProject } from './see-argo.ts';
import {
  seeClusterSecret,
  seeLeftClusterSecret,
  seeLeftRepositorySecrets,
  seeRepositorySecret,
} from './see-secrets.ts';
import { seeSync } from './see-sync.ts';
import type { Services, Writing } from './sight.ts';

/** What stands beside the Argo CD, as far as this resource is concerned. */
export interface Surroundings {
  readonly pieces: readonly Piece[];
  readonly leaving: readonly LeavingApplication[];
  readonly writings: ReadonlyMap<string, Writing>;
  readonly applications: ReadonlyMap<string, ArgoApplication>;
  readonly sync?: ObservedOperation['sync'];
  readonly problem?: string | undefined;
  /** Of the project as it should be; undefined: it should not be, or nobody knows whose it is. */
  readonly digest?: string | undefined;
}

const nothing = { pieces: [], leaving: [], writings: new Map<string, Writing>() };

export async function lookAround(
  sight: OperationSight,
  cluster: Cluster,
  { rows, memory }: Services,
  signal: AbortSignal,
): Promise<Surroundings> {
  const repair = sight.operations.some(({ ownerUserId }) => ownerUserId === undefined);
  const look: Look = { sight, cluster, rows, signal, doubt: memory.distrust || repair };
  const { resource, tenant } = sight;
  switch (resource.type) {
    case 'Application':
      return resource.row === undefined ? leave(look) : keepApplication(look, resource.row);
    case 'ManagedEnvironment': {
      const { row } = resource;
      if (row === undefined || !row.accessible)
        return gather([
          seeLeftClusterSecret(look, sight.resourceId),
          seeProject(look),
          seeLeftProject(look, sight.resourceId),
        ]);
      return (
        problemOf(tenant, row.local ? undefined : environmentProblem(row)) ??
        gather([seeProject(look), seeClusterSecret(look, row)])
      );
    }
    case 'RepositoryCredentials':
      if (resource.row === undefined)
        return gather([seeLeftRepositorySecrets(look, sight.resourceId), seeProject(look)]);
      return problemOf(tenant) ?? gather([seeProject(look), seeRepositorySecret(look, resource.row)]);
    case 'SyncOperation': {
      const { row } = resource;
      const found =
        row?.applicationId === undefined
          ? undefined
          : await readApplication({ ...look, doubt: true }, applicationName(row.applicationId));
      return {
        ...nothing,
        applications: byName(found === undefined ? [] : [found]),
        sync: { row, ...(found !== undefined && { application: seeSync(found) }) },
      };
    }
    case 'GitOpsEngineInstance':
      return { ...nothing, applications: new Map() };
  }
}

async function keepApplication(look: Look, row: ApplicationRow): Promise<Surroundings> {
  const { environment } = row;
  const problem = environment === undefined || environment.local ? undefined : environmentProblem(environment);
  const application = await seeApplication(look, row);
  return (
    problemOf(look.sight.tenant, problem ?? application.problem) ??
    gather([seeProject(look), environment === undefined ? [] : seeClusterSecret(look, environment), application.found])
  );
}

/** The row is gone. Beside the one of that name, a repair looks for others that claim to be of the same row. */
async function leave(look: Look): Promise<Surroundings> {
  const { sight, cluster, signal, doubt } = look;
  const { namespace } = sight.engine;
  const found: ArgoApplication[] = [];
  const named = await readApplication(look, applicationName(sight.resourceId));
  if (named !== undefined) found.push(named);
  if (doubt) {
    const labelSelector = `${databaseIdLabel}=${sight.resourceId}`;
    for await (const page of cluster.list(argoApplications, { namespace, labelSelector, signal }))
      found.push(...page.filter(({ metadata }) => metadata.name !== named?.metadata.name));
  }
  const leaving = found.map(
    ({ metadata }): LeavingApplication => ({
      name: metadata.name,
      labelled: metadata.labels[databaseIdLabel] === sight.resourceId,
      finalizers: metadata.finalizers,
      ...(metadata.deletionTimestamp !== undefined && { deletingSince: Date.parse(metadata.deletionTimestamp) }),
      touchedAt: timeOf(metadata.annotations[annotations.reconcileAt.key]),
    }),
  );
  // The fence is only looked at when nothing needs it any more.
  const around = leaving.some(({ labelled }) => labelled) ? [] : [seeProject(look)];
  return { ...(await gather(around)), leaving, applications: byName(found) };
}

/** Anybody who may write an annotation may write nonsense into it. */
function timeOf(instant = ''): number | undefined {
  const time = Date.parse(instant);
  return Number.isNaN(time) ? undefined : time;
}

/** Undefined: there is none. Without an owner nobody knows which fence to stand behind. */
function problemOf(tenant: OperationSight['tenant'], problem?: string): Surroundings | undefined {
  const text = tenant === undefined ? 'Nobody owns it: there is no row that says which tenant it is of' : problem;
  return text === undefined ? undefined : { ...nothing, applications: new Map(), problem: text };
}

async function gather(seen: readonly (Promise<readonly Found[]> | readonly Found[])[]): Promise<Surroundings> {
  const found = (await Promise.all(seen)).flat();
  const digest = found.find(({ piece }) => piece.kind === 'project')?.writing.digest;
  return {
    pieces: found.map(({ piece }) => piece),
    leaving: [],
    writings: new Map(found.map(({ piece, writing }) => [piece.name, writing])),
    applications: byName(found.flatMap(({ application }) => application ?? [])),
    ...(digest !== undefined && { digest }),
  };
}

function byName(found: readonly ArgoApplication[]): Map<string, ArgoApplication> {
  return new Map(found.map((application) => [application.metadata.name, application]));
}
