import { z } from 'zod';
import { list, text } from './parts/absent.ts';
import { conditions } from './parts/condition.ts';
import { resource } from './parts/resource.ts';
import { eitherSpelling } from './parts/spelling.ts';

const Spec = eitherSpelling(
  z.object({
    apiURL: text('The address of the API server of the cluster. Empty: the one that the kubeconfig points at.'),
    credentialsSecret: z
      .string()
      .max(253)
      .optional()
      .describe(
        'The Secret of the same namespace, of type managed-gitops.redhat.com/managed-environment, whose key kubeconfig holds a kubeconfig for the cluster.',
      ),
    clusterCredentialsSecret: z
      .string()
      .max(253)
      .optional()
      .describe('Another spelling of credentialsSecret, understood and never written.'),
    allowInsecureSkipTLSVerify: z
      .boolean()
      .default(false)
      .describe('True: the certificate of the cluster is not checked.'),
    createNewServiceAccount: z
      .boolean()
      .default(false)
      .describe('True: a ServiceAccount is made on the cluster and used. False: the token of the kubeconfig is used.'),
    namespaces: list('The namespaces that may be deployed to. Empty: all that the credentials reach.', z.string()),
    clusterResources: z
      .boolean()
      .default(false)
      .describe('True: resources outside namespaces may be deployed too. It matters only where namespaces are listed.'),
  }),
  { canonical: 'credentialsSecret', other: 'clusterCredentialsSecret', required: true },
).transform(({ clusterCredentialsSecret, ...spec }) => ({
  ...spec,
  credentialsSecret: spec.credentialsSecret || clusterCredentialsSecret || '',
}));

/** A cluster to deploy to, with the credentials for it. */
export const GitOpsDeploymentManagedEnvironment = resource({
  apiVersion: 'managed-gitops.redhat.com/v1alpha1',
  kind: 'GitOpsDeploymentManagedEnvironment',
  description: 'A cluster that GitOpsDeployments of the namespace may deploy to.',
  spec: Spec.describe('How to reach the cluster.'),
  status: z
    .object({ conditions: conditions('Whether the cluster can be reached: ConnectionInitializationSucceeded.') })
    .describe('What is known about it.'),
});
export type GitOpsDeploymentManagedEnvironment = z.infer<typeof GitOpsDeploymentManagedEnvironment>;
