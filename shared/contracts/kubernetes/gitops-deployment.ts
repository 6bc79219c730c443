import { z } from 'zod';
import { list, text } from './parts/absent.ts';
import { probedConditions } from './parts/condition.ts';
import { Health } from './parts/health.ts';
import { instant } from './parts/instant.ts';
import { resource } from './parts/resource.ts';
import { eitherSpelling } from './parts/spelling.ts';

// Values that the service answers by a condition are let in here: an empty path, an unknown type or sync option, a
// namespace without an environment. The admission webhook refuses some of them earlier, where it runs.

const Source = eitherSpelling(
  z.object({
    repoURL: z.string().max(2048).optional().describe('The address of the Git repository.'),
    repository: z.string().max(2048).optional().describe('Another spelling of repoURL, understood and never written.'),
    path: z.string().describe('The directory in the repository that holds what is deployed. Neither empty nor /.'),
    targetRevision: z.string().max(1024).optional().describe('A branch, a tag or a commit. Empty: the default branch.'),
    revision: z
      .string()
      .max(1024)
      .optional()
      .describe('Another spelling of targetRevision, understood and never written.'),
  }),
  { canonical: 'repoURL', other: 'repository', required: true },
  { canonical: 'targetRevision', other: 'revision' },
).transform(({ repository, revision, ...source }) => ({
  ...source,
  repoURL: source.repoURL || repository || '',
  targetRevision: source.targetRevision || revision || '',
}));

const Destination = eitherSpelling(
  z.object({
    environment: z
      .string()
      .max(253)
      .optional()
      .describe(
        'The GitOpsDeploymentManagedEnvironment of the same namespace to deploy to. Empty: the namespace of this object.',
      ),
    managedEnvironment: z
      .string()
      .max(253)
      .optional()
      .describe('Another spelling of environment, understood and never written.'),
    namespace: text('The namespace to deploy to. Needed where an environment is named.'),
  }),
  { canonical: 'environment', other: 'managedEnvironment' },
).transform(({ managedEnvironment, ...destination }) => ({
  ...destination,
  environment: destination.environment || managedEnvironment || '',
}));

const Spec = z.object({
  source: Source.describe('What to deploy.'),
  destination: Destination.optional()
    .transform((given) => given ?? { environment: '', namespace: '' })
    .describe('Where to deploy to. Absent: the namespace of this object.'),
  type: z
    .string()
    .describe('automated: every commit is deployed at once. manual: only when a GitOpsDeploymentSyncRun asks for it.'),
  syncPolicy: z
    .object({
      syncOptions: list('How to deploy: CreateNamespace=true or CreateNamespace=false.', z.string()),
    })
    .optional()
    .describe('How to deploy.'),
});

const OperationState = z.object({
  operation: z.looseObject({}).optional().describe('What was asked for.'),
  phase: text('Running, Terminating, Failed, Error or Succeeded.'),
  message: text('How it went.'),
  syncResult: z.looseObject({}).optional().describe('What came of it.'),
  startedAt: instant('When it began.').optional(),
  finishedAt: instant('When it ended. Absent while it runs.').optional(),
  retryCount: z.int().min(0).meta({ format: 'int64' }).optional().describe('How often it was tried again.'),
});

const ReconciledState = z.object({
  source: z
    .object({
      path: text('The directory.'),
      repoURL: text('The repository.'),
      branch: text('The revision that was asked for.'),
    })
    .optional()
    .describe('What was compared.'),
  destination: z
    .object({
      name: text('The GitOpsDeploymentManagedEnvironment. Empty: the cluster of this object.'),
      namespace: text('The namespace.'),
    })
    .optional()
    .describe('What it was compared with.'),
});

const ResourceStatus = z.object({
  group: text('The API group.'),
  version: text('The version of the API group.'),
  kind: text('The kind.'),
  namespace: text('The namespace.'),
  name: text('The name.'),
  status: text('Synced, OutOfSync or Unknown.'),
  health: Health.optional().describe('How it is doing.'),
});

const Status = z.object({
  conditions: probedConditions('What went wrong: ErrorOccurred, and what Argo CD reports by its own names.'),
  sync: z
    .object({
      status: text('Whether the cluster is as Git says: Synced, OutOfSync or Unknown.'),
      revision: text('The commit that it was compared with.'),
    })
    .optional()
    .describe('Whether the cluster is as Git says.'),
  syncStatus: text('Another spelling of sync.status, understood and never written.'),
  health: Health.optional().describe('How what was deployed is doing.'),
  resources: list('Every resource that belongs to the deployment, and how it is doing.', ResourceStatus),
  reconciledState: ReconciledState.optional().describe('What Argo CD last compared with what.'),
  operationState: OperationState.optional().describe('The last sync, as Argo CD tells it.'),
  observedAt: instant('When Argo CD was last heard about this deployment with anything new.').optional(),
});

/** One directory of a Git repository, kept in one namespace of a cluster. */
export const GitOpsDeployment = resource({
  apiVersion: 'managed-gitops.redhat.com/v1alpha1',
  kind: 'GitOpsDeployment',
  description: 'Keeps what a directory of a Git repository says in one namespace of a cluster, by Argo CD.',
  spec: Spec.describe('What to deploy, and where to.'),
  status: Status.transform(({ syncStatus, sync, ...status }) => ({
    ...status,
    sync: sync ?? (syncStatus === '' ? undefined : { status: syncStatus, revision: '' }),
  })).describe('What is known about it.'),
});
export type GitOpsDeployment = z.infer<typeof GitOpsDeployment>;
