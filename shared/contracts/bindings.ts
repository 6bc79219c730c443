import type {
  Binding,
  BoundApplication,
  BoundComponent,
  BoundEnvironment,
  BoundSnapshot,
  OwnedDeployment,
} from '../domain/binding/binding.ts';
import type { Application } from './kubernetes/application.ts';
import type { Component } from './kubernetes/component.ts';
import type { Environment } from './kubernetes/environment.ts';
import type { GitOpsDeployment } from './kubernetes/gitops-deployment.ts';
import { annotations, labels, readAnnotation } from './kubernetes/metadata-keys.ts';
import type { Snapshot } from './kubernetes/snapshot.ts';
import type { SnapshotEnvironmentBinding } from './kubernetes/snapshot-environment-binding.ts';
import { promotedBy } from './promoted-by.ts';

// Objects of the cluster in the words of the rules about Bindings.

const nothingSaid: Binding['status'] = {
  components: [],
  gitopsRepoConditions: [],
  gitopsDeployments: [],
  bindingConditions: [],
  componentDeploymentConditions: [],
};

export function bindingOf({ metadata, spec, status }: SnapshotEnvironmentBinding): Binding {
  return {
    uid: metadata.uid,
    version: metadata.resourceVersion,
    generation: metadata.generation ?? 0,
    created: Date.parse(metadata.creationTimestamp),
    isDeleting: metadata.deletionTimestamp !== undefined,
    labels: metadata.labels,
    application: spec.application,
    environment: spec.environment,
    snapshot: spec.snapshot,
    ...promotedBy(metadata.annotations),
    components: spec.components.map(({ name, configuration }) => ({ name, configuration })),
    status: status ?? nothingSaid,
  };
}

export function boundApplicationOf({ metadata, spec, status }: Application): BoundApplication {
  const created = status?.conditions.find(({ type }) => type === 'Created');
  return {
    uid: metadata.uid,
    isRenderedByOthers: spec.gitOpsRepository.renderedBy === 'External',
    configuration: spec.configuration,
    problem: created?.status === 'False' ? created.message : undefined,
  };
}

export function boundEnvironmentOf({ metadata, spec }: Environment): BoundEnvironment {
  const { clusterType, exposeWith, kubernetesCredentials } = spec.unstableConfigurationFields ?? {};
  const [namespace = '', name = ''] = (readAnnotation(metadata.annotations, annotations.gateway) ?? '').split('/');
  return {
    isAutomated: spec.deploymentStrategy === 'AppStudioAutomated',
    env: spec.configuration?.env ?? [],
    clusterType,
    exposeWith,
    ingressDomain: kubernetesCredentials?.ingressDomain ?? '',
    gateway: name === '' ? undefined : { namespace, name },
    targetNamespace: kubernetesCredentials?.targetNamespace ?? '',
  };
}

export function boundComponentOf({ metadata, spec }: Component): BoundComponent {
  return {
    name: metadata.name,
    componentName: spec.componentName,
    application: spec.application,
    isSkipped: spec.skipGitOpsResourceGeneration,
    replicas: spec.replicas,
    resources: spec.resources,
    env: spec.env.map(({ name, value }) => ({ name, value })),
    unsupportedEnv: spec.env.filter(({ valueFrom }) => valueFrom !== undefined).map(({ name }) => name),
    port: spec.targetPort ?? 0,
    route: spec.route,
    // A Component that is built has the Secret for its source.
    pullSecret: spec.containerImage === '' ? '' : spec.secret,
    kustomizeBase: spec.kustomizeBase,
  };
}

export function boundSnapshotOf({ spec }: Snapshot): BoundSnapshot {
  return {
    application: spec.application,
    components: spec.components.map(({ name, containerImage }) => ({ name, image: containerImage })),
  };
}

export function ownedDeploymentOf({ metadata, spec, status }: GitOpsDeployment): OwnedDeployment {
  return {
    name: metadata.name,
    uid: metadata.uid,
    version: metadata.resourceVersion,
    component: metadata.labels[labels.deployedComponent] ?? '',
    owner: metadata.ownerReferences.find(({ controller }) => controller === true)?.uid,
    isDeleting: metadata.deletionTimestamp !== undefined,
    labels: metadata.labels,
    commit: readAnnotation(metadata.annotations, annotations.commit) ?? '',
    spec: {
      source: spec.source,
      destination: spec.destination,
      type: spec.type,
      syncOptions: spec.syncPolicy?.syncOptions ?? [],
    },
    syncStatus: status?.sync?.status ?? '',
    health: status?.health?.status ?? '',
    revision: status?.sync?.revision ?? '',
  };
}
