/** The least that an Environment needs. */
export const environmentSpec = { displayName: 'Web', deploymentStrategy: 'Manual' };

interface EnvironmentCase {
  readonly what: string;
  readonly name: string;
  readonly spec: object;
}

interface BadEnvironment extends EnvironmentCase {
  readonly said: string;
  /** It is the name that is wrong, and that is looked at when the Environment is created. */
  readonly isOfName?: boolean;
}

const named =
  "an environment resource name must start with a lower case alphabetical character, be under 63 characters, and can only consist of lower case alphanumeric characters or '-'";
const domain =
  "an ingress domain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const address = "API URL must be an absolute URL starting with an 'https' scheme";

function on(clusterType: string | undefined, kubernetesCredentials?: object): object {
  return { unstableConfigurationFields: { clusterType, kubernetesCredentials } };
}

export const badEnvironments: readonly BadEnvironment[] = [
  {
    what: 'AW-01 B25 Kubernetes without an ingress domain',
    name: 'bad-1',
    spec: on('Kubernetes'),
    said: 'ingress domain cannot be empty if cluster is of type Kubernetes',
  },
  {
    what: 'AW-06 B25 an ingress domain that is none',
    name: 'bad-2',
    spec: on(undefined, { ingressDomain: 'Apps_example' }),
    said: `invalid ingress domain: "Apps_example": ${domain}`,
  },
  {
    what: 'AW-11 B24 a name with a dot',
    name: 'bad.3',
    spec: {},
    said: `environment name: bad.3, ${named}`,
    isOfName: true,
  },
  { what: 'AW-11 B24 a long name', name: 'b'.repeat(64), spec: {}, said: named, isOfName: true },
  {
    what: 'AW-12 B25 an address without a scheme',
    name: 'bad-4',
    spec: on(undefined, { apiURL: 'api' }),
    said: address,
  },
  { what: 'AW-12 a path', name: 'bad-5', spec: on(undefined, { apiURL: '/api' }), said: address },
  {
    what: 'AW-12 an address with a port that is none',
    name: 'bad-6',
    spec: on(undefined, { apiURL: 'https://api.example.com:port' }),
    said: address,
  },
  {
    what: 'AW-12 an address of another scheme',
    name: 'bad-7',
    spec: on(undefined, { apiURL: 'http://api.example.com' }),
    said: address,
  },
  {
    what: 'AW-12 an address of another scheme, in the other spelling',
    name: 'bad-8',
    spec: { clusterCredentials: { apiServerURL: 'http://api.example.com' }, unstableConfigurationFields: null },
    said: address,
  },
];

export const goodEnvironments: readonly EnvironmentCase[] = [
  { what: 'AW-08 one without unstable configuration', name: 'good-1', spec: {} },
  {
    what: 'AW-07 Kubernetes with an ingress domain',
    name: 'good-2',
    spec: on('Kubernetes', { ingressDomain: 'apps.example.com', apiURL: 'https://api.example.com:6443' }),
  },
  { what: 'AW-09 B25 OpenShift without an ingress domain', name: 'good-3', spec: on('OpenShift') },
  { what: 'AW-10 OpenShift with one', name: 'good-4', spec: on('OpenShift', { ingressDomain: 'apps.example.com' }) },
];

/** A claim, and what may not and what may become of it once it is bound. */
export const boundClaimChanges = {
  first: {
    deploymentTargetClassName: 'small',
    targetName: 'one',
    arch: 'amd64',
    resources: { requests: { cpu: '500m' }, limits: { memory: '1Gi' } },
  },
  refused: [
    {
      spec: { deploymentTargetClassName: 'large' },
      said: 'deploymentTargetClassName of a bound claim cannot be updated',
    },
    { spec: { targetName: 'two' }, said: 'targetName of a bound claim cannot be updated' },
    { spec: { arch: 'arm64' }, said: 'arch of a bound claim cannot be updated' },
    { spec: { resources: { requests: { cpu: '499m' } } }, said: 'resources.requests of a bound claim may only grow' },
    { spec: { resources: { requests: { cpu: null } } }, said: 'resources.requests of a bound claim may only grow' },
    { spec: { resources: { limits: null } }, said: 'resources.limits of a bound claim may only grow' },
  ],
  accepted: [
    { resources: { requests: { cpu: '0.5' } } },
    { resources: { requests: { cpu: '1', memory: '1Gi' } } },
    { resources: { limits: { memory: '2Gi' } } },
  ],
} as const;
