import { z } from 'zod';
import { text } from './parts/absent.ts';
import { ComputeResources } from './parts/compute-resources.ts';
import { conditions } from './parts/condition.ts';
import { resource } from './parts/resource.ts';

const KubernetesCredentials = z.object({
  defaultNamespace: z.string().describe('The namespace to deploy to.'),
  apiURL: z.string().describe('The address of the API server of the cluster.'),
  clusterCredentialsSecret: z
    .string()
    .describe('The Secret of the same namespace whose key kubeconfig holds a kubeconfig for the cluster.'),
  allowInsecureSkipTLSVerify: z
    .boolean()
    .default(false)
    .describe('True: the certificate of the cluster is not checked.'),
});

const ClaimRef = z.object({
  name: z.string().describe('The DeploymentTargetClaim of the same namespace. Empty: nobody.'),
  uid: z
    .string()
    .optional()
    .describe('The UID of that claim. The binder writes it: another claim of the same name is another claim.'),
});

const Spec = z
  .object({
    deploymentTargetClassName: text('The class that it was made by. Empty: a person made it.'),
    kubernetesCredentials: KubernetesCredentials.describe('How to reach it.'),
    claimRef: ClaimRef.optional().describe('The claim that has it, or that it is kept for. Absent: it is free.'),
    resources: ComputeResources.optional().describe('How much it offers.'),
    arch: text('The architecture of its nodes.'),
  })
  // A reference to nobody is no reference.
  .transform(({ claimRef, ...spec }) => ({ ...spec, claimRef: claimRef?.name ? claimRef : undefined }));

const Status = z.object({
  phase: z
    .enum(['', 'Pending', 'Available', 'Bound', 'Released', 'Failed'])
    .optional()
    .transform((given) => given ?? '')
    .describe(
      'Pending: cannot be bound yet. Available: free. Bound: a claim has it. Released: its claim is gone, what is behind it is not. Failed: what is behind it could not be freed.',
    ),
  conditions: conditions('How the target is doing: ErrorOccurred and others.'),
});

/** A place to deploy to. */
export const DeploymentTarget = resource({
  apiVersion: 'appstudio.redhat.com/v1alpha1',
  kind: 'DeploymentTarget',
  description: 'A place to deploy to: a namespace of some cluster and the way to reach it.',
  spec: Spec.describe('What the target is.'),
  status: Status.describe('What is known about it.'),
});
export type DeploymentTarget = z.infer<typeof DeploymentTarget>;
