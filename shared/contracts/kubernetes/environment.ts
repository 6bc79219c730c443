import { z } from 'zod';
import { list, text } from './parts/absent.ts';
import { conditions } from './parts/condition.ts';
import { envVars } from './parts/env-var.ts';
import { resource } from './parts/resource.ts';
import { onlyOne } from './parts/spelling.ts';
import { anyOf, type Validation, validated } from './parts/validation.ts';

const isAbsolute: Validation = {
  rule: "self == '' || (isURL(self) && self.matches('^[hH][tT][tT][pP][sS]://[^/?#\\\\s]+[^\\\\s]*$'))",
  message: "API URL must be an absolute URL starting with an 'https' scheme",
  messageExpression: `'"' + self + '": API URL must be an absolute URL starting with an \\'https\\' scheme'`,
};

const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
const mustBeDomain =
  "an ingress domain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const isDomain: Validation = {
  rule: `self == '' || self.matches('^${label}(\\\\.${label})*$')`,
  message: mustBeDomain,
  messageExpression: `'invalid ingress domain: "' + self + '": ${mustBeDomain.replaceAll("'", "\\'")}'`,
};

const KubernetesCredentials = z.object({
  targetNamespace: text('The namespace to deploy to.'),
  apiURL: validated(text('The address of the API server of the cluster.', 2048), isAbsolute),
  clusterCredentialsSecret: text('The Secret of the same namespace that holds a kubeconfig for the cluster.'),
  allowInsecureSkipTLSVerify: z
    .boolean()
    .default(false)
    .describe('True: the certificate of the cluster is not checked.'),
  ingressDomain: validated(text('The domain under which components of this environment are reachable.', 253), isDomain),
  namespaces: list('The namespaces that may be deployed to. Empty: all that the credentials reach.', z.string()),
  clusterResources: z
    .boolean()
    .default(false)
    .describe('True: resources outside namespaces may be deployed too. It matters only where namespaces are listed.'),
});

const UnstableConfigurationFields = validated(
  z.object({
    clusterType: z
      .enum(['Kubernetes', 'OpenShift'])
      .optional()
      .describe('What the cluster is. Absent: Kubernetes, and no ingress domain is asked for.'),
    exposeWith: z
      .enum(['Route', 'Ingress', 'HTTPRoute'])
      .optional()
      .describe(
        'How components are made reachable. Absent: a Route on OpenShift, an Ingress on Kubernetes with an ingressDomain, otherwise not at all.',
      ),
    kubernetesCredentials: KubernetesCredentials.optional().describe('How to reach the cluster without a claim.'),
  }),
  {
    rule: anyOf(
      "!has(self.clusterType) || self.clusterType != 'Kubernetes'",
      "(has(self.kubernetesCredentials) && has(self.kubernetesCredentials.ingressDomain) && self.kubernetesCredentials.ingressDomain != '')",
    ),
    message: 'ingress domain cannot be empty if cluster is of type Kubernetes',
    fieldPath: '.kubernetesCredentials.ingressDomain',
  },
);

const ClusterCredentials = z.object({
  apiServerURL: validated(text('Another spelling of kubernetesCredentials.apiURL.', 2048), isAbsolute),
  credentials: text('Another spelling of kubernetesCredentials.clusterCredentialsSecret.'),
});

const duration = (value: string, description: string) =>
  z
    .string()
    .max(64)
    .regex(/^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/)
    .default(value)
    .describe(description);

const Promotion = z.object({
  stepDeadline: duration('5m', 'How long one step of a promotion may take here, from the moment the target is ready.'),
  targetDeadline: duration('1h', 'How long a step waits for its target to be ready.'),
});

const fields = z.object({
  // The documents write it in lower case, the original in capitals.
  type: z
    .enum(['poc', 'non-poc', 'POC', 'Non-POC'])
    .transform((value) => (value.toLowerCase() === 'poc' ? ('poc' as const) : ('non-poc' as const)))
    .optional()
    .describe('Deprecated, nothing depends on it: poc or non-poc.'),
  displayName: z.string().describe('The name that people see.'),
  deploymentStrategy: z
    .enum(['Manual', 'AppStudioAutomated'])
    .describe(
      'AppStudioAutomated: what succeeded in the parent, or is new where there is no parent, comes here by itself. Manual: only when somebody promotes it.',
    ),
  parentEnvironment: text(
    'The environment that a snapshot passes before it comes here. Empty: none, promotion starts here.',
  ),
  tags: list('Words to find environments by.', z.string()),
  deploymentController: text(
    'Who promotes to this environment. Empty or appstudio: this service. Anything else: a controller of that name; this service then changes no Binding of it.',
  ),
  promotion: Promotion.prefault({}).describe('The limits of a promotion to this environment.'),
  configuration: z
    .object({
      env: envVars('Environment variables for everything that is deployed here. All other places go before this one.'),
      target: z
        .object({
          deploymentTargetClaim: z
            .object({ claimName: z.string().describe('The DeploymentTargetClaim of the same namespace.') })
            .optional()
            .describe('Deploy to the target that this claim is bound to.'),
        })
        .optional()
        .describe('Where to deploy to.'),
    })
    .optional()
    .describe('What everything that is deployed here shares.'),
  unstableConfigurationFields: UnstableConfigurationFields.optional().describe(
    'Details of the cluster behind the environment. They may move when the API matures.',
  ),
  clusterCredentials: ClusterCredentials.optional().describe(
    'Another spelling of unstableConfigurationFields.kubernetesCredentials, understood and never written.',
  ),
});

const canonical = 'unstableConfigurationFields.kubernetesCredentials';

const Spec = validated(fields, {
  rule: anyOf(
    '!has(self.clusterCredentials)',
    '!has(self.unstableConfigurationFields) || !has(self.unstableConfigurationFields.kubernetesCredentials)',
  ),
  message: onlyOne(canonical, 'clusterCredentials'),
  reason: 'FieldValueForbidden',
  fieldPath: '.clusterCredentials',
})
  .check(({ value, issues }) => {
    if (value.clusterCredentials && value.unstableConfigurationFields?.kubernetesCredentials) {
      const message = onlyOne(canonical, 'clusterCredentials');
      issues.push({ code: 'custom', message, path: ['clusterCredentials'], input: value });
    }
  })
  .transform(({ clusterCredentials, unstableConfigurationFields, ...spec }) => ({
    ...spec,
    unstableConfigurationFields:
      clusterCredentials === undefined
        ? unstableConfigurationFields
        : {
            ...unstableConfigurationFields,
            kubernetesCredentials: KubernetesCredentials.parse({
              apiURL: clusterCredentials.apiServerURL,
              clusterCredentialsSecret: clusterCredentials.credentials,
            }),
          },
  }));

/** A place on the way of a snapshot. */
export const Environment = resource({
  apiVersion: 'appstudio.redhat.com/v1alpha1',
  kind: 'Environment',
  description:
    'A place that applications are deployed to, and its position on the way from the first build to production.',
  spec: Spec.describe('What the environment should be.'),
  status: z
    .object({
      conditions: conditions('How the environment is doing: Reconciled, and ErrorOccurred for older clients.'),
    })
    .describe('What is known about it.'),
});
export type Environment = z.infer<typeof Environment>;
