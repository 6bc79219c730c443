import type { Condition, Status } from '../core/condition.ts';
import type { Connection } from './managed-environment.ts';

export const environmentConditionType = 'ConnectionInitializationSucceeded';

export const environmentReasons = [
  'Succeeded',
  'UnsupportedAPIURL',
  'KubernetesError',
  'InvalidSecretType',
  'MissingKubeConfigField',
  'UnableToCreateClient',
  'UnableToCreateClusterCredentials',
  'UnableToInstallServiceAccount',
  'UnableToValidateClusterCredentials',
  'UnableToLocateContext',
  'UnableToParseKubeconfigData',
  'InvalidNamespaceList',
  'UnableToRetrieveRestConfig',
] as const;

type EnvironmentReason = (typeof environmentReasons)[number];

export type EnvironmentCondition = Condition & { readonly reason: EnvironmentReason };

const unsupported = (message: string) => tell('Unknown', 'UnsupportedAPIURL', message);

/** Everything that the condition of an environment may say. Where clients match on a text it is the one that they know. */
export const environmentConditions = {
  succeeded: tell('True', 'Succeeded', ''),

  // The original says nothing at all in these two cases. The configuration cannot be had without the Secret.
  secretNotNamed: tell(
    'False',
    'UnableToRetrieveRestConfig',
    'the field .spec.credentialsSecret is empty: name the Secret that holds the kubeconfig',
  ),
  secretMissing: (name: string) =>
    tell('False', 'UnableToRetrieveRestConfig', `the Secret '${cut(name)}' does not exist in this namespace`),

  queryInUrl: unsupported('the API URL must not have ? or & values'),
  notHttps: unsupported('cluster api url must start with https://'),
  moreThanAnAddress: unsupported('the API URL must not have a user name, a password or a fragment'),
  invalidNamespace: (name: string) =>
    tell('Unknown', 'InvalidNamespaceList', `user specified an invalid namespace: ${cut(name)}`),

  wrongSecretType: (type: string) => tell('False', 'InvalidSecretType', `invalid secret type: ${cut(type)}`),
  noKubeconfig: tell(
    'False',
    'MissingKubeConfigField',
    "missing kubeconfig field in Secret: its data has no key 'kubeconfig'",
  ),
  badKubeconfig: tell(
    'False',
    'UnableToParseKubeconfigData',
    'unable to parse kubeconfig data: the value in the Secret is not a kubeconfig',
  ),
  noCluster: (server: string) =>
    tell(
      'False',
      'UnableToLocateContext',
      server === ''
        ? 'the API URL is empty, and the current-context of the kubeconfig points at no cluster'
        : `the kubeconfig has no cluster entry with a server URL of '${cut(server)}'`,
    ),
  noContext: (server: string) =>
    tell(
      'False',
      'UnableToLocateContext',
      `the kubeconfig has no context for the cluster with a server URL of '${cut(server)}'`,
    ),
  authorityInFile: tell(
    'False',
    'UnableToRetrieveRestConfig',
    'the kubeconfig names a file for certificate-authority, which only exists where it was made: use certificate-authority-data',
  ),
  badAuthority: tell(
    'False',
    'UnableToRetrieveRestConfig',
    'certificate-authority-data of the kubeconfig is no certificate in PEM, encoded as base64',
  ),
  noToken: (context: string) =>
    tell(
      'False',
      'UnableToParseKubeconfigData',
      `kubeconfig must have a service account token for the user in context "${cut(context)}". client-certificate is not supported at this time.`,
    ),
  tooLong: tell('Unknown', 'UnableToCreateClusterCredentials', 'an unknown error occurred'),

  noArgoCd: tell('False', 'KubernetesError', 'no Argo CD takes this namespace: an operator has to install or open one'),

  unreachable: (server: string) =>
    tell(
      'False',
      'UnableToCreateClient',
      `unable to create k8s client from restConfig from managed environment secret: nothing answers at ${cut(server, 512)}`,
    ),
  notInstalled: (why: string) =>
    tell(
      'False',
      'UnableToInstallServiceAccount',
      `unable to install the service account on the cluster: ${cut(why, 512)}`,
    ),
} as const;

const validation = {
  refused:
    'Unable to validate the credentials provided in the ManagedEnvironment Secret. Verify the API URL, and service account token are correct.',
  forbidden:
    'Provided service account does not have permission to access resources in the cluster. Verify that the service account has the correct Role and RoleBinding.',
  'unknown-authority':
    "Certificate signed by unknown authority. Note that the '.spec.allowInsecureSkipTLSVerify' field can be used to ignore this error.",
} as const;

/** What to tell of a connection that does not work. */
export function connectionProblem(connection: Exclude<Connection, 'works'>, server: string): EnvironmentCondition {
  if (connection === 'unreachable') return environmentConditions.unreachable(server);
  return tell('Unknown', 'UnableToValidateClusterCredentials', validation[connection]);
}

function tell(status: Status, reason: EnvironmentReason, message: string): EnvironmentCondition {
  return { type: environmentConditionType, status, reason, message };
}

/** A user's word may be as long as an object may be, a condition may not. */
function cut(text: string, most = 253): string {
  return text.length <= most ? text : `${text.slice(0, most - 3)}...`;
}

/** Does the object say this already? */
export function isSaid(said: Condition | undefined, { status, reason, message }: Condition): boolean {
  return said?.status === status && said.reason === reason && said.message === message;
}
