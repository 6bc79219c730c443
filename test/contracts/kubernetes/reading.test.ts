import { describe, expect, it } from 'vitest';
import { Application } from '../../../shared/contracts/kubernetes/application.ts';
import { Component } from '../../../shared/contracts/kubernetes/component.ts';
import { DeploymentTarget } from '../../../shared/contracts/kubernetes/deployment-target.ts';
import { DeploymentTargetClaim } from '../../../shared/contracts/kubernetes/deployment-target-claim.ts';
import { DeploymentTargetClass } from '../../../shared/contracts/kubernetes/deployment-target-class.ts';
import { Environment } from '../../../shared/contracts/kubernetes/environment.ts';
import { GitOpsDeployment } from '../../../shared/contracts/kubernetes/gitops-deployment.ts';
import { GitOpsDeploymentManagedEnvironment } from '../../../shared/contracts/kubernetes/gitops-deployment-managed-environment.ts';
import { GitOpsDeploymentRepositoryCredential } from '../../../shared/contracts/kubernetes/gitops-deployment-repository-credential.ts';
import { GitOpsDeploymentSyncRun } from '../../../shared/contracts/kubernetes/gitops-deployment-sync-run.ts';
import { PromotionRun } from '../../../shared/contracts/kubernetes/promotion-run.ts';
import { Snapshot } from '../../../shared/contracts/kubernetes/snapshot.ts';
import { SnapshotEnvironmentBinding } from '../../../shared/contracts/kubernetes/snapshot-environment-binding.ts';
import { refusals } from './examples.ts';

function appstudio(kind: string, spec: object, status?: object) {
  return { apiVersion: 'appstudio.redhat.com/v1alpha1', kind, metadata: { name: 'one' }, spec, status };
}

function gitops(kind: string, spec: object, status?: object) {
  return { apiVersion: 'managed-gitops.redhat.com/v1alpha1', kind, metadata: { name: 'one' }, spec, status };
}

const development = { displayName: 'Development', deploymentStrategy: 'AppStudioAutomated' };
const credentials = { defaultNamespace: 'dev', apiURL: 'https://api.example.com', clusterCredentialsSecret: 'key' };
const promoting = { snapshot: 'first', application: 'shop' };

describe('an object that leaves a field out', () => {
  it('has the deadlines of a promotion step: five minutes, and an hour for the target', () => {
    const { spec } = Environment.parse(appstudio('Environment', development));

    expect(spec.promotion).toEqual({ stepDeadline: '5m', targetDeadline: '1h' });
  });

  it('has a GitOps repository that we render into and make ourselves', () => {
    const { spec } = Application.parse(appstudio('Application', { displayName: 'Shop' }));

    expect(spec.gitOpsRepository).toEqual({ url: '', branch: '', context: '', renderedBy: 'Stagecoach' });
  });

  it('trusts no certificate blindly and makes no service account', () => {
    const managed = GitOpsDeploymentManagedEnvironment.parse(
      gitops('GitOpsDeploymentManagedEnvironment', { credentialsSecret: 'key' }),
    );
    const target = DeploymentTarget.parse(appstudio('DeploymentTarget', { kubernetesCredentials: credentials }));

    expect(managed.spec).toEqual({
      apiURL: '',
      credentialsSecret: 'key',
      allowInsecureSkipTLSVerify: false,
      createNewServiceAccount: false,
      namespaces: [],
      clusterResources: false,
    });
    expect(target.spec.kubernetesCredentials.allowInsecureSkipTLSVerify).toBe(false);
  });

  it('deploys to its own namespace', () => {
    const { spec } = GitOpsDeployment.parse(
      gitops('GitOpsDeployment', { source: { repoURL: 'u', path: 'p' }, type: 'automated' }),
    );

    expect(spec.destination).toEqual({ environment: '', namespace: '' });
  });

  it('claims any target, and a class gives no parameters and cannot expand', () => {
    const claim = DeploymentTargetClaim.parse(appstudio('DeploymentTargetClaim', {}));
    const { spec } = DeploymentTargetClass.parse(
      appstudio('DeploymentTargetClass', { provisioner: 'appstudio.redhat.com/devsandbox', reclaimPolicy: 'Retain' }),
    );

    expect(claim.spec).toMatchObject({ deploymentTargetClassName: '', targetName: '', arch: '' });
    expect(spec).toMatchObject({ parameters: {}, allowTargetResourceExpansion: false });
  });

  it('was never stored, and says so by an empty uid', () => {
    const { metadata } = Snapshot.parse(appstudio('Snapshot', {}));

    expect(metadata).toEqual({
      name: 'one',
      namespace: '',
      uid: '',
      resourceVersion: '',
      generation: 0,
      creationTimestamp: '',
      labels: {},
      annotations: {},
      finalizers: [],
      ownerReferences: [],
    });
  });
});

describe('a value', () => {
  it('outside a closed list is refused', () => {
    const refused = [
      Environment.safeParse(appstudio('Environment', { ...development, deploymentStrategy: 'Automated' })),
      Environment.safeParse(
        appstudio('Environment', { ...development, unstableConfigurationFields: { exposeWith: 'NodePort' } }),
      ),
      Application.safeParse(appstudio('Application', { displayName: 'Shop', gitOpsRepository: { renderedBy: 'Me' } })),
      PromotionRun.safeParse(appstudio('PromotionRun', { ...promoting, manualPromotion: {} }, { state: 'Complete' })),
      DeploymentTargetClaim.safeParse(appstudio('DeploymentTargetClaim', {}, { phase: 'Available' })),
    ];

    expect(refused.map(({ success }) => success)).toEqual([false, false, false, false, false]);
  });

  it('that a condition answers is let in', () => {
    const deployment = gitops('GitOpsDeployment', {
      source: { repoURL: 'u', path: '' },
      destination: { namespace: 'elsewhere' },
      type: 'sometimes',
      syncPolicy: { syncOptions: ['Nonsense=true'] },
    });
    const letIn = [
      GitOpsDeployment.safeParse(deployment),
      GitOpsDeploymentSyncRun.safeParse(gitops('GitOpsDeploymentSyncRun', { gitopsDeploymentName: 'gone' })),
      GitOpsDeploymentRepositoryCredential.safeParse(
        gitops('GitOpsDeploymentRepositoryCredential', { repository: '', secret: '' }),
      ),
      PromotionRun.safeParse(appstudio('PromotionRun', { ...promoting, manualPromotion: { targetEnvironment: '' } })),
      DeploymentTargetClass.safeParse(
        appstudio('DeploymentTargetClass', { provisioner: 'p', reclaimPolicy: 'Recycle' }),
      ),
    ];

    expect(letIn.map(({ success }) => success)).toEqual([true, true, true, true, true]);
  });

  it('of an amount may be a whole number, and is read as text', () => {
    const { spec } = DeploymentTargetClaim.parse(
      appstudio('DeploymentTargetClaim', { resources: { requests: { cpu: 2, memory: '16Gi' } } }),
    );

    expect(spec.resources?.requests).toEqual({ cpu: '2', memory: '16Gi' });
    expect(
      DeploymentTargetClaim.safeParse(appstudio('DeploymentTargetClaim', { resources: { limits: { cpu: 'many' } } }))
        .success,
    ).toBe(false);
  });

  it('of zero replicas is kept apart from none', () => {
    const { spec } = SnapshotEnvironmentBinding.parse(
      appstudio('SnapshotEnvironmentBinding', {
        application: 'shop',
        environment: 'dev',
        snapshot: 'first',
        components: [{ name: 'web', configuration: { replicas: 0 } }, { name: 'api' }],
      }),
    );

    expect(spec.components.map(({ configuration }) => configuration?.replicas)).toEqual([0, undefined]);
  });

  it('of the old environment type is read in the spelling of the documents', () => {
    const types = ['poc', 'POC', 'non-poc', 'Non-POC'].map(
      (type) => Environment.parse(appstudio('Environment', { ...development, type })).spec.type,
    );

    expect(types).toEqual(['poc', 'poc', 'non-poc', 'non-poc']);
  });

  it('that names nobody is no reference to a claim', () => {
    const read = ['dtc', ''].map(
      (name) =>
        DeploymentTarget.parse(
          appstudio('DeploymentTarget', { kubernetesCredentials: credentials, claimRef: { name } }),
        ).spec.claimRef,
    );

    expect(read).toEqual([{ name: 'dtc' }, undefined]);
  });

  it('of a field that nobody knows is tolerated and left out', () => {
    const read = Environment.parse(appstudio('Environment', { ...development, colour: 'green' }));

    expect(read.spec).not.toHaveProperty('colour');
  });
});

describe('one of two', () => {
  it('is what a promotion needs: manual or automated', () => {
    const refusal = ['set exactly one of manualPromotion and automatedPromotion'];
    const manualPromotion = { targetEnvironment: 'dev' };
    const automatedPromotion = { initialEnvironment: 'dev' };

    expect(refusals(PromotionRun, appstudio('PromotionRun', promoting))).toEqual(refusal);
    expect(
      refusals(PromotionRun, appstudio('PromotionRun', { ...promoting, manualPromotion, automatedPromotion })),
    ).toEqual(refusal);
  });

  it('is what an automated promotion needs: one environment to start in, or several; both are read as a list', () => {
    const read = [{ initialEnvironment: 'dev' }, { initialEnvironments: ['dev', 'qa'] }].map(
      (automatedPromotion) =>
        PromotionRun.parse(appstudio('PromotionRun', { ...promoting, automatedPromotion })).spec.automatedPromotion,
    );

    expect(read).toEqual([{ initialEnvironments: ['dev'] }, { initialEnvironments: ['dev', 'qa'] }]);
    expect(refusals(PromotionRun, appstudio('PromotionRun', { ...promoting, automatedPromotion: {} }))).toEqual([
      'set exactly one of initialEnvironment and initialEnvironments',
    ]);
  });

  it('is what a component needs at least: a source or an image', () => {
    const bare = { componentName: 'web', application: 'shop' };

    expect(refusals(Component, appstudio('Component', bare))).toEqual([
      'a component needs source.git.url or containerImage',
    ]);
    expect(refusals(Component, appstudio('Component', { ...bare, source: { git: { url: 'https://g' } } }))).toEqual([]);
  });
});
