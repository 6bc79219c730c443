/** The API groups of one of the two ways that are compared. */
export interface Groups {
  readonly deployments: string;
  readonly applications: string;
}

export const ourGroups: Groups = { deployments: 'managed-gitops.redhat.com', applications: 'argoproj.io' };
/** The same CRDs under other groups: the same API server with the same work, and a host that does not notice. */
export const floorGroups: Groups = {
  deployments: 'floor.managed-gitops.redhat.com',
  applications: 'floor.argoproj.io',
};

export const argoNamespace = 'argocd';
/** What Argo CD waits for before an Application goes. */
export const argoFinalizer = 'resources-finalizer.argocd.argoproj.io/background';

/** As much of a GitOpsDeployment or an Application as is looked at here. */
export interface BenchObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
  };
  readonly spec: {
    readonly source: { readonly repoURL: string; readonly path: string; readonly targetRevision: string };
    readonly destination?: { readonly name: string; readonly namespace: string };
  };
  readonly status?: { readonly sync?: { readonly status: string; readonly revision: string } };
}

export function deploymentsPath({ deployments }: Groups, namespace?: string): string {
  return `/apis/${deployments}/v1alpha1/${namespace === undefined ? '' : `namespaces/${namespace}/`}gitopsdeployments`;
}

export function applicationsPath({ applications }: Groups): string {
  return `/apis/${applications}/v1alpha1/namespaces/${argoNamespace}/applications`;
}

/** The row's key is the UID, and the name of the Application says it. */
export function applicationName(uid: string): string {
  return `gitopsdepl-${uid}`;
}

export function uidOf({ metadata }: BenchObject): string {
  return metadata.name.slice('gitopsdepl-'.length);
}

/** What a user writes: automated, into the own namespace; one repository for each namespace. */
export function deployment({ deployments }: Groups, namespace: string, name: string): object {
  return {
    apiVersion: `${deployments}/v1alpha1`,
    kind: 'GitOpsDeployment',
    metadata: { name, namespace },
    spec: {
      source: {
        repoURL: `https://git.example.com/${namespace}/apps.git`,
        path: `apps/${name}`,
        targetRevision: 'main',
      },
      type: 'automated',
    },
  };
}

/** The Application that belongs to it, as large as the product's. */
export function application({ applications }: Groups, { metadata, spec }: BenchObject, finalizers: readonly string[]) {
  return {
    apiVersion: `${applications}/v1alpha1`,
    kind: 'Application',
    metadata: {
      name: applicationName(metadata.uid),
      namespace: argoNamespace,
      labels: { databaseID: metadata.uid },
      ...(finalizers.length > 0 && { finalizers }),
    },
    spec: {
      source: spec.source,
      destination: { name: 'in-cluster', namespace: metadata.namespace },
      project: `app-project-${metadata.uid}`,
      syncPolicy: {
        automated: { prune: true, selfHeal: true, allowEmpty: true },
        syncOptions: ['PrunePropagationPolicy=background'],
        retry: { limit: -1, backoff: { duration: '5s', factor: 2, maxDuration: '3m' } },
      },
    },
  };
}

const resources = ['Deployment', 'Service', 'ConfigMap', 'Route', 'ServiceAccount'];

/** What Argo CD says after a sync, with five resources. */
export function argoStatus({ spec }: Pick<BenchObject, 'spec'>, revision: string, at: string) {
  const health = { status: 'Healthy' };
  const operation = { sync: { revision, prune: true }, initiatedBy: { automated: true } };
  return {
    sync: { status: 'Synced', revision, comparedTo: { source: spec.source, destination: spec.destination } },
    health,
    resources: resources.map((kind) => ({
      version: 'v1',
      kind,
      namespace: spec.destination?.namespace,
      name: 'the-app',
      status: 'Synced',
      health,
    })),
    operationState: {
      operation,
      phase: 'Succeeded',
      message: 'successfully synced (all tasks run)',
      syncResult: { revision, source: spec.source },
      startedAt: at,
      finishedAt: at,
    },
    reconciledAt: at,
  };
}

/** What becomes of it on the GitOpsDeployment, as large as the product's. */
export function deploymentStatus(told: ReturnType<typeof argoStatus>) {
  const { source, destination } = told.sync.comparedTo;
  return {
    sync: { status: told.sync.status, revision: told.sync.revision },
    health: told.health,
    resources: told.resources,
    reconciledState: {
      source: { path: source.path, repoURL: source.repoURL, branch: source.targetRevision },
      destination: { name: '', namespace: destination?.namespace },
    },
    operationState: told.operationState,
  };
}
