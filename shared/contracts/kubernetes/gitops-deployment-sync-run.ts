import { z } from 'zod';
import { text } from './parts/absent.ts';
import { probedConditions } from './parts/condition.ts';
import { Health } from './parts/health.ts';
import { resource } from './parts/resource.ts';

/** One sync on demand. That its fields do not change is said by a condition, so nothing refuses the change here. */
export const GitOpsDeploymentSyncRun = resource({
  apiVersion: 'managed-gitops.redhat.com/v1alpha1',
  kind: 'GitOpsDeploymentSyncRun',
  description: 'Deploys a GitOpsDeployment of type manual once. Deleting it stops a sync that still runs.',
  spec: z
    .object({
      gitopsDeploymentName: z.string().describe('The GitOpsDeployment of the same namespace. It must not change.'),
      revisionID: text(
        'The branch, tag or commit to deploy. Empty: the target revision of the deployment. It must not change.',
      ),
    })
    .describe('What to deploy.'),
  status: z
    .object({
      conditions: probedConditions('What went wrong: ErrorOccurred.'),
      syncStatus: text('Whether the cluster is as Git says: Synced, OutOfSync or Unknown.'),
      health: Health.optional().describe('How what was deployed is doing.'),
    })
    .describe('What is known about it.'),
});
export type GitOpsDeploymentSyncRun = z.infer<typeof GitOpsDeploymentSyncRun>;
