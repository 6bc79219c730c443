import { clusterSecretName } from '../gitops/names.ts';
import type { ArgoHealth, ArgoOperationState, ArgoStatus } from './argo-status.ts';

/** The managed environment that the rows say the application is deployed to. */
export interface Destination {
  readonly environmentId: string;
  /** The GitOpsDeploymentManagedEnvironment; undefined for the tenant's own namespace. */
  readonly environmentName: string | undefined;
}

/** What Argo CD says, in the fields of a GitOpsDeployment. Empty texts are left out where the list may be long. */
export interface Summary {
  readonly health: Partial<ArgoHealth> | undefined;
  readonly sync: { readonly status: string; readonly revision?: string } | undefined;
  readonly resources: readonly object[];
  readonly operationState: object | undefined;
  readonly reconciledState: {
    readonly source: { readonly path: string; readonly repoURL: string; readonly branch: string };
    readonly destination: { readonly name: string; readonly namespace: string };
  };
}

/** More than this many entries of a list are left out of a status that is too large otherwise. */
export const mostEntries = 1_000;

export function summarize(status: ArgoStatus, destination: Destination | undefined): Summary {
  const { source, destination: comparedWith } = status.sync?.comparedTo ?? {};
  return {
    health: healthOf(status.health),
    sync:
      status.sync === undefined || status.sync.status === ''
        ? undefined
        : { status: status.sync.status, ...(status.sync.revision !== '' && { revision: status.sync.revision }) },
    resources: status.resources.map(({ group, version, kind, namespace, name, status: state, health }) => ({
      ...texts({ group, version, kind, namespace, name, status: state }),
      ...(health !== undefined && { health: texts({ status: health.status, message: health.message }) }),
    })),
    operationState: operationStateOf(status.operationState),
    reconciledState: {
      source: {
        path: source?.path ?? '',
        repoURL: source?.repoURL ?? '',
        branch: source?.targetRevision ?? '',
      },
      destination: {
        name: environmentNameOf(comparedWith?.name ?? '', destination),
        namespace: comparedWith?.namespace ?? '',
      },
    },
  };
}

/** The same with long lists cut, for a deployment so large that the API server does not take all of it. */
export function cutShort(summary: Summary): Summary {
  const { operationState, resources } = summary;
  const result = (operationState as ArgoOperationState | undefined)?.syncResult;
  const synced = result?.['resources'];
  return {
    ...summary,
    resources: resources.slice(0, mostEntries),
    operationState:
      Array.isArray(synced) && synced.length > mostEntries
        ? { ...operationState, syncResult: { ...result, resources: synced.slice(0, mostEntries) } }
        : operationState,
  };
}

function healthOf(health: ArgoHealth | undefined): Summary['health'] {
  return health === undefined || health.status === ''
    ? undefined
    : texts({ status: health.status, message: health.message });
}

function operationStateOf(state: ArgoOperationState | undefined): object | undefined {
  if (state === undefined) return undefined;
  const { operation, phase, message, syncResult, startedAt, finishedAt, retryCount } = state;
  return {
    ...texts({ phase, message, startedAt, finishedAt }),
    ...(operation !== undefined && { operation }),
    ...(syncResult !== undefined && { syncResult }),
    ...(retryCount !== undefined && { retryCount }),
  };
}

/** Argo CD knows the cluster by the name of its Secret; the user knows it by the name of the environment. */
function environmentNameOf(clusterName: string, destination: Destination | undefined): string {
  if (destination?.environmentName === undefined) return '';
  return clusterName === clusterSecretName(destination.environmentId) ? destination.environmentName : '';
}

function texts<Fields extends Readonly<Record<string, string | undefined>>>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined),
  ) as Partial<Fields>;
}
