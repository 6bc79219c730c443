import {
  ApplicationChanged,
  ArgoApplicationChanged,
  BindingChanged,
  ClaimChanged,
  ComponentChanged,
  EnvironmentChanged,
  GitOpsDeploymentChanged,
  ManagedEnvironmentChanged,
  PromotionChanged,
  RepoCredentialChanged,
  SnapshotChanged,
  SpaceRequestChanged,
  SyncRunChanged,
  TargetChanged,
} from '../../shared/contracts/knocks.ts';
import { OperationRequested, OverlayRequested } from '../../shared/contracts/requests.ts';

/** Whom a pass may knock for: whoever owns the rule about what it finds. */
export const toldOf = [
  GitOpsDeploymentChanged,
  ManagedEnvironmentChanged,
  RepoCredentialChanged,
  SyncRunChanged,
  ArgoApplicationChanged,
  ClaimChanged,
  TargetChanged,
  EnvironmentChanged,
  SpaceRequestChanged,
  ApplicationChanged,
  ComponentChanged,
  SnapshotChanged,
  BindingChanged,
  PromotionChanged,
  OverlayRequested,
  OperationRequested,
];
