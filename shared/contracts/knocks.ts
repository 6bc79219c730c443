import { contract, Subject } from './envelope.ts';

// Each says that an object of that kind is no longer as it was, or is no longer at all.
export const ApplicationChanged = contract('application.changed.v1', Subject);
export const ComponentChanged = contract('component.changed.v1', Subject);
export const EnvironmentChanged = contract('environment.changed.v1', Subject);
export const SnapshotChanged = contract('snapshot.changed.v1', Subject);
export const BindingChanged = contract('binding.changed.v1', Subject);
export const PromotionChanged = contract('promotion.changed.v1', Subject);
export const TargetChanged = contract('target.changed.v1', Subject);
export const ClaimChanged = contract('claim.changed.v1', Subject);
export const ClassChanged = contract('class.changed.v1', Subject);
export const GitOpsDeploymentChanged = contract('gitops-deployment.changed.v1', Subject);
export const SyncRunChanged = contract('sync-run.changed.v1', Subject);
export const ManagedEnvironmentChanged = contract('managed-environment.changed.v1', Subject);
export const RepoCredentialChanged = contract('repo-credential.changed.v1', Subject);
export const OperationChanged = contract('operation.changed.v1', Subject);
export const SpaceRequestChanged = contract('space-request.changed.v1', Subject);
export const ArgoApplicationChanged = contract('argo-application.changed.v1', Subject);
export const SecretChanged = contract('secret.changed.v1', Subject);
