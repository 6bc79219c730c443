import type { Fields, OurKind } from './our-crds-objects.ts';

/** What is tried, the kind, what its least spec is changed by, its name, and what the refusal says: nothing where it is let in. */
export interface CreateCase {
  readonly what: string;
  readonly kind: OurKind;
  readonly spec?: Fields;
  readonly name?: string;
  readonly error?: string;
}

const label = (kind: string) =>
  `the name of ${kind} must start with a lower case letter, have at most 63 characters, and consist of lower case letters, digits or '-'`;
const environmentName =
  "an environment resource name must start with a lower case alphabetical character, be under 63 characters, and can only consist of lower case alphanumeric characters or '-'";
const long = 'a'.repeat(64);
const notAbsolute = `API URL must be an absolute URL starting with an 'https' scheme`;
const domain =
  "an ingress domain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const credentials = (fields: Fields) => ({ unstableConfigurationFields: { kubernetesCredentials: fields } });
const source = (fields: Fields) => ({ source: { path: 'overlays', ...fields } });

/** Every rule of infra/crds that a create can break, broken and kept. */
export const createCases: readonly CreateCase[] = [
  ...(['1shop', 'shop.one', long] as const).map((name) => ({
    what: 'that is no label',
    kind: 'Application' as const,
    name,
    error: `metadata.name: Invalid value: invalid application name: ${name}, ${label('an application')}`,
  })),
  { what: 'of 63 characters', kind: 'Application', name: 'a'.repeat(63) },
  ...(['1cart', 'cart.one', long] as const).map((name) => ({
    what: 'that is no label',
    kind: 'Component' as const,
    name,
    error: `metadata.name: Invalid value: invalid component name: ${name}, ${label('a component')}`,
  })),
  ...(['staging.one', long] as const).map((name) => ({
    what: 'that is no label',
    kind: 'Environment' as const,
    name,
    error: `metadata.name: Invalid value: invalid environment name: ${name}, ${environmentName}`,
  })),
  { what: 'that begins with a digit', kind: 'Environment', name: '1st' },
  {
    what: 'with its image in both spellings',
    kind: 'Component',
    spec: { containerImage: 'a:1', build: { containerImage: 'a:2' } },
    error:
      'spec.build.containerImage: Forbidden: build.containerImage is another spelling of containerImage: set one of them, not both',
  },
  { what: 'with an empty image in the other spelling', kind: 'Component', spec: { build: { containerImage: '' } } },
  {
    what: 'with its image in the other spelling',
    kind: 'Component',
    spec: { containerImage: undefined, build: { containerImage: 'a:2' } },
  },
  {
    what: 'with neither source nor image',
    kind: 'Component',
    spec: { containerImage: '', source: { git: { url: '' } } },
    error: 'spec.containerImage: Required value: a component needs source.git.url or containerImage',
  },
  {
    what: 'with a source',
    kind: 'Component',
    spec: { containerImage: undefined, source: { git: { url: 'https://git.example.com/cart' } } },
  },
  {
    what: 'with its credentials in both spellings',
    kind: 'Environment',
    spec: {
      clusterCredentials: { apiServerURL: 'https://a.example.com' },
      ...credentials({ apiURL: 'https://a.example.com' }),
    },
    error:
      'spec.clusterCredentials: Forbidden: clusterCredentials is another spelling of unstableConfigurationFields.kubernetesCredentials: set one of them, not both',
  },
  {
    what: 'with its credentials in the other spelling',
    kind: 'Environment',
    spec: { clusterCredentials: { apiServerURL: 'https://a.example.com', credentials: 'c' } },
  },
  {
    what: 'on Kubernetes without an ingress domain',
    kind: 'Environment',
    spec: { unstableConfigurationFields: { clusterType: 'Kubernetes' } },
    error:
      'spec.unstableConfigurationFields.kubernetesCredentials.ingressDomain: Invalid value: ingress domain cannot be empty if cluster is of type Kubernetes',
  },
  {
    what: 'on OpenShift without an ingress domain',
    kind: 'Environment',
    spec: { unstableConfigurationFields: { clusterType: 'OpenShift' } },
  },
  {
    what: 'on Kubernetes with one',
    kind: 'Environment',
    spec: {
      unstableConfigurationFields: {
        clusterType: 'Kubernetes',
        kubernetesCredentials: { ingressDomain: 'apps.example.com' },
      },
    },
  },
  {
    what: 'with an API address that is none',
    kind: 'Environment',
    spec: credentials({ apiURL: 'api.example.com' }),
    error: `spec.unstableConfigurationFields.kubernetesCredentials.apiURL: Invalid value: "api.example.com": "api.example.com": ${notAbsolute}`,
  },
  {
    what: 'with an API address',
    kind: 'Environment',
    spec: credentials({ apiURL: 'https://api.example.com:6443/path' }),
  },
  {
    what: 'with an API address that is none, in the other spelling',
    kind: 'Environment',
    spec: { clusterCredentials: { apiServerURL: '/api' } },
    error: `spec.clusterCredentials.apiServerURL: Invalid value: "/api": "/api": ${notAbsolute}`,
  },
  {
    what: 'with an ingress domain that is none',
    kind: 'Environment',
    spec: credentials({ ingressDomain: 'Apps_example' }),
    error: `spec.unstableConfigurationFields.kubernetesCredentials.ingressDomain: Invalid value: "Apps_example": invalid ingress domain: "Apps_example": ${domain}`,
  },
  { what: 'with an empty ingress domain', kind: 'Environment', spec: credentials({ ingressDomain: '' }) },
  {
    what: 'that is manual and automated',
    kind: 'PromotionRun',
    spec: { automatedPromotion: { initialEnvironment: 'dev' } },
    error: 'spec: Invalid value: set exactly one of manualPromotion and automatedPromotion',
  },
  {
    what: 'that is neither manual nor automated',
    kind: 'PromotionRun',
    spec: { manualPromotion: undefined },
    error: 'spec: Invalid value: set exactly one of manualPromotion and automatedPromotion',
  },
  {
    what: 'that starts in one and in several',
    kind: 'PromotionRun',
    spec: { manualPromotion: undefined, automatedPromotion: { initialEnvironment: 'a', initialEnvironments: ['b'] } },
    error: 'spec.automatedPromotion: Invalid value: set exactly one of initialEnvironment and initialEnvironments',
  },
  {
    what: 'that starts in several',
    kind: 'PromotionRun',
    spec: { manualPromotion: undefined, automatedPromotion: { initialEnvironments: ['a', 'b'] } },
  },
  {
    what: 'with its Secret in both spellings',
    kind: 'GitOpsDeploymentManagedEnvironment',
    spec: { clusterCredentialsSecret: 'b' },
    error:
      'spec.clusterCredentialsSecret: Forbidden: clusterCredentialsSecret is another spelling of credentialsSecret: set one of them, not both',
  },
  {
    what: 'with its Secret in the other spelling',
    kind: 'GitOpsDeploymentManagedEnvironment',
    spec: { credentialsSecret: undefined, clusterCredentialsSecret: 'b' },
  },
  {
    what: 'without a Secret',
    kind: 'GitOpsDeploymentManagedEnvironment',
    spec: { credentialsSecret: undefined },
    error: 'spec.credentialsSecret: Required value: credentialsSecret is required',
  },
  {
    what: 'with an empty Secret, which a condition answers',
    kind: 'GitOpsDeploymentManagedEnvironment',
    spec: { credentialsSecret: '' },
  },
  {
    what: 'with its repository in both spellings',
    kind: 'GitOpsDeployment',
    spec: source({ repoURL: 'https://a.example.com', repository: 'https://b.example.com' }),
    error: 'spec.source.repository: Forbidden: repository is another spelling of repoURL: set one of them, not both',
  },
  {
    what: 'without a repository',
    kind: 'GitOpsDeployment',
    spec: source({}),
    error: 'spec.source.repoURL: Required value: repoURL is required',
  },
  {
    what: 'with its revision in both spellings',
    kind: 'GitOpsDeployment',
    spec: source({ repoURL: 'https://a.example.com', targetRevision: 'a', revision: 'b' }),
    error: 'spec.source.revision: Forbidden: revision is another spelling of targetRevision: set one of them, not both',
  },
  {
    what: 'in the other spelling throughout',
    kind: 'GitOpsDeployment',
    spec: {
      ...source({ repository: 'https://b.example.com', revision: 'b' }),
      destination: { managedEnvironment: 'm' },
    },
  },
  {
    what: 'with an empty path, which a condition answers',
    kind: 'GitOpsDeployment',
    spec: { source: { repoURL: '', path: '' } },
  },
  {
    what: 'with its environment in both spellings',
    kind: 'GitOpsDeployment',
    spec: { destination: { environment: 'a', managedEnvironment: 'b' } },
    error:
      'spec.destination.managedEnvironment: Forbidden: managedEnvironment is another spelling of environment: set one of them, not both',
  },
];
