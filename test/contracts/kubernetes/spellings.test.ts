import { describe, expect, it } from 'vitest';
import { Component } from '../../../shared/contracts/kubernetes/component.ts';
import { Environment } from '../../../shared/contracts/kubernetes/environment.ts';
import { GitOpsDeployment } from '../../../shared/contracts/kubernetes/gitops-deployment.ts';
import { GitOpsDeploymentManagedEnvironment } from '../../../shared/contracts/kubernetes/gitops-deployment-managed-environment.ts';
import type { ResourceSchema } from '../../../shared/contracts/kubernetes/parts/resource.ts';
import { SnapshotEnvironmentBinding } from '../../../shared/contracts/kubernetes/snapshot-environment-binding.ts';
import { refusals } from './examples.ts';

interface Pair {
  readonly schema: ResourceSchema;
  readonly canonical: object;
  readonly other: object;
  readonly both: object;
  readonly refusal: string;
}

const deployment = { apiVersion: 'managed-gitops.redhat.com/v1alpha1', kind: 'GitOpsDeployment', metadata: {} };
const managed = { ...deployment, kind: 'GitOpsDeploymentManagedEnvironment' };
const environment = { apiVersion: 'appstudio.redhat.com/v1alpha1', kind: 'Environment', metadata: {} };
const component = { ...environment, kind: 'Component' };
const binding = { ...environment, kind: 'SnapshotEnvironmentBinding' };
const inEnvironment = { displayName: 'Production', deploymentStrategy: 'Manual' };
const inComponent = { componentName: 'web', application: 'shop' };
const bound = { application: 'shop', environment: 'prod', snapshot: 'first' };
const repository = { url: 'https://git.example.com/shop', branch: 'main', path: 'components/web/overlays/prod' };

function deploying(source: object, destination: object = {}) {
  return { ...deployment, spec: { source: { path: 'overlays/dev', ...source }, destination, type: 'manual' } };
}

function inCluster(credentials: object) {
  return { ...environment, spec: { ...inEnvironment, ...credentials } };
}

function reporting(component: object) {
  return { ...binding, spec: bound, status: { components: [{ name: 'web', ...component }] } };
}

const pairs: Readonly<Record<string, Pair>> = {
  'source.repository is source.repoURL': {
    schema: GitOpsDeployment,
    canonical: deploying({ repoURL: 'https://git.example.com/a' }),
    other: deploying({ repository: 'https://git.example.com/a' }),
    both: deploying({ repoURL: 'https://git.example.com/a', repository: 'https://git.example.com/a' }),
    refusal: 'repository is another spelling of repoURL: set one of them, not both',
  },
  'source.revision is source.targetRevision': {
    schema: GitOpsDeployment,
    canonical: deploying({ repoURL: 'u', targetRevision: 'main' }),
    other: deploying({ repoURL: 'u', revision: 'main' }),
    both: deploying({ repoURL: 'u', targetRevision: 'main', revision: 'next' }),
    refusal: 'revision is another spelling of targetRevision: set one of them, not both',
  },
  'destination.managedEnvironment is destination.environment': {
    schema: GitOpsDeployment,
    canonical: deploying({ repoURL: 'u' }, { environment: 'prod', namespace: 'shop' }),
    other: deploying({ repoURL: 'u' }, { managedEnvironment: 'prod', namespace: 'shop' }),
    both: deploying({ repoURL: 'u' }, { managedEnvironment: 'prod', environment: 'dev' }),
    refusal: 'managedEnvironment is another spelling of environment: set one of them, not both',
  },
  'clusterCredentialsSecret of a managed environment is credentialsSecret': {
    schema: GitOpsDeploymentManagedEnvironment,
    canonical: { ...managed, spec: { credentialsSecret: 'key' } },
    other: { ...managed, spec: { clusterCredentialsSecret: 'key' } },
    both: { ...managed, spec: { clusterCredentialsSecret: 'key', credentialsSecret: 'key' } },
    refusal: 'clusterCredentialsSecret is another spelling of credentialsSecret: set one of them, not both',
  },
  'clusterCredentials of an environment are unstableConfigurationFields.kubernetesCredentials': {
    schema: Environment,
    canonical: inCluster({
      unstableConfigurationFields: {
        kubernetesCredentials: { apiURL: 'https://api.example.com', clusterCredentialsSecret: 'key' },
      },
    }),
    other: inCluster({ clusterCredentials: { apiServerURL: 'https://api.example.com', credentials: 'key' } }),
    both: inCluster({
      unstableConfigurationFields: { kubernetesCredentials: {} },
      clusterCredentials: { credentials: 'key' },
    }),
    refusal:
      'clusterCredentials is another spelling of unstableConfigurationFields.kubernetesCredentials: set one of them, not both',
  },
  'build.containerImage of a component is containerImage': {
    schema: Component,
    canonical: { ...component, spec: { ...inComponent, containerImage: 'quay.io/shop/web:1' } },
    other: { ...component, spec: { ...inComponent, build: { containerImage: 'quay.io/shop/web:1' } } },
    both: { ...component, spec: { ...inComponent, containerImage: 'a', build: { containerImage: 'b' } } },
    refusal: 'build.containerImage is another spelling of containerImage: set one of them, not both',
  },
  'gitopsRepository of a bound component is gitOpsRepository': {
    schema: SnapshotEnvironmentBinding,
    canonical: reporting({ gitOpsRepository: repository }),
    other: reporting({ gitopsRepository: repository }),
    both: reporting({ gitOpsRepository: repository, gitopsRepository: repository }),
    refusal: 'gitopsRepository is another spelling of gitOpsRepository: set one of them, not both',
  },
};

describe('a field with two spellings', () => {
  it.each(Object.entries(pairs))('%s', (_rule, { schema, canonical, other }) => {
    const read = schema.parse(other);

    expect(read).toEqual(schema.parse(canonical));
  });

  it.each(Object.entries(pairs))('%s, and both at once are refused', (_rule, { schema, both, refusal }) => {
    expect(refusals(schema, both)).toEqual([refusal]);
  });

  it('may have an empty value beside the other spelling, as programs write fields that they do not use', () => {
    const read = GitOpsDeployment.parse(deploying({ repoURL: '', repository: 'https://git.example.com/a' }));

    expect(read.spec.source.repoURL).toBe('https://git.example.com/a');
  });

  it('must have one of them where the field is required', () => {
    expect(refusals(GitOpsDeployment, deploying({}))).toEqual(['repoURL is required']);
    expect(refusals(GitOpsDeploymentManagedEnvironment, { ...managed, spec: {} })).toEqual([
      'credentialsSecret is required',
    ]);
  });

  it('may be required and empty, because a condition answers that', () => {
    expect(GitOpsDeployment.parse(deploying({ repository: '' })).spec.source.repoURL).toBe('');
  });

  it('is read from the sync status of the documents too, where the one of the API is not there', () => {
    const read = GitOpsDeployment.parse({ ...deploying({ repoURL: 'u' }), status: { syncStatus: 'Synced' } });

    expect(read.status?.sync).toEqual({ status: 'Synced', revision: '' });
  });

  it('keeps the other details of the cluster', () => {
    const read = Environment.parse(
      inCluster({
        unstableConfigurationFields: { clusterType: 'OpenShift', exposeWith: 'HTTPRoute' },
        clusterCredentials: { apiServerURL: 'https://api.example.com', credentials: 'key' },
      }),
    );

    expect(read.spec.unstableConfigurationFields).toMatchObject({ clusterType: 'OpenShift', exposeWith: 'HTTPRoute' });
  });
});
