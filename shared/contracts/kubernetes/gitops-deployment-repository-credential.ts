import { z } from 'zod';
import { conditions } from './parts/condition.ts';
import { resource } from './parts/resource.ts';

/** What opens a private repository. Both fields may be empty: the three conditions say what is missing. */
export const GitOpsDeploymentRepositoryCredential = resource({
  apiVersion: 'managed-gitops.redhat.com/v1alpha1',
  kind: 'GitOpsDeploymentRepositoryCredential',
  description: 'Opens a private Git repository for the GitOpsDeployments of the namespace.',
  spec: z
    .object({
      repository: z.string().describe('The address of the repository.'),
      secret: z
        .string()
        .describe(
          'The Secret of the same namespace, of type managed-gitops.redhat.com/repository-credential, with username and password or with sshPrivateKey.',
        ),
    })
    .describe('Which repository, and what opens it.'),
  status: z
    .object({
      conditions: conditions('Whether it works: ErrorOccurred, ValidRepositoryURL, ValidRepositoryCredential.'),
    })
    .describe('What is known about it.'),
});
export type GitOpsDeploymentRepositoryCredential = z.infer<typeof GitOpsDeploymentRepositoryCredential>;
