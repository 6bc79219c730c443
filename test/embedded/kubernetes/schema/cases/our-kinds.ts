import type { Scenario, Step, Values } from '../play-scenario.ts';

const appstudio = (plural: string) => `appstudio.redhat.com_${plural}.yaml`;
const gitops = (plural: string) => `managed-gitops.redhat.com_${plural}.yaml`;
const creates = (...specs: readonly Values[]): Step[] => specs.map((create) => ({ create }));
const updates = (...specs: readonly Values[]): Step[] => specs.map((update) => ({ update }));

const repository = { url: 'https://git/a', branch: 'main', context: '/' };
const component = { componentName: 'c', application: 'a' };
const environment = { displayName: 'e', deploymentStrategy: 'Manual' };
const credentials = {
  ...{ defaultNamespace: 'n', targetNamespace: 'n', apiURL: 'https://api', clusterCredentialsSecret: 's' },
  ...{ allowInsecureSkipTLSVerify: false, ingressDomain: 'a.b' },
};
const cluster = (changed: Values, clusterType = 'Kubernetes') => ({
  ...environment,
  unstableConfigurationFields: { clusterType, kubernetesCredentials: { ...credentials, ...changed } },
});
const claim = {
  deploymentTargetClassName: 'c',
  arch: 'amd64',
  targetName: 't',
  resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: 2 } },
};
const source = { repoURL: 'https://git/a', path: 'p' };
const deployment = { source, type: 'automated' };

/** Every rule of every kind of ours, kept and broken. */
export const ourKinds: readonly Scenario[] = [
  {
    name: 'Application',
    schema: appstudio('applications'),
    steps: [
      ...creates({}, { displayName: 'a' }),
      { create: { displayName: 'a' }, name: '1a' },
      { create: { displayName: 'a' }, name: `a${'b'.repeat(63)}` },
      { create: { displayName: 'a' }, name: 'a.b' },
      ...creates({ displayName: 'a', gitOpsRepository: { url: '' }, appModelRepository: { url: '' } }),
      ...updates({ gitOpsRepository: repository }, { appModelRepository: repository }, { displayName: 'b' }),
      ...updates({ gitOpsRepository: { ...repository, branch: 'x' } }, { gitOpsRepository: { url: repository.url } }),
      ...updates({ gitOpsRepository: null }, { appModelRepository: { ...repository, url: 'https://git/b' } }),
      ...updates({ appModelRepository: { ...repository, context: 'x' } }, { appModelRepository: null }),
    ],
  },
  {
    name: 'Component',
    schema: appstudio('components'),
    steps: [
      ...creates({}, component, { ...component, containerImage: '' }, { ...component, build: { containerImage: 'i' } }),
      ...creates({ ...component, containerImage: 'i', build: { containerImage: 'i' } }),
      { create: { ...component, containerImage: 'i' }, name: '1c' },
      ...creates({ ...component, source: { git: { url: 'https://git/a' } } }),
      ...updates({ componentName: 'd' }, { application: 'b' }, { source: { git: { url: 'https://git/b' } } }),
      ...updates({ source: null, containerImage: 'i' }, { containerImage: 'i' }, { replicas: -1 }, { replicas: 2 }),
    ],
  },
  {
    name: 'Environment',
    schema: appstudio('environments'),
    steps: [
      ...creates(
        {},
        environment,
        { ...environment, deploymentStrategy: 'x' },
        cluster({}),
        cluster({ ingressDomain: '' }),
      ),
      { create: environment, name: 'a.b' },
      ...creates(
        cluster({ ingressDomain: '' }, 'OpenShift'),
        cluster({ ingressDomain: 'A_B' }),
        cluster({ apiURL: 'api' }),
      ),
      ...creates(cluster({ apiURL: '' }), { ...cluster({}), clusterCredentials: { apiServerURL: 'https://api' } }),
      ...creates({ ...environment, clusterCredentials: { apiServerURL: 'no url', credentials: 's' } }),
    ],
  },
  {
    name: 'DeploymentTargetClaim',
    schema: appstudio('deploymenttargetclaims'),
    steps: [
      ...creates(claim),
      ...updates({ arch: 'arm64' }, { arch: 'amd64' }),
      { status: { phase: 'x' } },
      { status: { phase: 'Bound' } },
      ...updates(
        { arch: 'arm64' },
        { arch: null },
        { deploymentTargetClassName: 'd' },
        { targetName: 'u' },
        { targetName: null },
      ),
      ...updates({ resources: { requests: { cpu: 1, memory: '2048Mi' }, limits: { cpu: '2000m' } } }),
      ...updates({ resources: { requests: { cpu: '999m', memory: '2Gi' }, limits: { cpu: 2 } } }),
      ...updates(
        { resources: { requests: { cpu: 1 }, limits: { cpu: 3 } } },
        { resources: { requests: { cpu: 1, memory: '2Gi' } } },
      ),
      ...updates({ resources: null }, { resources: { requests: { cpu: 'x', memory: '2Gi' }, limits: { cpu: 3 } } }),
    ],
  },
  {
    name: 'DeploymentTargetClass',
    schema: appstudio('deploymenttargetclasses'),
    steps: [
      ...creates({}, { provisioner: 'p', reclaimPolicy: 'x' }, { provisioner: 'p', reclaimPolicy: 'Delete' }),
      ...updates({ provisioner: 'p' }, { provisioner: 'q' }, { reclaimPolicy: 'Retain' }),
    ],
  },
  {
    name: 'PromotionRun',
    schema: appstudio('promotionruns'),
    steps: [
      ...creates({}, { snapshot: 's', application: 'a' }),
      ...creates({
        ...{ snapshot: 's', application: 'a', manualPromotion: { targetEnvironment: 'e' } },
        automatedPromotion: { initialEnvironment: 'e', initialEnvironments: ['e'] },
      }),
      ...creates({ snapshot: 's', application: 'a', automatedPromotion: {} }),
      ...creates({ snapshot: 's', application: 'a', automatedPromotion: { initialEnvironments: ['e', 'f'] } }),
      ...updates({ snapshot: 't' }, { automatedPromotion: { initialEnvironments: ['f', 'e'] } }, { snapshot: 's' }),
      { status: { state: 'x' } },
      { status: { state: 'Active', environmentStatus: [{ step: 1, environmentName: 'e', status: 'x' }] } },
      { status: { state: 'Active', environmentStatus: [{ step: 1, environmentName: 'e', status: 'success' }] } },
    ],
  },
  {
    name: 'SnapshotEnvironmentBinding',
    schema: appstudio('snapshotenvironmentbindings'),
    steps: [
      ...creates({}, { application: 'a', environment: 'e', snapshot: 's', components: [] }),
      ...updates({ application: 'b' }, { environment: 'f' }, { snapshot: 't' }),
      { status: { components: [{ name: 'c', gitOpsRepository: {}, gitopsRepository: {} }] } },
      { status: { components: [{ name: 'c', gitopsRepository: { url: 'u' } }] } },
    ],
  },
  {
    name: 'Snapshot',
    schema: appstudio('snapshots'),
    steps: [
      ...creates({}, { application: 'a', components: [{ name: 'c', containerImage: 'i' }] }),
      ...updates({ application: 'b' }, { application: null }, { components: null }, { displayName: 'd' }),
      ...updates({ components: [{ name: 'c', containerImage: 'j' }] }, { components: [] }),
    ],
  },
  {
    name: 'GitOpsDeploymentManagedEnvironment',
    schema: gitops('gitopsdeploymentmanagedenvironments'),
    steps: [
      ...creates(
        {},
        { apiURL: 'u' },
        { apiURL: 'u', credentialsSecret: 's' },
        { apiURL: 'u', clusterCredentialsSecret: 's' },
      ),
      ...creates({ apiURL: 'u', credentialsSecret: 's', clusterCredentialsSecret: 's' }),
    ],
  },
  {
    name: 'GitOpsDeployment',
    schema: gitops('gitopsdeployments'),
    steps: [
      ...creates(
        {},
        deployment,
        { ...deployment, source: { path: 'p' } },
        { ...deployment, source: { ...source, repository: 'r' } },
      ),
      ...creates({ ...deployment, source: { repository: 'r', path: '', revision: 'x' } }),
      ...creates({ ...deployment, source: { ...source, targetRevision: 'a', revision: 'b' } }),
      ...creates({ ...deployment, destination: { environment: 'e', managedEnvironment: 'f', namespace: 'n' } }),
      ...creates({ ...deployment, destination: { managedEnvironment: 'f', namespace: 'n' }, unknown: 1 }),
      { status: { conditions: [{ type: 'a', status: 'x', reason: '', message: '' }] } },
      { status: { operationState: { operation: { any: { thing: 1 } }, retryCount: -1, startedAt: 'x' } } },
      { status: { operationState: { operation: { any: { thing: 1 } }, retryCount: 1 } } },
    ],
  },
];
