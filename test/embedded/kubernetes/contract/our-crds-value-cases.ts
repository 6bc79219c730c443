import type { Fields, OurKind } from './our-crds-objects.ts';

const quantity = '^[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$';
const deadline = '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$';
const lots = { resources: { requests: { memory: 'lots' } } };
const two = [{ name: 'A' }, { name: 'A' }];
const notMatching = (field: string, value: string, pattern: string) =>
  `${field}: Invalid value: "${value}": ${field} in body should match '${pattern}'`;
const eight = Object.fromEntries([...'abcdefgh'].map((key) => [key, 1]));

/** Values of a spec that are refused, on top of the least spec. */
export const refusedValues: readonly (readonly [OurKind, Fields, string])[] = [
  [
    'Application',
    { gitOpsRepository: { renderedBy: 'Me' } },
    'spec.gitOpsRepository.renderedBy: Unsupported value: "Me": supported values: "Stagecoach", "External"',
  ],
  [
    'Application',
    { configuration: { replicas: -1 } },
    'spec.configuration.replicas: Invalid value: -1: spec.configuration.replicas in body should be greater than or equal to 0',
  ],
  [
    'Application',
    { configuration: lots },
    notMatching('spec.configuration.resources.requests.memory', 'lots', quantity),
  ],
  ['Application', { configuration: { env: two } }, 'spec.configuration.env[1]: Duplicate value: {"name":"A"}'],
  [
    'Component',
    { componentName: 'Cart' },
    notMatching('spec.componentName', 'Cart', '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'),
  ],
  [
    'Component',
    { targetPort: 65536 },
    'spec.targetPort: Invalid value: 65536: spec.targetPort in body should be less than or equal to 65535',
  ],
  [
    'Component',
    { replicas: -1 },
    'spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0',
  ],
  [
    'Component',
    { env: [{ name: '' }] },
    'spec.env[0].name: Invalid value: "": spec.env[0].name in body should be at least 1 chars long',
  ],
  ['Component', lots, notMatching('spec.resources.requests.memory', 'lots', quantity)],
  [
    'Environment',
    { type: 'test' },
    'spec.type: Unsupported value: "test": supported values: "poc", "non-poc", "POC", "Non-POC"',
  ],
  [
    'Environment',
    { deploymentStrategy: 'Auto' },
    'spec.deploymentStrategy: Unsupported value: "Auto": supported values: "Manual", "AppStudioAutomated"',
  ],
  [
    'Environment',
    { promotion: { stepDeadline: 'soon' } },
    notMatching('spec.promotion.stepDeadline', 'soon', deadline),
  ],
  [
    'Environment',
    { promotion: { targetDeadline: '1 h' } },
    notMatching('spec.promotion.targetDeadline', '1 h', deadline),
  ],
  [
    'Environment',
    { unstableConfigurationFields: { exposeWith: 'Tunnel' } },
    'spec.unstableConfigurationFields.exposeWith: Unsupported value: "Tunnel": supported values: "Route", "Ingress", "HTTPRoute"',
  ],
  [
    'Environment',
    { unstableConfigurationFields: { clusterType: 'Swarm' } },
    'spec.unstableConfigurationFields.clusterType: Unsupported value: "Swarm": supported values: "Kubernetes", "OpenShift"',
  ],
  [
    'Environment',
    { configuration: { target: { deploymentTargetClaim: {} } } },
    'spec.configuration.target.deploymentTargetClaim.claimName: Required value',
  ],
  [
    'PromotionRun',
    { manualPromotion: undefined, automatedPromotion: { initialEnvironments: [] } },
    'spec.automatedPromotion.initialEnvironments: Invalid value: 0: spec.automatedPromotion.initialEnvironments in body should have at least 1 items',
  ],
  ['Snapshot', { components: [{ name: 'cart' }] }, 'spec.components[0].containerImage: Required value'],
  ['SnapshotEnvironmentBinding', { components: two }, 'spec.components[1]: Duplicate value: {"name":"A"}'],
  [
    'SnapshotEnvironmentBinding',
    { components: [{ name: 'a', configuration: lots }] },
    notMatching('spec.components[0].configuration.resources.requests.memory', 'lots', quantity),
  ],
  ['DeploymentTarget', { resources: lots.resources }, notMatching('spec.resources.requests.memory', 'lots', quantity)],
  ['DeploymentTarget', { claimRef: {} }, 'spec.claimRef.name: Required value'],
  ['DeploymentTargetClaim', lots, notMatching('spec.resources.requests.memory', 'lots', quantity)],
  [
    'DeploymentTargetClaim',
    { resources: { limits: eight } },
    'spec.resources.limits: Too many: 8: must have at most 7 items',
  ],
  ['GitOpsDeployment', { source: { repoURL: 'https://git.example.com' } }, 'spec.source.path: Required value'],
];

/** Statuses that are refused. */
export const misreported: readonly (readonly [OurKind, Fields, string])[] = [
  [
    'DeploymentTargetClaim',
    { phase: 'Broken' },
    'status.phase: Unsupported value: "Broken": supported values: "", "Pending", "Bound", "Lost"',
  ],
  [
    'DeploymentTarget',
    { phase: 'Lost' },
    'status.phase: Unsupported value: "Lost": supported values: "", "Pending", "Available", "Bound", "Released", "Failed"',
  ],
  [
    'PromotionRun',
    { state: 'Done' },
    'status.state: Unsupported value: "Done": supported values: "Waiting", "Active", "Completed"',
  ],
  [
    'PromotionRun',
    { completionResult: 'Maybe' },
    'status.completionResult: Unsupported value: "Maybe": supported values: "Success", "Failure"',
  ],
  [
    'PromotionRun',
    { environmentStatus: [{ step: 1, environmentName: 'a', status: 'ok' }] },
    'status.environmentStatus[0].status: Unsupported value: "ok": supported values: "in-progress", "success", "failed"',
  ],
];
