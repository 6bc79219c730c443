import {
  applications,
  bindings,
  claims,
  components,
  environments,
  gitOpsDeployments,
  managedEnvironments,
  type ObjectKind,
  promotionRuns,
  repositoryCredentials,
  snapshots,
  spaceRequests,
  syncRuns,
  targets,
} from '../../shared/contracts/kubernetes/kinds.ts';
import { finalizers } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { MappedKind } from '../../shared/ports/drift-rows.ts';

interface ResourceKind {
  readonly objects: ObjectKind;
  /** What to say when something is wrong with one. */
  readonly knock: string;
  /** What keeps one that is deleted, until its function has let go of it. */
  readonly finalizer?: string | undefined;
  readonly mapped: MappedKind | undefined;
  /** Nobody has to know anything of one that says so any more. */
  isOver?(status: { readonly state?: string | undefined } | undefined): boolean;
}

export type LookedAt = MappedKind | 'DeploymentTargetClaim' | 'SpaceRequest';

/** The kinds that a pass looks at one by one, each with who looks after it. */
export const resourceKinds: Readonly<Record<LookedAt, ResourceKind>> = {
  GitOpsDeployment: {
    objects: gitOpsDeployments,
    knock: 'gitops-deployment.changed.v1',
    finalizer: finalizers.gitOpsDeployment.key,
    mapped: 'GitOpsDeployment',
  },
  GitOpsDeploymentManagedEnvironment: {
    objects: managedEnvironments,
    knock: 'managed-environment.changed.v1',
    mapped: 'GitOpsDeploymentManagedEnvironment',
  },
  GitOpsDeploymentRepositoryCredential: {
    objects: repositoryCredentials,
    knock: 'repo-credential.changed.v1',
    mapped: 'GitOpsDeploymentRepositoryCredential',
  },
  GitOpsDeploymentSyncRun: { objects: syncRuns, knock: 'sync-run.changed.v1', mapped: 'GitOpsDeploymentSyncRun' },
  DeploymentTarget: {
    objects: targets,
    knock: 'target.changed.v1',
    finalizer: finalizers.target.key,
    mapped: 'DeploymentTarget',
  },
  Environment: {
    objects: environments,
    knock: 'environment.changed.v1',
    finalizer: finalizers.environment.key,
    mapped: 'Environment',
  },
  Application: { objects: applications, knock: 'application.changed.v1', mapped: 'Application' },
  Component: { objects: components, knock: 'component.changed.v1', mapped: 'Component' },
  // One that somebody else renders for, or that waits, has no rows and says so.
  SnapshotEnvironmentBinding: {
    objects: bindings,
    knock: 'binding.changed.v1',
    mapped: 'SnapshotEnvironmentBinding',
  },
  Snapshot: { objects: snapshots, knock: 'snapshot.changed.v1', mapped: 'Snapshot' },
  PromotionRun: {
    objects: promotionRuns,
    knock: 'promotion.changed.v1',
    mapped: 'PromotionRun',
    isOver: (status) => status?.state === 'Completed',
  },
  // These have no rows while nothing is waited for; whoever looks at them writes what it saw on the object.
  DeploymentTargetClaim: {
    objects: claims,
    knock: 'claim.changed.v1',
    finalizer: finalizers.claim.key,
    mapped: undefined,
  },
  SpaceRequest: {
    objects: spaceRequests,
    knock: 'space-request.changed.v1',
    finalizer: finalizers.spaceRequest.key,
    mapped: undefined,
  },
};
