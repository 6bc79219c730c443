import type { z } from 'zod';
import { AppProject } from '../argo/app-project.ts';
import { ArgoApplication } from '../argo/application.ts';
import { Application } from './application.ts';
import { Component } from './component.ts';
import { DeploymentTarget } from './deployment-target.ts';
import { claimValidations, DeploymentTargetClaim } from './deployment-target-claim.ts';
import { DeploymentTargetClass } from './deployment-target-class.ts';
import { Environment } from './environment.ts';
import { GitOpsDeployment } from './gitops-deployment.ts';
import { GitOpsDeploymentManagedEnvironment } from './gitops-deployment-managed-environment.ts';
import { GitOpsDeploymentRepositoryCredential } from './gitops-deployment-repository-credential.ts';
import { GitOpsDeploymentSyncRun } from './gitops-deployment-sync-run.ts';
import type { Kind, PrinterColumn } from './kind.ts';
import { Operation } from './operation.ts';
import { hasEnvironmentName, hasLabelName } from './parts/object-name.ts';
import type { ResourceSchema } from './parts/resource.ts';
import { PromotionRun } from './promotion-run.ts';
import { Snapshot } from './snapshot.ts';
import { SnapshotEnvironmentBinding } from './snapshot-environment-binding.ts';
import { SpaceRequest } from './space-request.ts';

const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** The kinds of `appstudio.redhat.com` and `managed-gitops.redhat.com`. Their CRDs are made from this table. */
export const ourKinds: readonly Kind<ResourceSchema>[] = [
  appstudio('Application', Application, {
    shortNames: ['hasapp', 'ha', 'app'],
    printerColumns: [age, ofCondition('Status', 'Created', 'status'), ofCondition('Reason', 'Created', 'reason')],
    validations: [hasLabelName('application')],
  }),
  appstudio('Component', Component, {
    printerColumns: [
      column('Application', '.spec.application'),
      column('Image', '.status.containerImage'),
      ofCondition('Status', 'Created', 'status'),
      age,
    ],
    validations: [hasLabelName('component')],
  }),
  appstudio('Environment', Environment, {
    shortNames: ['env'],
    printerColumns: [
      column('Strategy', '.spec.deploymentStrategy'),
      column('Parent', '.spec.parentEnvironment'),
      column('Claim', '.spec.configuration.target.deploymentTargetClaim.claimName'),
      ofCondition('Ready', 'TargetReady', 'status'),
      age,
    ],
    validations: [hasEnvironmentName],
  }),
  appstudio('Snapshot', Snapshot, {
    shortNames: ['as', 'snapshot'],
    printerColumns: [column('Application', '.spec.application'), column('Display Name', '.spec.displayName'), age],
  }),
  appstudio('SnapshotEnvironmentBinding', SnapshotEnvironmentBinding, {
    shortNames: ['aseb', 'binding'],
    printerColumns: [
      column('Application', '.spec.application'),
      column('Environment', '.spec.environment'),
      column('Snapshot', '.spec.snapshot'),
      column('Deployed', '.status.componentDeploymentConditions[?(@.type=="AllComponentsDeployed")].status'),
      age,
    ],
  }),
  appstudio('PromotionRun', PromotionRun, {
    shortNames: ['apr', 'promotion'],
    printerColumns: [
      column('Application', '.spec.application'),
      column('Snapshot', '.spec.snapshot'),
      column('State', '.status.state'),
      column('Result', '.status.completionResult'),
      column('Waiting For', '.status.waiting.reason'),
      age,
    ],
  }),
  appstudio('DeploymentTarget', DeploymentTarget, {
    printerColumns: [
      column('Class', '.spec.deploymentTargetClassName'),
      column('Claim', '.spec.claimRef.name'),
      column('Phase', '.status.phase'),
      age,
    ],
  }),
  appstudio('DeploymentTargetClaim', DeploymentTargetClaim, {
    printerColumns: [
      column('Class', '.spec.deploymentTargetClassName'),
      column('Target', '.spec.targetName'),
      column('Phase', '.status.phase'),
      age,
    ],
    validations: claimValidations,
  }),
  appstudio('DeploymentTargetClass', DeploymentTargetClass, {
    plural: 'deploymenttargetclasses',
    scope: 'Cluster',
    printerColumns: [column('Provisioner', '.spec.provisioner'), column('Reclaim Policy', '.spec.reclaimPolicy'), age],
  }),
  gitops('GitOpsDeployment', GitOpsDeployment, {
    printerColumns: [column('Sync Status', '.status.sync.status'), column('Health Status', '.status.health.status')],
  }),
  gitops('GitOpsDeploymentSyncRun', GitOpsDeploymentSyncRun, {
    printerColumns: [
      column('Deployment', '.spec.gitopsDeploymentName'),
      column('Revision', '.spec.revisionID'),
      column('Sync Status', '.status.syncStatus'),
      age,
    ],
  }),
  gitops('GitOpsDeploymentManagedEnvironment', GitOpsDeploymentManagedEnvironment, {
    printerColumns: [
      column('API URL', '.spec.apiURL'),
      ofCondition('Connected', 'ConnectionInitializationSucceeded', 'status'),
      ofCondition('Reason', 'ConnectionInitializationSucceeded', 'reason'),
      age,
    ],
  }),
  gitops('GitOpsDeploymentRepositoryCredential', GitOpsDeploymentRepositoryCredential, {
    printerColumns: [
      column('Repository', '.spec.repository'),
      ofCondition('Valid', 'ValidRepositoryCredential', 'status'),
      age,
    ],
  }),
  gitops('Operation', Operation, { printerColumns: [column('Operation ID', '.spec.operationID'), age] }),
];

/** Fulfilled by its own operator or, where none runs, by our provisioner, which then brings the CRD. */
export const spaceRequestKind: Kind<ResourceSchema> = kind(
  'toolchain.dev.openshift.com',
  'SpaceRequest',
  SpaceRequest,
  {
    printerColumns: [
      column('Tier', '.spec.tierName'),
      column('TargetClusterURL', '.status.targetClusterURL'),
      ofCondition('Ready', 'Ready', 'status'),
      ofCondition('Reason', 'Ready', 'reason'),
    ],
  },
);

/** Kinds of others that we read and write. */
export const foreignKinds: readonly Kind[] = [
  spaceRequestKind,
  kind('argoproj.io', 'Application', ArgoApplication, { shortNames: ['app', 'apps'] }),
  kind('argoproj.io', 'AppProject', AppProject, { shortNames: ['appproj', 'appprojs'] }),
];

type Rest = Partial<Pick<Kind, 'plural' | 'scope' | 'shortNames' | 'printerColumns' | 'validations'>>;

function appstudio(name: string, Schema: ResourceSchema, rest: Rest): Kind<ResourceSchema> {
  return kind('appstudio.redhat.com', name, Schema, rest);
}

function gitops(name: string, Schema: ResourceSchema, rest: Rest): Kind<ResourceSchema> {
  return kind('managed-gitops.redhat.com', name, Schema, rest);
}

function kind<Schema extends z.ZodType>(group: string, name: string, Schema: Schema, rest: Rest): Kind<Schema> {
  const singular = name.toLowerCase();
  return {
    group,
    version: 'v1alpha1',
    kind: name,
    plural: `${singular}s`,
    singular,
    shortNames: [],
    scope: 'Namespaced',
    Schema,
    printerColumns: [],
    validations: [],
    ...rest,
  };
}

function column(name: string, jsonPath: string): PrinterColumn {
  return { name, type: 'string', jsonPath };
}

function ofCondition(name: string, type: string, field: 'status' | 'reason'): PrinterColumn {
  return column(name, `.status.conditions[?(@.type=="${type}")].${field}`);
}
