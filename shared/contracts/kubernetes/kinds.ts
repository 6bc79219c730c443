import type { z } from 'zod';
import { AppProject } from '../argo/app-project.ts';
import { ArgoApplication } from '../argo/application.ts';
import { Application } from './application.ts';
import { Component } from './component.ts';
import {
  ClusterRole,
  ClusterRoleBinding,
  Namespace,
  ResourceQuota,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
} from './core-objects.ts';
import { DeploymentTarget } from './deployment-target.ts';
import { DeploymentTargetClaim } from './deployment-target-claim.ts';
import { DeploymentTargetClass } from './deployment-target-class.ts';
import { Environment } from './environment.ts';
import { GitOpsDeployment } from './gitops-deployment.ts';
import { GitOpsDeploymentManagedEnvironment } from './gitops-deployment-managed-environment.ts';
import { GitOpsDeploymentRepositoryCredential } from './gitops-deployment-repository-credential.ts';
import { GitOpsDeploymentSyncRun } from './gitops-deployment-sync-run.ts';
import { Operation } from './operation.ts';
import { PromotionRun } from './promotion-run.ts';
import { Snapshot } from './snapshot.ts';
import { SnapshotEnvironmentBinding } from './snapshot-environment-binding.ts';
import { SpaceRequest } from './space-request.ts';

export type AnySchema = z.ZodType;
/** An object of a kind, as its schema reads it. */
export type ObjectOf<Schema extends AnySchema> = z.output<Schema>;

/** What it takes to find and to read objects of one kind. */
export interface ObjectKind<Schema extends z.ZodType = z.ZodType> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly Schema: Schema;
}

export const applications = appstudio('Application', Application);
export const components = appstudio('Component', Component);
export const snapshots = appstudio('Snapshot', Snapshot);
export const bindings = appstudio('SnapshotEnvironmentBinding', SnapshotEnvironmentBinding);
export const environments = appstudio('Environment', Environment);
export const promotionRuns = appstudio('PromotionRun', PromotionRun);
export const claims = appstudio('DeploymentTargetClaim', DeploymentTargetClaim);
export const targets = appstudio('DeploymentTarget', DeploymentTarget);
export const classes: ObjectKind<typeof DeploymentTargetClass> = {
  ...appstudio('DeploymentTargetClass', DeploymentTargetClass),
  plural: 'deploymenttargetclasses',
  namespaced: false,
};
export const spaceRequests = named('toolchain.dev.openshift.com', 'v1alpha1', 'SpaceRequest', SpaceRequest, true);

export const gitOpsDeployments = gitops('GitOpsDeployment', GitOpsDeployment);
export const syncRuns = gitops('GitOpsDeploymentSyncRun', GitOpsDeploymentSyncRun);
export const managedEnvironments = gitops('GitOpsDeploymentManagedEnvironment', GitOpsDeploymentManagedEnvironment);
export const repositoryCredentials = gitops(
  'GitOpsDeploymentRepositoryCredential',
  GitOpsDeploymentRepositoryCredential,
);
export const operations = gitops('Operation', Operation);

export const argoApplications = argo('Application', ArgoApplication);
export const appProjects = argo('AppProject', AppProject);

export const namespaces = core('Namespace', Namespace, { namespaced: false });
export const secrets = core('Secret', Secret);
export const serviceAccounts = core('ServiceAccount', ServiceAccount);
export const resourceQuotas = core('ResourceQuota', ResourceQuota);
export const clusterRoles = rbac('ClusterRole', ClusterRole, false);
export const clusterRoleBindings = rbac('ClusterRoleBinding', ClusterRoleBinding, false);
export const roles = rbac('Role', Role, true);
export const roleBindings = rbac('RoleBinding', RoleBinding, true);

function appstudio<Schema extends z.ZodType>(kind: string, Schema: Schema): ObjectKind<Schema> {
  return named('appstudio.redhat.com', 'v1alpha1', kind, Schema, true);
}

function gitops<Schema extends z.ZodType>(kind: string, Schema: Schema): ObjectKind<Schema> {
  return named('managed-gitops.redhat.com', 'v1alpha1', kind, Schema, true);
}

function argo<Schema extends z.ZodType>(kind: string, Schema: Schema): ObjectKind<Schema> {
  return named('argoproj.io', 'v1alpha1', kind, Schema, true);
}

function core<Schema extends z.ZodType>(
  kind: string,
  Schema: Schema,
  { namespaced = true }: { readonly namespaced?: boolean } = {},
): ObjectKind<Schema> {
  return named('', 'v1', kind, Schema, namespaced);
}

function rbac<Schema extends z.ZodType>(kind: string, Schema: Schema, namespaced: boolean): ObjectKind<Schema> {
  return named('rbac.authorization.k8s.io', 'v1', kind, Schema, namespaced);
}

function named<Schema extends z.ZodType>(
  group: string,
  version: string,
  kind: string,
  Schema: Schema,
  namespaced: boolean,
): ObjectKind<Schema> {
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, namespaced, Schema };
}
